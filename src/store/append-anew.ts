import type { Actor, Recorded } from "../../events/envelope.ts";
import { EventError, type Registry } from "../../events/registry.ts";
import { decodeRaw, encodeEvent, previousOf, type RawEvent } from "./event-codec.ts";
import { sha256Node } from "./hash.ts";
import { genesis, type Head } from "./head.ts";
import type { Damage, Store } from "./store.ts";

/** What came of appending a stream's events once more, to nothing. */
export interface AppendedAnew {
	/** where the new stream ends */
	readonly head: Head;
	/** events that were decoded and encoded again */
	readonly encoded: number;
	/** events of an older schema or an unknown type: their bytes were taken as they are */
	readonly taken: number;
	/** the first event that came out as other bytes; the new stream ends before it */
	readonly fault?: Damage;
}

/**
 * Appends the events of a stream to an empty one, as their writer did: each is decoded, encoded behind the hash of the one
 * before it and hashed. Nothing is kept. O(events).
 */
export function appendAnew(
	store: Pick<Store, "head" | "sealed">,
	stream: string,
	registry: Registry,
	onProgress: (done: number) => void = () => {},
): AppendedAnew {
	const { version } = store.head(stream);
	let head: Head = { version: 0, hash: genesis(stream) };
	let encoded = 0;
	for (let position = 0; position < version; position++) {
		const stored = store.sealed(stream, position)?.stored ?? new Uint8Array(32);
		const raw = decodeRaw(stream, position, stored, "");
		const again = encodedAgain(registry, raw, head.hash);
		const isSame = again ? Buffer.compare(again, stored) === 0 : previousOf(stored) === head.hash;
		if (!isSame) {
			const what = `event ${position} of ${stream} is not what this release writes for it`;
			return { head, encoded, taken: position - encoded, fault: { part: "event", stream, position, what } };
		}
		if (again) encoded++;
		head = { version: position + 1, hash: sha256Node(again ?? stored) };
		if (position % 1000 === 999) onProgress(position + 1);
	}
	return { head, encoded, taken: version - encoded };
}

/** An event's bytes behind another; `undefined` where this release writes it otherwise, or not at all. */
function encodedAgain(registry: Registry, raw: RawEvent, previous: string): Buffer | undefined {
	const { type, v, at, actor, cause, node, data } = raw;
	if (registry.get(type)?.v !== v) return undefined;
	const recorded: Recorded = {
		event: { type, data },
		at,
		actor: actor as Actor,
		...(cause !== undefined && { cause }),
		...(node !== undefined && { node }),
	};
	try {
		return encodeEvent(registry, recorded, previous);
	} catch (error) {
		if (error instanceof EventError) return undefined;
		throw error;
	}
}
