import { StoreError } from "./errors.ts";
import { sha256Node } from "./hash.ts";
import type { KeyValue, WriteBatch } from "./key-value.ts";
import { blobKey, type KeyRange } from "./keys.ts";
import type { AppendOptions } from "./store.ts";

/** Content by its digest: in the database, or on its way there. */
export class Blobs {
	readonly #kv: KeyValue;
	readonly #unwritten = new Map<string, Uint8Array | "shredded">();

	constructor(kv: KeyValue) {
		this.#kv = kv;
	}

	/** Content by its digest, checked; throws `STORE_BLOB_DAMAGED`. */
	get(digest: string): Uint8Array | undefined {
		const unwritten = this.#unwritten.get(digest);
		if (unwritten) return unwritten === "shredded" ? undefined : unwritten;
		const bytes = this.#stored(digest);
		if (bytes && sha256Node(bytes) !== digest) {
			throw new StoreError("STORE_BLOB_DAMAGED", `the content stored as ${digest} is not that content`);
		}
		return bytes;
	}

	/** Whether content with this digest is there. */
	has(digest: string): boolean {
		const unwritten = this.#unwritten.get(digest);
		return unwritten ? unwritten !== "shredded" : this.#stored(digest) !== undefined;
	}

	/** Puts new content into a batch and takes shredded content out; call what it returns once that is written. */
	stage(batch: WriteBatch, { blobs = [], shred = [] }: AppendOptions): () => void {
		const staged = new Map<string, Uint8Array | "shredded">();
		for (const { digest, bytes } of blobs) {
			if (this.has(digest)) continue;
			batch.put(blobKey(digest), bytes);
			staged.set(digest, bytes);
			this.#unwritten.set(digest, bytes);
		}
		for (const digest of shred) {
			batch.del(blobKey(digest));
			staged.set(digest, "shredded");
			this.#unwritten.set(digest, "shredded");
		}
		return () => {
			for (const [digest, bytes] of staged) {
				// a later append may have put it back or taken it out again
				if (this.#unwritten.get(digest) === bytes) this.#unwritten.delete(digest);
			}
		};
	}

	#stored(digest: string): Uint8Array | undefined {
		return /^[0-9a-f]{64}$/.test(digest) ? this.#kv.get(blobKey(digest)) : undefined;
	}
}

/** Throws a `TypeError` where content does not have the digest it is given under. */
export function assertContent({ blobs = [], shred = [] }: AppendOptions): void {
	for (const { digest, bytes } of blobs) {
		if (sha256Node(bytes) !== digest)
			throw new TypeError(`the bytes given as ${digest} have another SHA-256`);
	}
	for (const digest of shred) {
		if (!/^[0-9a-f]{64}$/.test(digest)) throw new TypeError(`${digest} is no SHA-256`);
	}
}

/** The key range that holds one blob and nothing else. */
export function onlyBlob(digest: string): KeyRange {
	const key = blobKey(digest);
	return { gte: key, lt: Buffer.concat([key, Buffer.from([0])]) };
}
