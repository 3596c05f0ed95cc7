const BUCKETS = 256;

/**
 * A wide table in a reducer's state: many small maps, so that a draft copies one of them and not the table.
 * Keys are foreign ids and may be any string.
 */
export type Buckets<V> = readonly ReadonlyMap<string, V>[];

/** A bucketed table as a reducer may change it. */
export type MutableBuckets<V> = Map<string, V>[];

/** An empty table. */
export function buckets<V>(): Buckets<V> {
	return Array.from({ length: BUCKETS }, () => new Map<string, V>());
}

/** The value of a key, if there is one. */
export function lookUp<V>(table: Buckets<V>, key: string): V | undefined {
	return table[bucketOf(key)]?.get(key);
}

/** Puts a value under a key. */
export function put<V>(table: MutableBuckets<V>, key: string, value: V): void {
	table[bucketOf(key)]?.set(key, value);
}

function bucketOf(key: string): number {
	let hash = 0;
	for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
	return (hash & 0x7fffffff) % BUCKETS;
}
