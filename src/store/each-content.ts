import { StoreError } from "./errors.ts";
import type { KeyValue } from "./key-value.ts";
import { allOf, contentKey, parseBlobKey, parseContentKey, readPosition } from "./keys.ts";

/** Stored content, as it lies in the database. */
export interface LyingContent {
	/** hex SHA-256 it is stored as; absent where nothing refers to it */
	readonly digest?: string;
	/** absent where the database has it and cannot read it */
	readonly bytes?: Uint8Array;
}

/**
 * All content in the order it came in, so many at a time. Where a stretch of the database cannot be read, what is behind
 * that is looked at one by one. Throws `STORE_UNAVAILABLE`, and `STORE_DAMAGED` where it cannot be told what there is.
 */
export async function* eachContent(kv: KeyValue, chunk: number): AsyncGenerator<LyingContent> {
	const digests = new Map<number, string>();
	for await (const entries of kv.entries(allOf("b"))) {
		for (const [key, place] of entries) digests.set(readPosition(Buffer.from(place), 0), parseBlobKey(key));
	}
	let last = -1;
	try {
		for await (const entries of kv.entries(allOf("d"), { chunk })) {
			for (const [key, bytes] of entries) {
				const sequence = parseContentKey(key);
				const digest = digests.get(sequence);
				yield { ...(digest !== undefined && { digest }), bytes };
				last = sequence;
			}
		}
	} catch (error) {
		if (!isDamage(error)) throw error;
		const behind = [...digests].filter(([sequence]) => sequence > last).sort(([a], [b]) => a - b);
		for (const [sequence, digest] of behind) {
			const found = readOne(kv, sequence);
			if (found !== "missing") yield { digest, ...(found && { bytes: found }) };
		}
	}
}

function readOne(kv: KeyValue, sequence: number): Uint8Array | "missing" | undefined {
	try {
		return kv.get(contentKey(sequence)) ?? "missing";
	} catch (error) {
		if (!isDamage(error)) throw error;
		return undefined;
	}
}

function isDamage(error: unknown): boolean {
	return error instanceof StoreError && error.code === "STORE_DAMAGED";
}
