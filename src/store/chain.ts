import { StoreError } from "./errors.ts";
import { previousOf } from "./event-codec.ts";
import type { Sha256 } from "./hash.ts";
import { genesis, type HeadRecord } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import { eventKey, eventRange } from "./keys.ts";

/** A stream as its reader finds it: its number in the keys and its head. */
export interface StreamPlace extends HeadRecord {
	readonly number: number;
}

/** A run of events that are vouched for: each hash is repeated by the event behind it, or by the head. */
export interface ChainRun {
	/** position of the first */
	readonly first: number;
	/** values as stored */
	readonly values: readonly Uint8Array[];
	/** hex SHA-256 of each value */
	readonly hashes: readonly string[];
}

/** Which part of a stream is read, and by what hash. */
export interface ChainRange {
	readonly from: number;
	/** not included */
	readonly to: number;
	readonly hash: Sha256;
	/** events a run holds at most */
	readonly chunk?: number;
}

/**
 * Reads stored events in order, verified as they come. An event is handed over once something behind it has vouched
 * for its hash: an event's own bytes say nothing of themselves. Throws `STORE_CHAIN_BROKEN` at the first break, after
 * everything before it was handed over; `detail.position` names the event at fault, `detail.verified` counts those
 * that are vouched for.
 */
export async function* readChain(
	kv: KeyValue,
	stream: StreamPlace,
	{ from, to, hash, chunk = 1000 }: ChainRange,
): AsyncGenerator<ChainRun> {
	if (from >= to) return;
	let expected = from === 0 ? genesis(stream.name) : hashAt(kv, stream, from - 1, hash);
	let held: { value: Uint8Array; hash: string } | undefined;
	let position = from;
	for await (const found of kv.values(eventRange(stream.number, from, to), { chunk })) {
		const values: Uint8Array[] = held ? [held.value] : [];
		const hashes: string[] = held ? [held.hash] : [];
		const first = position - values.length;
		for (const value of found) {
			if (previousOf(value) !== expected) {
				const vouched = Math.max(0, values.length - 1);
				yield { first, values: values.slice(0, vouched), hashes: hashes.slice(0, vouched) };
				throw broken(kv, stream, position, hash);
			}
			expected = hash(value);
			values.push(value);
			hashes.push(expected);
			position++;
		}
		held = { value: values.pop() as Uint8Array, hash: hashes.pop() as string };
		if (values.length > 0) yield { first, values, hashes };
	}
	if (position < to || expected !== hashBefore(kv, stream, to)) throw broken(kv, stream, position, hash);
	if (held) yield { first: to - 1, values: [held.value], hashes: [held.hash] };
}

/** The hash that whatever stands at a position says the event before it has; `undefined` if nothing stands there. */
export function hashBefore(kv: KeyValue, stream: StreamPlace, position: number): string | undefined {
	if (position === stream.version) return stream.hash;
	const next = kv.get(eventKey(stream.number, position));
	return next && previousOf(next);
}

function hashAt(kv: KeyValue, stream: StreamPlace, position: number, hash: Sha256): string {
	const value = kv.get(eventKey(stream.number, position));
	return value ? hash(value) : "";
}

/**
 * The error for a link that does not hold between positions `at - 1` and `at`. Either side may be to blame: where the
 * link behind `at` holds, `at` is whole and the fault lies before it; where both fail, it is `at` itself.
 */
function broken(kv: KeyValue, stream: StreamPlace, at: number, hash: Sha256): StoreError {
	const value = kv.get(eventKey(stream.number, at));
	const verified = Math.max(0, at - 1);
	const fault = (position: number, what: string) =>
		new StoreError(
			"STORE_CHAIN_BROKEN",
			`event ${position} of ${stream.name} ${what}; ${verified} of ${stream.version} events are vouched for`,
			{ stream: stream.name, position, verified },
		);
	if (at >= stream.version) return fault(stream.version - 1, "was changed");
	if (!value) return fault(at, "is missing");
	const before = at > 0 ? kv.get(eventKey(stream.number, at - 1)) : undefined;
	if (before && Buffer.compare(before, value) === 0) return fault(at, "repeats the one before it");
	if (at === 0) return fault(0, "was changed, or belongs elsewhere");
	if (hash(value) !== hashBefore(kv, stream, at + 1)) return fault(at, "was changed, or belongs elsewhere");
	const last = kv.get(eventKey(stream.number, stream.version - 1));
	if (!last) return fault(at, "was taken out, and those behind it moved up");
	return fault(at - 1, "was changed, or one behind it was taken out");
}
