import type { Proof } from "../../../projections/memory/record.ts";
import type { Seal, SealedEvent, Sealer } from "../../store/seal.ts";
import { Keyring } from "./keyring.ts";

/**
 * The keyring as far as it can be had: where it cannot, nothing is proved, and whoever signs is told why.
 */
export class Keys implements Sealer {
	/** where the keyring lies */
	readonly path: string;
	#keyring: Keyring | undefined;
	#trouble: Error | undefined;
	#isBegun = false;
	#isTold = false;

	/** Takes the keyring at a path, which is read when it is first needed. */
	constructor(path: string) {
		this.path = path;
	}

	/** Why nothing can be proved or signed, if so. */
	get trouble(): Error | undefined {
		return this.#trouble;
	}

	/** Whether there is no key, as far as one was looked for. */
	get hasNone(): boolean {
		return this.#keyring?.size === 0;
	}

	/** Whether the first key was made here. */
	get isBegun(): boolean {
		return this.#isBegun;
	}

	/** That others could read the keyring, in words, if so; it is told once. */
	takeExposure(): string | undefined {
		if (this.#keyring?.wasExposed !== true || this.#isTold) return undefined;
		this.#isTold = true;
		return `${this.path} could be read by others, and is yours alone now; whoever read it can sign as you`;
	}

	/** Signs for the user; throws a `KeyringError`. */
	seal(stream: string, stored: Uint8Array): Seal {
		const keyring = this.#open();
		const isFirst = keyring.size === 0;
		const seal = keyring.seal(stream, stored);
		this.#isBegun ||= isFirst;
		return seal;
	}

	/** What can be said of an event by its seal. */
	check(stream: string, sealed: SealedEvent): Proof {
		try {
			const proof = this.#open().check(stream, sealed);
			this.#trouble = undefined;
			return proof;
		} catch (error) {
			this.#trouble = error as Error;
			return "unverified";
		}
	}

	#open(): Keyring {
		this.#keyring ??= Keyring.open(this.path);
		return this.#keyring;
	}
}
