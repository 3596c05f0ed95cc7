import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KeyValue } from "../store/key-value.ts";
import { allOf } from "../store/keys.ts";
import { openDatabase } from "../store/open-store.ts";

/** How many records of a kind a store holds, and their bytes before compression, keys included. */
interface PartSize {
	readonly records: number;
	readonly bytes: number;
}

/** What a store takes, by part. */
export interface StoreSizes {
	readonly events: PartSize;
	readonly heads: PartSize;
	/** content, with the digests it is found by */
	readonly blobs: PartSize;
	readonly checkpoints: PartSize;
	readonly rows: PartSize;
	/** bytes of all of the above */
	readonly raw: number;
	/** bytes of the files in the store's folder, those kept aside included */
	readonly disk: number;
	/** bytes of the files of its database alone */
	readonly database: number;
}

/** Measures a store that nobody has open. Throws what `openDatabase` throws. */
export async function storeSizes(directory: string): Promise<StoreSizes> {
	const kv = await openDatabase(directory, false);
	try {
		const events = await sizeOf(kv, "e");
		const heads = await sizeOf(kv, "h");
		const content = await sizeOf(kv, "d");
		const digests = await sizeOf(kv, "b");
		const blobs = { records: content.records, bytes: content.bytes + digests.bytes };
		const checkpoints = await sizeOf(kv, "c");
		const rows = await sizeOf(kv, "r");
		const parts = { events, heads, blobs, checkpoints, rows };
		let raw = 0;
		for (const { bytes } of Object.values(parts)) raw += bytes;
		const database = await bytesIn(join(directory, "level"));
		return { ...parts, raw, disk: await bytesIn(directory), database };
	} finally {
		await kv.close();
	}
}

async function sizeOf(kv: KeyValue, kind: Parameters<typeof allOf>[0]): Promise<PartSize> {
	let records = 0;
	let bytes = 0;
	for await (const chunk of kv.entries(allOf(kind), { chunk: 100 })) {
		records += chunk.length;
		for (const [key, value] of chunk) bytes += key.length + value.length;
	}
	return { records, bytes };
}

/** Bytes of the files in a folder; one that goes meanwhile counts nothing. Throws what the system says of the folder. */
export async function bytesIn(directory: string): Promise<number> {
	let bytes = 0;
	for (const file of await readdir(directory, { recursive: true, withFileTypes: true })) {
		if (!file.isFile()) continue;
		bytes += await stat(join(file.parentPath, file.name)).then(
			({ size }) => size,
			() => 0,
		);
	}
	return bytes;
}
