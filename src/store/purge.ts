import type { KeyValue } from "./key-value.ts";
import type { KeyRange } from "./keys.ts";

/**
 * Drives values that were deleted out of the database's files. LevelDB drops a value when it merges a deletion into the table
 * below. Written shortly after the value, the deletion goes into the same table and nothing is ever merged; so the first
 * pass brings both into tables, and the second merges another deletion into those. Each key is in one of the ranges.
 */
export async function purge(
	kv: KeyValue,
	keys: readonly Uint8Array[],
	ranges: readonly KeyRange[],
): Promise<void> {
	if (keys.length === 0) return;
	for (const range of ranges) await kv.compact(range);
	const again = kv.batch();
	for (const key of keys) again.del(key);
	await again.write(true);
	for (const range of ranges) await kv.compact(range);
}
