import type { KeyValue, WriteBatch } from "./key-value.ts";
import { type KeyRange, rowKey } from "./keys.ts";
import { purge } from "./purge.ts";
import type { RowChanges } from "./store.ts";

/** Puts changes of index rows into a batch. */
export function putRows(batch: WriteBatch, { put = [], del = [] }: RowChanges = {}): void {
	for (const key of del) batch.del(rowKey(key));
	for (const [key, value] of put) batch.put(rowKey(key), value);
}

/** Index rows of a range in order of their bytes, in runs; at most `limit` of them, all below 0. */
export async function* readRows(
	kv: KeyValue,
	{ gte, lt }: KeyRange,
	limit = -1,
): AsyncGenerator<(readonly [Uint8Array, Uint8Array])[]> {
	for await (const run of kv.entries({ gte: rowKey(gte), lt: rowKey(lt) }, { limit }))
		yield run.map(([key, value]) => [key.subarray(1), value]);
}

/** Drives rows that were removed out of the database's files, with whatever lies between them. */
export async function purgeRows(kv: KeyValue, removed: readonly Uint8Array[]): Promise<void> {
	const keys = removed.map(rowKey).sort(Buffer.compare);
	const [first, last] = [keys[0], keys.at(-1)];
	if (first && last) await purge(kv, keys, [{ gte: first, lt: Buffer.concat([last, Buffer.of(0)]) }]);
}
