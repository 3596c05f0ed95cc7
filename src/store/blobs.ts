import { StoreError } from "./errors.ts";
import { sha256Node } from "./hash.ts";
import type { KeyValue, WriteBatch } from "./key-value.ts";
import { allOf, blobKey, contentKey, parseContentKey, readPosition, writePosition } from "./keys.ts";
import { purge } from "./purge.ts";
import type { AppendOptions } from "./store.ts";

interface Unwritten {
	/** `undefined` for content on its way out */
	readonly bytes: Uint8Array | undefined;
	readonly sequence: number;
}

/** What an append changes about content. */
interface BlobChange {
	readonly put: readonly (readonly [Buffer, Uint8Array])[];
	/** written after `put` */
	readonly del: readonly Buffer[];
	/** sequence numbers for {@link Blobs.purge} */
	readonly shredded: readonly number[];
	settle(): void;
}

/** Content by its digest: in the database, or on its way there. */
export class Blobs {
	readonly #kv: KeyValue;
	readonly #unwritten = new Map<string, Unwritten>();
	#next: number;
	/** the sequence number of the content that was read last, and whether it stood right behind the one before */
	#read = -1;
	#isInOrder = false;

	/** `next`: the sequence number the next content takes. */
	constructor(kv: KeyValue, next: number) {
		this.#kv = kv;
		this.#next = next;
	}

	/** Content by its digest, checked; throws `STORE_BLOB_DAMAGED`. */
	get(digest: string): Uint8Array | undefined {
		const unwritten = this.#unwritten.get(digest);
		if (unwritten) return unwritten.bytes;
		// whoever reads content in the order it came in is spared looking up where it lies: its digest tells that it is it
		const next = this.#isInOrder ? this.#kv.get(contentKey(this.#read + 1)) : undefined;
		if (next && sha256Node(next) === digest) {
			this.#read += 1;
			return next;
		}
		const sequence = this.#sequence(digest);
		if (sequence === undefined) return undefined;
		this.#isInOrder = sequence === this.#read + 1;
		this.#read = sequence;
		const bytes = this.#kv.get(contentKey(sequence));
		if (bytes && sha256Node(bytes) === digest) return bytes;
		throw new StoreError(
			"STORE_BLOB_DAMAGED",
			`the content stored as ${digest} is ${bytes ? "not that content" : "missing"}`,
		);
	}

	/** Whether content with this digest is there. */
	has(digest: string): boolean {
		const unwritten = this.#unwritten.get(digest);
		return unwritten ? unwritten.bytes !== undefined : this.#sequence(digest) !== undefined;
	}

	/**
	 * Works out what new content adds and shredded content takes away, and shows it so from now on. Call `settle` once
	 * that is written, or was not.
	 */
	stage({ blobs = [], shred = [] }: AppendOptions): BlobChange {
		const put: [Buffer, Uint8Array][] = [];
		const del: Buffer[] = [];
		const shredded: number[] = [];
		const staged = new Map<string, Unwritten>();
		for (const { digest, bytes } of blobs) {
			if (staged.has(digest) || this.has(digest)) continue;
			const sequence = this.#next++;
			const place = Buffer.alloc(8);
			writePosition(place, sequence, 0);
			put.push([blobKey(digest), place], [contentKey(sequence), bytes]);
			staged.set(digest, { bytes, sequence });
		}
		for (const digest of shred) {
			const known = staged.get(digest) ?? this.#unwritten.get(digest);
			const sequence = known?.sequence ?? this.#sequence(digest);
			if (sequence === undefined) continue;
			del.push(blobKey(digest), contentKey(sequence));
			shredded.push(sequence);
			staged.set(digest, { bytes: undefined, sequence });
		}
		for (const [digest, change] of staged) this.#unwritten.set(digest, change);
		const settle = () => {
			for (const [digest, change] of staged) {
				// a later append may have put it back or taken it out again
				if (this.#unwritten.get(digest) === change) this.#unwritten.delete(digest);
			}
		};
		return { put, del, shredded, settle };
	}

	/** Drives shredded content out of the database's files: what lies near each other at once. */
	async purge(sequences: readonly number[]): Promise<void> {
		const ranges = nearEachOther(sequences).map((near) => ({
			gte: contentKey(near[0] as number),
			lt: contentKey((near.at(-1) as number) + 1),
		}));
		await purge(this.#kv, sequences.map(contentKey), ranges);
	}

	#sequence(digest: string): number | undefined {
		const place = /^[0-9a-f]{64}$/.test(digest) ? this.#kv.get(blobKey(digest)) : undefined;
		return place && readPosition(Buffer.from(place), 0);
	}
}

/** Puts what an append changes about content into a batch. */
export function putContent(batch: WriteBatch, { put, del }: Pick<BlobChange, "put" | "del">): void {
	for (const [key, value] of put) batch.put(key, value);
	for (const key of del) batch.del(key);
}

/** Throws a `TypeError` for content without the digest it is given under, and for rows that are no bytes. */
export function assertContent({
	blobs = [],
	shred = [],
	rows: { put = [], del = [] } = {},
}: AppendOptions): void {
	for (const bytes of [...put.flat(), ...del]) {
		if (!(bytes instanceof Uint8Array)) throw new TypeError("an index row's key and value are bytes");
	}
	for (const { digest, bytes } of blobs) {
		if (sha256Node(bytes) !== digest)
			throw new TypeError(`the bytes given as ${digest} have another SHA-256`);
	}
	for (const digest of shred) {
		if (!/^[0-9a-f]{64}$/.test(digest)) throw new TypeError(`${digest} is no SHA-256`);
	}
}

/** The sequence number the next content of a database takes. */
export async function nextSequence(kv: KeyValue): Promise<number> {
	for await (const keys of kv.keys(allOf("d"), { reverse: true, limit: 1 })) {
		for (const key of keys) return parseContentKey(key) + 1;
	}
	return 0;
}

/** Pieces of content between two that are driven out together: each stretch costs two merges, and all in it are merged. */
const NEAR = 256;

function nearEachOther(sequences: readonly number[]): number[][] {
	const stretches: number[][] = [];
	for (const sequence of [...sequences].sort((a, b) => a - b)) {
		const last = stretches.at(-1);
		if (last && sequence - (last.at(-1) ?? 0) <= NEAR) last.push(sequence);
		else stretches.push([sequence]);
	}
	return stretches;
}
