import { createHash } from "node:crypto";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import type { Store, StoredContent } from "../../src/store/store.ts";
import { notes, registry } from "./note-events.ts";

/** Content of some text. */
export function contentOf(text: string): StoredContent {
	const bytes = Buffer.from(text);
	return { digest: sha256Node(bytes), bytes };
}

/** A store of two streams, with contents, seals and a checkpoint. */
export async function furnishedStore(): Promise<Store> {
	const store = openMemoryStore({ registry });
	const sealer = { seal: () => ({ key: "0123456789abcdef", tag: new Uint8Array(32).fill(7) }) };
	const blobs = [contentOf("the first text"), contentOf("the second text ".repeat(40))];
	await store.append("session/one", notes(5), 0, { blobs, sealer });
	const state = { seen: new Map([["a", 1]]) };
	await store.append("session/one", notes(4, 5), 5, { checkpoints: [{ name: "notes", version: 1, state }] });
	await store.append("memory/two", notes(3), 0, { blobs: [contentOf("a third")] });
	return store;
}

/** A store as a bundle. */
export async function bundleOf(
	store: Store,
	options: { readonly redact?: boolean; readonly damaged?: ReadonlySet<string> } = {},
): Promise<Buffer> {
	const streams = store.streams().map((stream) => ({ stream, ...store.head(stream) }));
	const pieces: Uint8Array[] = [];
	for await (const piece of store.bundle({ streams, ...options })) pieces.push(piece);
	return Buffer.concat(pieces);
}

/** A record of a bundle as it lies, and where. */
export interface Laid {
	readonly kind: string;
	readonly start: number;
	readonly bytes: Buffer;
}

/** The opening of a bundle and its records, the last left out, by the description of the format alone. */
export function takeApart(bundle: Buffer): { readonly opening: Buffer; readonly records: Laid[] } {
	const end = bundle.indexOf("\n", bundle.indexOf("\n") + 1) + 1;
	const records: Laid[] = [];
	for (let at = end; at < bundle.length; ) {
		const next = at + 5 + bundle.readUInt32BE(at + 1);
		records.push({ kind: String.fromCharCode(bundle[at] ?? 0), start: at, bytes: bundle.subarray(at, next) });
		at = next;
	}
	records.pop();
	return { opening: bundle.subarray(0, end), records };
}

/** A bundle of an opening and records, with the end that belongs to them. */
export function putTogether(opening: Buffer, records: readonly { readonly bytes: Buffer }[]): Buffer {
	const body = Buffer.concat([opening, ...records.map(({ bytes }) => bytes)]);
	const digest = createHash("sha256").update(body).digest();
	return Buffer.concat([body, Buffer.from([0x7a, 0, 0, 0, 32]), digest]);
}
