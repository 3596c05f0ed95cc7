import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { readChain, type StreamPlace } from "../chain.ts";
import { parseCheckpointKey } from "../checkpoint.ts";
import { eachContent } from "../each-content.ts";
import { StoreError } from "../errors.ts";
import { sha256Node } from "../hash.ts";
import type { KeyValue } from "../key-value.ts";
import { allOf, FORMAT, sealKey } from "../keys.ts";

import {
	type BundledStream,
	DIGEST_BYTES,
	encodeOpening,
	encodePlace,
	type RecordKind,
	recordHead,
} from "./bundle-format.ts";

/** What goes into a bundle. */
export interface BundleOptions {
	/** the streams, each up to where it is vouched for, as a verification gives them */
	readonly streams: readonly BundledStream[];
	/** leave all content out */
	readonly redact?: boolean;
	/** the store is damaged: digests of content that is not what was written, and is left out */
	readonly damaged?: ReadonlySet<string>;
}

/** Bytes handed over at a time, and content deflated together. */
const PIECE_BYTES = 256 << 10;

/**
 * A store as a bundle, in pieces: {@link import("./bundle-format.ts")}. The same store gives the same bytes. Index rows
 * are left out, since they are made again from the events. Throws `STORE_CHAIN_BROKEN` and `STORE_BLOB_DAMAGED` where
 * something is not what was written.
 */
export async function* bundlePieces(
	kv: KeyValue,
	places: readonly StreamPlace[],
	{ streams, redact = false, damaged }: BundleOptions,
): AsyncGenerator<Uint8Array> {
	const hash = createHash("sha256");
	let pending: Uint8Array[] = [];
	let bytes = 0;
	const put = (...parts: readonly Uint8Array[]) => {
		for (const part of parts) {
			hash.update(part);
			pending.push(part);
			bytes += part.length;
		}
	};
	const record = (kind: RecordKind, ...parts: readonly Uint8Array[]) => {
		let length = 0;
		for (const part of parts) length += part.length;
		put(recordHead(kind, length), ...parts);
	};
	function* full(least = PIECE_BYTES): Generator<Uint8Array> {
		if (bytes < least) return;
		yield Buffer.concat(pending);
		pending = [];
		bytes = 0;
	}

	put(encodeOpening({ format: FORMAT, streams, redacted: redact, partial: damaged !== undefined }));
	for (const { stream, version, hash } of streams) {
		const place = places.find(({ name }) => name === stream);
		if (!place) continue;
		record("s", Buffer.from(stream));
		const range = { from: 0, to: version, hash: sha256Node, chunk: 500 };
		for await (const { first, values } of readChain(kv, { ...place, version, hash }, range)) {
			for (const [index, value] of values.entries()) {
				record("e", value);
				const seal = kv.get(sealKey(place.number, first + index));
				if (seal) record("p", seal);
			}
			yield* full();
		}
		for await (const [key, value] of checkpointsOf(kv, place.number, version)) {
			record("c", encodePlace(parseCheckpointKey(key)), deflateSync(value));
			yield* full();
		}
	}
	for await (const block of contentBlocks(kv, damaged ?? new Set())) {
		if (redact) record("d", ...block.map(({ digest }) => Buffer.from(digest, "hex")));
		else record("b", ...contentParts(block));
		yield* full();
	}
	const digest = hash.digest();
	pending.push(recordHead("z", DIGEST_BYTES), digest);
	bytes += digest.length;
	yield* full(0);
}

interface KeptContent {
	readonly digest: string;
	readonly bytes: Uint8Array;
}

function contentParts(block: readonly KeptContent[]): Uint8Array[] {
	const table = Buffer.alloc(4 + block.length * (DIGEST_BYTES + 4));
	table.writeUInt32BE(block.length, 0);
	for (const [index, { digest, bytes }] of block.entries()) {
		const at = 4 + index * (DIGEST_BYTES + 4);
		table.write(digest, at, DIGEST_BYTES, "hex");
		table.writeUInt32BE(bytes.length, at + DIGEST_BYTES);
	}
	return [table, deflateSync(Buffer.concat(block.map(({ bytes }) => bytes)))];
}

async function* checkpointsOf(
	kv: KeyValue,
	stream: number,
	version: number,
): AsyncGenerator<[Uint8Array, Uint8Array]> {
	for await (const chunk of kv.entries(allOf("c"), { chunk: 4 })) {
		for (const [key, value] of chunk) {
			const { stream: number, covers } = parseCheckpointKey(key);
			if (number === stream && covers <= version) yield [key, value];
		}
	}
}

/** Content in the order it came in, which keeps what is alike together, in blocks. */
async function* contentBlocks(
	kv: KeyValue,
	damaged: ReadonlySet<string>,
): AsyncGenerator<readonly KeptContent[]> {
	let block: KeptContent[] = [];
	let size = 0;
	for await (const { digest, bytes } of eachContent(kv, 50)) {
		if (digest === undefined || damaged.has(digest)) continue;
		if (!bytes || sha256Node(bytes) !== digest)
			throw new StoreError("STORE_BLOB_DAMAGED", `the content stored as ${digest} is not that content`);
		if (size > 0 && size + bytes.length > PIECE_BYTES) {
			yield block;
			block = [];
			size = 0;
		}
		block.push({ digest, bytes });
		size += bytes.length;
	}
	if (block.length > 0) yield block;
}
