import { holdsEvent, previousOf } from "../event-codec.ts";
import { sha256Node } from "../hash.ts";
import { genesis } from "../head.ts";
import type { Damage } from "../store.ts";
import type { BundleError } from "./bundle-error.ts";
import type { BundledStream } from "./bundle-format.ts";

/** Bytes of the hash an event begins with. */
const PREVIOUS_BYTES = 32;

/** A link of the chain that does not hold. */
interface Broken {
	/** position of the event that does not repeat the hash of the one before it */
	readonly at: number;
	/** whether it is the one before it once more */
	readonly isRepeat: boolean;
	/** whether what comes behind repeats its hash, so that it is whole; unknown until that was seen */
	isWhole: boolean | undefined;
}

/** Follows the events of one stream of a bundle, and tells where they are not what was chained. */
export class BundledChain {
	readonly #stream: BundledStream;
	#version = 0;
	#hash: string;
	#last: Uint8Array | undefined;
	#broken: Broken | undefined;
	/** position of the first value that is chained, and no event */
	#hollow: number | undefined;

	constructor(stream: BundledStream) {
		this.#stream = stream;
		this.#hash = genesis(stream.stream);
	}

	/** The name of the stream. */
	get name(): string {
		return this.#stream.stream;
	}

	/** Events it has, as the header says. */
	get named(): number {
		return this.#stream.version;
	}

	/** Events taken so far; the next has this position. */
	get version(): number {
		return this.#version;
	}

	/** Takes the next event. */
	take(value: Uint8Array): void {
		const isLong = value.length > PREVIOUS_BYTES;
		const follows = isLong && previousOf(value) === this.#hash;
		if (this.#broken) this.#broken.isWhole ??= follows;
		else if (!follows) {
			const isRepeat = this.#last !== undefined && Buffer.compare(this.#last, value) === 0;
			this.#broken = { at: this.#version, isRepeat, isWhole: isLong ? undefined : false };
		}
		if (!holdsEvent(value)) this.#hollow ??= this.#version;
		this.#hash = sha256Node(value);
		this.#last = value;
		this.#version++;
	}

	/**
	 * What is wrong with the stream once no more of it comes, because of `cut` where that is not its end; `undefined` where
	 * all of it is what was chained.
	 */
	fault(cut?: BundleError): Damage | undefined {
		const { stream, version, hash } = this.#stream;
		const broken = this.#broken;
		const isVouchedFor = this.#version === version && this.#hash === hash;
		if (broken) broken.isWhole ??= isVouchedFor;
		const at = (position: number, what: string): Damage => ({
			part: "event",
			stream,
			position,
			what: `event ${position} of ${stream} ${what}`,
		});
		if (!broken && isVouchedFor)
			return this.#hollow === undefined ? undefined : at(this.#hollow, "is chained, and is no event");
		if (broken?.isRepeat) return at(broken.at, "repeats the one before it");
		if (broken && (!broken.isWhole || broken.at === 0))
			return at(broken.at, "was changed, or belongs elsewhere");
		if (broken && this.#version < version && !cut)
			return at(broken.at, "was taken out, and those behind it moved up");
		if (broken) return at(broken.at - 1, "was changed");
		if (cut?.code === "BUNDLE_DAMAGED" && this.#version > 0)
			return at(this.#version - 1, `is the last that was read, and nothing vouches for it: ${cut.message}`);
		if (cut) return at(this.#version, `of ${version} is missing: ${cut.message}`);
		if (this.#version < version) return at(this.#version, `is missing: ${version} were written`);
		if (this.#version > version) return at(version, "stands behind the head");
		return at(Math.max(0, version - 1), "was changed, or the head the bundle names was");
	}
}
