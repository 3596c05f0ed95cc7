import { EventError, type Registry } from "../../events/registry.ts";
import { hashBefore, readChain, type StreamPlace } from "./chain.ts";
import { StoreError } from "./errors.ts";
import { decodeRaw, type RawEvent, understand } from "./event-codec.ts";
import { sha256Node } from "./hash.ts";
import type { KeyValue } from "./key-value.ts";
import { eventKey } from "./keys.ts";
import type { Damage, ReadOptions, StoredEvent } from "./store.ts";

/** Reads events back: verified, decoded and brought to today's schema. */
export class Reader {
	/** what was found wrong, before and while reading */
	readonly damage: Damage[];
	readonly #kv: KeyValue;
	readonly #registry: Registry;

	constructor(kv: KeyValue, registry: Registry, damage: readonly Damage[]) {
		this.#kv = kv;
		this.#registry = registry;
		this.damage = [...damage];
	}

	/** Events in runs of up to `chunk`; throws as `Store.read` does. */
	async *runs(place: StreamPlace, options: ReadOptions): AsyncGenerator<readonly StoredEvent[]> {
		const { from = 0, to = Number.POSITIVE_INFINITY, chunk, onUnreadable } = options;
		const range = { from, to: Math.min(to, place.version), hash: sha256Node, ...(chunk && { chunk }) };
		try {
			for await (const { first, values, hashes } of readChain(this.#kv, place, range)) {
				const run: StoredEvent[] = [];
				for (let index = 0; index < values.length; index++) {
					const raw = decodeRaw(
						place.name,
						first + index,
						values[index] as Uint8Array,
						hashes[index] as string,
					);
					const event = this.#understand(raw, onUnreadable);
					if (event) run.push(event);
				}
				if (run.length > 0) yield run;
			}
		} catch (error) {
			this.#noteDamage(error);
			throw error;
		}
	}

	/** One event, vouched for by what stands behind it; throws as `Store.event` does. */
	event(place: StreamPlace, position: number): StoredEvent {
		try {
			return understand(this.#registry, this.#raw(place, position));
		} catch (error) {
			this.#noteDamage(error);
			throw error;
		}
	}

	#raw(place: StreamPlace, position: number): RawEvent {
		const { name, number } = place;
		const value = this.#kv.get(eventKey(number, position));
		const hash = value && sha256Node(value);
		if (value && hash === hashBefore(this.#kv, place, position + 1)) {
			return decodeRaw(name, position, value, hash as string);
		}
		throw new StoreError("STORE_CHAIN_BROKEN", `event ${position} of ${name} is not what it was`, {
			stream: name,
			position,
		});
	}

	#understand(raw: RawEvent, onUnreadable: ReadOptions["onUnreadable"]): StoredEvent | undefined {
		try {
			return understand(this.#registry, raw);
		} catch (error) {
			if (!(onUnreadable && error instanceof EventError)) throw error;
			onUnreadable(raw, error);
			return undefined;
		}
	}

	/** A break found while reading ends the writing: nothing may be built on it. */
	#noteDamage(error: unknown): void {
		if (!(error instanceof StoreError) || this.damage.some(({ what }) => what === error.message)) return;
		if (error.code !== "STORE_CHAIN_BROKEN" && error.code !== "STORE_DAMAGED") return;
		const { stream, position } = error.detail;
		this.damage.push({
			part: error.code === "STORE_DAMAGED" ? "files" : "event",
			what: error.message,
			...(stream !== undefined && { stream }),
			...(position !== undefined && { position }),
		});
	}
}
