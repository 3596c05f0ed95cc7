import {
	decodeJson,
	encodeJson,
	INDEX_ROWS,
	INDEX_VERSION,
	type IndexMeta,
	META_KEY,
	rowName,
	segmentOf,
} from "../../projections/recall/rows.ts";
import { Segment } from "../../projections/recall/segment.ts";
import { recallDocument } from "./recall-document.ts";
import { RecallIndex, type RecallParts } from "./recall-index.ts";

/** What a check of an index's rows found. */
export interface CheckedRows {
	/** rows that were compared with what the events give */
	readonly checked: number;
	/** each row that is not that, in words; the rows of another version or of an unfinished segment are not read and so not wrong */
	readonly wrong: readonly string[];
}

/**
 * Compares every row of an index with the one its events give, byte for byte. O(events), and as long as the making of
 * the index takes. Throws what the store throws.
 */
export async function checkRows(parts: RecallParts): Promise<CheckedRows> {
	const { store, stream } = parts;
	const bytes = store.row(META_KEY);
	if (!bytes) return { checked: 0, wrong: [] };
	const meta = metaIn(bytes);
	if (!meta) return { checked: 1, wrong: [wrongly(META_KEY, "cannot be read")] };
	if (meta.version !== INDEX_VERSION) return { checked: 0, wrong: [] };
	const wrong: string[] = [];
	const sound = new Set<string>();
	let segment = new Segment(0, 0);
	let made: IndexMeta = { version: INDEX_VERSION, segments: 0, documents: 0, covers: 0 };
	const range = { to: meta.covers, chunk: 48, onUnreadable: () => {} };
	for await (const run of store.readRuns(stream, range)) {
		for (const { type, data, position } of run) {
			const document =
				type === "entry/recorded" && recallDocument(parts, (data as { readonly id: string }).id);
			if (!document) continue;
			for (const _ of segment.add(document));
			if (!segment.isFull) continue;
			compare(segment);
			const documents = segment.first + segment.records.length;
			made = { version: INDEX_VERSION, segments: segment.number + 1, documents, covers: position + 1 };
			segment = new Segment(made.segments, documents);
		}
	}
	function compare(closed: Segment): void {
		for (const row of closed.rows()) {
			if (!row) continue;
			const [key, value] = row;
			const stored = store.row(key);
			sound.add(hex(key));
			if (!stored) wrong.push(wrongly(key, "is missing"));
			else if (Buffer.compare(stored, value) !== 0) wrong.push(wrongly(key, "is not what the events give"));
		}
	}
	let checked = sound.size + 1;
	if (hex(encodeJson(made)) !== hex(bytes)) wrong.push(wrongly(META_KEY, "is not what the events give"));
	for await (const run of store.rowRuns(INDEX_ROWS)) {
		for (const [key] of run) {
			const number = segmentOf(key);
			if (sound.has(hex(key)) || (number === undefined ? isMeta(key) : number >= meta.segments)) continue;
			wrong.push(wrongly(key, "is not of this index"));
			checked += 1;
		}
	}
	return { checked, wrong };
}

/** Drops the rows of an index and makes them again from the events; nothing else is touched. Throws what the store throws. */
export async function remakeRows(parts: RecallParts): Promise<void> {
	// rows of no version are dropped by whoever makes the index, also where this is cut short
	await parts.store.index({ put: [[META_KEY, encodeJson({ version: 0 })]] });
	const index = new RecallIndex(parts);
	await index.catchUp();
	await index.close();
}

function metaIn(bytes: Uint8Array): IndexMeta | undefined {
	try {
		const meta = decodeJson(bytes) as IndexMeta | null;
		return typeof meta?.version === "number" ? meta : undefined;
	} catch {
		return undefined;
	}
}

function isMeta(key: Uint8Array): boolean {
	return Buffer.compare(key, META_KEY) === 0;
}

function wrongly(key: Uint8Array, how: string): string {
	return `the index's row ${hex(key)}, ${rowName(key)}, ${how}`;
}

function hex(bytes: Uint8Array): string {
	return Buffer.from(bytes).toString("hex");
}
