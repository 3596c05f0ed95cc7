import { inflateSync } from "node:zlib";
import { decodeCheckpoint } from "../checkpoint.ts";
import { sha256Node } from "../hash.ts";
import type { Damage } from "../store.ts";
import type { BundleError } from "./bundle-error.ts";
import {
	type BundleHeader,
	type CheckpointPlace,
	DIGEST_BYTES,
	decodePlace,
	MOST_RECORD_BYTES,
	MOST_TOGETHER_BYTES,
	PLACE_BYTES,
	SEAL_BYTES,
} from "./bundle-format.ts";
import type { BundleRecord } from "./bundle-source.ts";
import { BundledChain } from "./bundled-chain.ts";

/** What a record of a bundle holds. Streams have the number of their place in the header. */
export type BundledItem =
	| { readonly kind: "event"; readonly stream: number; readonly position: number; readonly value: Uint8Array }
	| { readonly kind: "seal"; readonly stream: number; readonly position: number; readonly value: Uint8Array }
	| {
			readonly kind: "checkpoint";
			readonly stream: number;
			readonly place: CheckpointPlace;
			readonly value: Uint8Array;
	  }
	| { readonly kind: "content"; readonly digest: string; readonly bytes: Uint8Array }
	| { readonly kind: "leftOut"; readonly digest: string };

/** How much of each kind a bundle holds. */
export interface BundleCounts {
	events: number;
	seals: number;
	checkpoints: number;
	contents: number;
	/** of the contents */
	bytes: number;
	/** contents that were left out */
	leftOut: number;
}

/** Bytes that one deflated byte may stand for: no more than zlib can make of it. */
const MOST_INFLATED = 1032;

/** Checks the records of a bundle one after the other, and takes out what they hold. */
export class BundleCheck {
	readonly counts: BundleCounts = { events: 0, seals: 0, checkpoints: 0, contents: 0, bytes: 0, leftOut: 0 };
	readonly #header: BundleHeader;
	readonly #damage: Damage[] = [];
	readonly #chains: BundledChain[] = [];
	/** digests of the contents so far */
	readonly #seen = new Set<string>();
	/** whether events may still come: contents follow all of them */
	#isInEvents = true;
	#wasEvent = false;
	#hasEnded = false;

	constructor(header: BundleHeader) {
		this.#header = header;
	}

	/** Everything found wrong so far; the fault of a stream once the next begins, or `end` was said. */
	get damage(): readonly Damage[] {
		return this.#damage;
	}

	/** Takes a record; gives what it holds, nothing where that is not what was written. */
	take({ kind, bytes }: BundleRecord): readonly BundledItem[] {
		const wasEvent = this.#wasEvent;
		this.#wasEvent = kind === "e";
		switch (kind) {
			case "s":
				return this.#begin(bytes);
			case "e":
				return this.#event(bytes);
			case "p":
				return this.#seal(bytes, wasEvent);
			case "c":
				return this.#checkpoint(bytes);
			case "b":
				this.#isInEvents = false;
				return this.#contents(bytes);
			case "d":
				this.#isInEvents = false;
				return this.#leftOut(bytes);
			case "z":
				return [];
			default:
				return kind satisfies never;
		}
	}

	/** Says that no more comes: that was all, or the rest could not be read, because of `cut`. */
	end(cut?: BundleError): void {
		if (this.#hasEnded) return;
		this.#hasEnded = true;
		this.#endStream(this.#isInEvents ? cut : undefined);
		for (const { stream, version } of this.#header.streams.slice(this.#chains.length)) {
			const what = `event 0 of ${stream} is missing: ${version} events were written`;
			if (version > 0) this.#damage.push({ part: "event", stream, position: 0, what });
		}
		// what is wrong with the file as a whole says no more than what is wrong in it
		if (cut && this.#damage.length === 0) this.#damage.push({ part: "files", what: cut.message });
	}

	#endStream(cut?: BundleError): void {
		const fault = this.#chains.at(-1)?.fault(cut);
		if (fault) this.#damage.push(fault);
	}

	#begin(bytes: Buffer): readonly BundledItem[] {
		this.#endStream();
		const stream = this.#header.streams[this.#chains.length];
		const name = bytes.toString("utf8");
		if (!this.#isInEvents || !stream || stream.stream !== name) {
			const what = `a stream ${JSON.stringify(name)} begins that the header does not name there`;
			this.#damage.push({ part: "head", what });
		}
		this.#chains.push(new BundledChain(stream ?? { stream: name, version: 0, hash: "" }));
		return [];
	}

	#event(value: Buffer): readonly BundledItem[] {
		const chain = this.#chains.at(-1);
		if (!chain || !this.#isInEvents) {
			this.#damage.push({ part: "event", what: "an event stands where none belongs" });
			return [];
		}
		const position = chain.version;
		chain.take(value);
		this.counts.events++;
		return [{ kind: "event", stream: this.#chains.length - 1, position, value }];
	}

	#seal(value: Buffer, isBehindEvent: boolean): readonly BundledItem[] {
		const chain = this.#chains.at(-1);
		if (!chain || !isBehindEvent) {
			this.#damage.push({ part: "event", what: "a seal stands where no event is before it" });
			return [];
		}
		if (value.length !== SEAL_BYTES) {
			const position = chain.version - 1;
			const what = `the seal of event ${position} of ${chain.name} is not what was written`;
			this.#damage.push({ part: "event", stream: chain.name, position, what });
			return [];
		}
		this.counts.seals++;
		return [{ kind: "seal", stream: this.#chains.length - 1, position: chain.version - 1, value }];
	}

	#checkpoint(bytes: Buffer): readonly BundledItem[] {
		const chain = this.#chains.at(-1);
		const value =
			bytes.length > PLACE_BYTES
				? inflated(bytes.subarray(PLACE_BYTES), bytes.length * MOST_INFLATED)
				: undefined;
		const place = bytes.length > PLACE_BYTES ? decodePlace(bytes) : undefined;
		if (!chain || !place || !value || place.covers > chain.named || !decodeCheckpoint(value)) {
			const what = `a checkpoint of ${chain?.name ?? "no stream"} is not what was written`;
			this.#damage.push({ part: "checkpoint", what, ...(chain && { stream: chain.name }) });
			return [];
		}
		this.counts.checkpoints++;
		return [{ kind: "checkpoint", stream: this.#chains.length - 1, place, value }];
	}

	#contents(bytes: Buffer): readonly BundledItem[] {
		const count = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
		const start = 4 + count * (DIGEST_BYTES + 4);
		if (count === 0 || start > bytes.length) {
			this.#damage.push({ part: "blob", what: "contents are not what was written" });
			return [];
		}
		const table = Array.from({ length: count }, (_, index) => {
			const at = 4 + index * (DIGEST_BYTES + 4);
			return {
				digest: bytes.toString("hex", at, at + DIGEST_BYTES),
				length: bytes.readUInt32BE(at + DIGEST_BYTES),
			};
		});
		let total = 0;
		for (const { length } of table) total += length;
		const most = count === 1 ? MOST_RECORD_BYTES : MOST_TOGETHER_BYTES;
		const whole = total > most ? undefined : inflated(bytes.subarray(start), total);
		let at = 0;
		return table.flatMap(({ digest, length }) => {
			const content = whole?.subarray(at, at + length);
			at += length;
			if (content?.length !== length || sha256Node(content) !== digest) {
				this.#damage.push({ part: "blob", digest, what: `the content ${digest} is not what was written` });
				return [];
			}
			if (this.#seen.has(digest)) {
				this.#damage.push({ part: "blob", digest, what: `the content ${digest} stands there twice` });
				return [];
			}
			this.#seen.add(digest);
			this.counts.contents++;
			this.counts.bytes += length;
			return [{ kind: "content" as const, digest, bytes: content }];
		});
	}

	#leftOut(bytes: Buffer): readonly BundledItem[] {
		if (bytes.length % DIGEST_BYTES !== 0 || !this.#header.redacted) {
			this.#damage.push({
				part: "blob",
				what: "the list of contents that were left out is not what was written",
			});
			return [];
		}
		return Array.from({ length: bytes.length / DIGEST_BYTES }, (_, index) => {
			this.counts.leftOut++;
			const at = index * DIGEST_BYTES;
			return { kind: "leftOut", digest: bytes.toString("hex", at, at + DIGEST_BYTES) };
		});
	}
}

/** Deflated bytes as they were, at most so many; `undefined` where they are not what was written. */
function inflated(bytes: Uint8Array, most: number): Buffer | undefined {
	if (most > (bytes.length + 16) * MOST_INFLATED) return undefined;
	try {
		return inflateSync(bytes, { maxOutputLength: Math.max(1, Math.min(most, MOST_RECORD_BYTES)) });
	} catch {
		return undefined;
	}
}
