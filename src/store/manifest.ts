import { StoreError } from "./errors.ts";

/** What a LevelDB manifest says is alive. */
export interface Manifest {
	/** numbers of the tables that make up the database */
	readonly tables: readonly number[];
	/** number of the oldest log still needed */
	readonly log: number;
	/** bytes of the manifest up to the end of its last complete record */
	readonly length: number;
}

const BLOCK_BYTES = 32 * 1024;
const HEADER_BYTES = 7;
const TYPE = { full: 1, first: 2, middle: 3, last: 4 } as const;

/**
 * Reads a manifest: a log of version edits, in records that may span blocks of 32 KB, as LevelDB's `log_format.md` and
 * `version_edit.cc` lay down. A record the writer was still at is left out. Throws `STORE_DAMAGED` for a tag no LevelDB
 * writes.
 */
export function parseManifest(bytes: Buffer): Manifest {
	const tables = new Set<number>();
	let log = 0;
	let length = 0;
	for (const { record, end } of records(bytes)) {
		for (const edit of edits(record)) {
			if (edit.kind === "added") tables.add(edit.number);
			else if (edit.kind === "deleted") tables.delete(edit.number);
			else log = edit.number;
		}
		length = end;
	}
	return { tables: [...tables], log, length };
}

function* records(bytes: Buffer): Generator<{ record: Buffer; end: number }> {
	let parts: Buffer[] = [];
	for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
		const left = BLOCK_BYTES - (at % BLOCK_BYTES);
		if (left < HEADER_BYTES) {
			at += left;
			continue;
		}
		const size = bytes.readUInt16LE(at + 4);
		const type = bytes.readUInt8(at + 6);
		const end = at + HEADER_BYTES + size;
		if (type === 0 || end > bytes.length) return;
		if (type === TYPE.full || type === TYPE.first) parts = [];
		parts.push(bytes.subarray(at + HEADER_BYTES, end));
		if (type === TYPE.full || type === TYPE.last) yield { record: Buffer.concat(parts), end };
		at = end;
	}
}

type Edit = { readonly kind: "added" | "deleted" | "log"; readonly number: number };

/** The edits of one record that matter here; the tags are `version_edit.cc`'s. */
function* edits(record: Buffer): Generator<Edit> {
	let at = 0;
	const varint = (): number => {
		for (let value = 0, scale = 1; at < record.length; scale *= 128) {
			const byte = record.readUInt8(at++);
			value += (byte & 127) * scale;
			if (byte < 128) return value;
		}
		throw new StoreError("STORE_DAMAGED", "the manifest ends inside a number");
	};
	const skipBytes = (): void => {
		const size = varint();
		at += size;
	};
	while (at < record.length) {
		const tag = varint();
		switch (tag) {
			case 1: // comparator
				skipBytes();
				break;
			case 2: // log number
				yield { kind: "log", number: varint() };
				break;
			case 3: // next file number
			case 4: // last sequence
			case 9: // previous log, of databases older than any here
				varint();
				break;
			case 5: // compact pointer: level, key
				varint();
				skipBytes();
				break;
			case 6: // deleted file: level, number
				varint();
				yield { kind: "deleted", number: varint() };
				break;
			case 7: // new file: level, number, size, smallest key, largest key
				varint();
				yield { kind: "added", number: varint() };
				varint();
				skipBytes();
				skipBytes();
				break;
			default:
				throw new StoreError(
					"STORE_DAMAGED",
					`the manifest holds the tag ${tag}, which LevelDB does not write`,
				);
		}
	}
}
