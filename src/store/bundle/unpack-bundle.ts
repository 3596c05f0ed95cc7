import { rm } from "node:fs/promises";
import { checkpointKey, decodeCheckpoint, nameDigest } from "../checkpoint.ts";
import { encodeHead } from "../head.ts";
import type { WriteBatch } from "../key-value.ts";
import { blobKey, contentKey, eventKey, FORMAT, FORMAT_KEY, headKey, sealKey } from "../keys.ts";
import { openLevel } from "../level-key-value.ts";
import { makeDirectory, PRIVATE } from "../make-directory.ts";
import { levelDirectory } from "../open-store.ts";
import { Witness } from "../witness.ts";
import type { BundledItem } from "./bundle-check.ts";
import { BundleError } from "./bundle-error.ts";
import type { BundleHeader } from "./bundle-format.ts";
import { type BundleRead, readBundle } from "./read-bundle.ts";

/** A bundle and where it is to be unpacked. */
export interface UnpackOptions {
	readonly file: string;
	/** a folder for the store; it must not exist */
	readonly to: string;
	/** told now and then how many bytes of the file were read */
	readonly onProgress?: (bytes: number) => void;
}

/** What a bundle held. Where something is wrong with it there is no store in the folder. */
export interface Unpacked extends BundleRead {
	/** digests of the contents that were left out of a redacted bundle */
	readonly leftOut: ReadonlySet<string>;
}

/** Makes a store of a bundle, checked on the way. Throws as {@link readBundle} does. */
export async function unpackBundle({ file, to, onProgress = () => {} }: UnpackOptions): Promise<Unpacked> {
	const leftOut = new Set<string>();
	makeDirectory(to, PRIVATE);
	const kv = await openLevel(levelDirectory(to), { create: true });
	let read: BundleRead;
	try {
		let batch = kv.batch();
		let contents = 0;
		read = await readBundle(file, {
			take: (item) => {
				if (item.kind === "leftOut") leftOut.add(item.digest);
				else if (item.kind === "content") putContent(batch, item, contents++);
				else putOfStream(batch, item);
			},
			pause: async (bytes) => {
				await batch.write(false);
				batch = kv.batch();
				onProgress(bytes);
			},
		});
		putHeads(batch, read.header);
		await batch.write(false);
	} finally {
		await kv.close();
	}
	if (read.damage.length > 0) await rm(to, { recursive: true, force: true });
	else await witness(to, read.header);
	return { ...read, leftOut };
}

/**
 * Makes a store of a bundle in which nothing is wrong. Throws as {@link readBundle} does, and `BUNDLE_DAMAGED` or
 * `BUNDLE_TRUNCATED` for what that finds.
 */
export async function unpackWhole(options: UnpackOptions): Promise<Unpacked> {
	const unpacked = await unpackBundle(options);
	const [first] = unpacked.damage;
	if (!first) return unpacked;
	const { code } = unpacked.cut ?? { code: "BUNDLE_DAMAGED" };
	throw new BundleError(code, `${options.file}: ${first.what}; palimpsest verify tells all that is wrong`);
}

function putContent(
	batch: WriteBatch,
	{ digest, bytes }: Extract<BundledItem, { kind: "content" }>,
	sequence: number,
): void {
	const key = contentKey(sequence);
	batch.put(blobKey(digest), Buffer.from(key.subarray(1)));
	batch.put(key, bytes);
}

function putOfStream(
	batch: WriteBatch,
	item: Extract<BundledItem, { kind: "event" | "seal" | "checkpoint" }>,
): void {
	switch (item.kind) {
		case "event":
			batch.put(eventKey(item.stream, item.position), item.value);
			return;
		case "seal":
			batch.put(sealKey(item.stream, item.position), item.value);
			return;
		case "checkpoint": {
			const name = nameDigest(decodeCheckpoint(item.value)?.name ?? "");
			batch.put(checkpointKey({ stream: item.stream, name, ...item.place }), item.value);
			return;
		}
		default:
			item satisfies never;
	}
}

function putHeads(batch: WriteBatch, { streams }: BundleHeader): void {
	for (const [number, { stream: name, version, hash }] of streams.entries())
		batch.put(headKey(number), encodeHead({ name, version, hash }));
	batch.put(FORMAT_KEY, Buffer.from([FORMAT]));
}

async function witness(directory: string, { streams }: BundleHeader): Promise<void> {
	const file = await Witness.open(directory);
	try {
		await file.record(streams.map(({ version, hash }, number) => [number, { version, hash }] as const));
	} finally {
		await file.close();
	}
}
