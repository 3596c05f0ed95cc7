import type { KeyRange } from "./keys.ts";

/** Writes that become visible together, or not at all. */
export interface WriteBatch {
	put(key: Uint8Array, value: Uint8Array): void;
	del(key: Uint8Array): void;
	/** Writes the batch; `sync` waits until the disk has it. A batch is written once. */
	write(sync: boolean): Promise<void>;
}

/** How much a scan hands over at a time, and in which order. */
export interface ScanOptions {
	/** items a chunk holds at most; 1000 by default. 250 keeps one chunk of events below a millisecond */
	readonly chunk?: number;
	/** items the whole scan gives at most; all of them below 0, as by default */
	readonly limit?: number;
	readonly reverse?: boolean;
}

/** An ordered map of bytes to bytes: what the store needs of a database, and all it knows of one. */
export interface KeyValue {
	/** the value at a key, at once */
	get(key: Uint8Array): Uint8Array | undefined;
	batch(): WriteBatch;
	/** keys and values of a range as it stands now, in chunks */
	entries(range: KeyRange, options?: ScanOptions): AsyncIterable<[Uint8Array, Uint8Array][]>;
	/** keys of a range as it stands now, in chunks */
	keys(range: KeyRange, options?: ScanOptions): AsyncIterable<Uint8Array[]>;
	/** values of a range as it stands now, in chunks; cheaper than entries by a Buffer each */
	values(range: KeyRange, options?: ScanOptions): AsyncIterable<Uint8Array[]>;
	/** Frees what deleted and overwritten values still occupy. */
	compact(range: KeyRange): Promise<void>;
	close(): Promise<void>;
}
