/**
 * A bundle is one file that holds a store: two lines of text, then records.
 *
 * 1. `palimpsest bundle 1`, the version of this format
 * 2. the header, as JSON: {@link BundleHeader}
 *
 * Each record is a letter, the number of bytes behind it (4), and these:
 *
 * | letter | bytes |
 * | --- | --- |
 * | `s` | a stream begins: its name in UTF-8 |
 * | `e` | the next event of that stream, from position 0, as it is stored: previous hash, 32; body |
 * | `p` | the seal of the event before it: id of the key, 8; tag, 32 |
 * | `c` | a checkpoint of the stream: version of its projection, 4; ordinal, 4; events covered, 8; the stored value, deflated |
 * | `b` | contents: how many, 4; of each its SHA-256, 32, and length, 4; then all of them, one behind the other, deflated |
 * | `d` | contents that are left out: their SHA-256, 32 each |
 * | `z` | the end: SHA-256 of every byte before this record |
 *
 * Numbers are big-endian; deflated is zlib's format (RFC 1950). No record, and nothing deflated in one, is longer than
 * 512 MiB; contents that are more than one, together no longer than 16 MiB.
 */
import type { Head } from "../head.ts";
import { FORMAT, readPosition, writePosition } from "../keys.ts";

import { BundleError } from "./bundle-error.ts";

/** The version of the format this release writes. */
const BUNDLE_VERSION = 1;

/** What every bundle begins with, whatever its version. */
export const MAGIC = "palimpsest bundle ";

/** Bytes of a record before what it holds. */
export const RECORD_BYTES = 5;

/** Bytes of a digest. */
export const DIGEST_BYTES = 32;

/** Bytes of the header's line at most. */
export const MOST_HEADER_BYTES = 16 << 20;

/** Bytes of a record at most, and of what is deflated in it: about the longest text there can be. */
export const MOST_RECORD_BYTES = 512 << 20;

/** Bytes of the contents of a record together at most, where they are more than one. */
export const MOST_TOGETHER_BYTES = 16 << 20;

/** Bytes of a seal. */
export const SEAL_BYTES = 40;

/** What a record is. */
export type RecordKind = "s" | "e" | "p" | "c" | "b" | "d" | "z";

const KINDS: ReadonlySet<string> = new Set<RecordKind>(["s", "e", "p", "c", "b", "d", "z"]);

/** Whether a letter begins a record. */
export function isRecordKind(letter: string): letter is RecordKind {
	return KINDS.has(letter);
}

/** A stream of a bundle: its name and where it ends. */
export interface BundledStream extends Head {
	readonly stream: string;
}

/** What a bundle says of itself before anything else. */
export interface BundleHeader {
	/** format of the stored events */
	readonly format: number;
	/** its streams, in the order they follow */
	readonly streams: readonly BundledStream[];
	/** whether contents were left out on purpose */
	readonly redacted: boolean;
	/** whether it was made of what still verified of a damaged store */
	readonly partial: boolean;
}

/** The two lines a bundle begins with. The same header gives the same bytes. */
export function encodeOpening({ format, streams, redacted, partial }: BundleHeader): Buffer {
	const header: BundleHeader = {
		format,
		streams: streams.map(({ stream, version, hash }) => ({ stream, version, hash })),
		redacted,
		partial,
	};
	return Buffer.from(`${MAGIC}${BUNDLE_VERSION}\n${JSON.stringify(header)}\n`);
}

/** Checks a bundle's first line. Throws `BUNDLE_NEWER`, `BUNDLE_UNRECOGNISED`. */
export function assertVersion(line: string): void {
	const version = line.startsWith(MAGIC) ? /^[1-9]\d{0,8}$/.exec(line.slice(MAGIC.length)) : null;
	if (!version) throw new BundleError("BUNDLE_UNRECOGNISED", "it does not begin as a bundle does");
	if (Number(version[0]) > BUNDLE_VERSION)
		throw new BundleError(
			"BUNDLE_NEWER",
			`it is a bundle of version ${version[0]}; this release reads ${BUNDLE_VERSION}`,
		);
}

/** Reads a bundle's second line. Throws `BUNDLE_DAMAGED`, and `BUNDLE_NEWER` where its events are of a newer format. */
export function decodeHeader(line: Uint8Array): BundleHeader {
	const header = parsed(line);
	if (!isHeader(header)) throw new BundleError("BUNDLE_DAMAGED", "its header is not what was written");
	if (header.format > FORMAT)
		throw new BundleError(
			"BUNDLE_NEWER",
			`its events are in format ${header.format}; this release reads ${FORMAT}`,
		);
	return header;
}

function parsed(line: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
	} catch {
		return undefined;
	}
}

function isHeader(value: unknown): value is BundleHeader {
	if (typeof value !== "object" || value === null) return false;
	const { format, streams, redacted, partial } = value as { readonly [field: string]: unknown };
	return (
		Number.isSafeInteger(format) &&
		(format as number) > 0 &&
		typeof redacted === "boolean" &&
		typeof partial === "boolean" &&
		Array.isArray(streams) &&
		streams.every(isStream) &&
		new Set(streams.map(({ stream }) => stream)).size === streams.length
	);
}

function isStream(value: unknown): value is BundledStream {
	if (typeof value !== "object" || value === null) return false;
	const { stream, version, hash } = value as { readonly [field: string]: unknown };
	return (
		typeof stream === "string" &&
		Number.isSafeInteger(version) &&
		(version as number) >= 0 &&
		typeof hash === "string" &&
		/^[0-9a-f]{64}$/.test(hash)
	);
}

/** What stands before the bytes of a record. */
export function recordHead(kind: RecordKind, length: number): Buffer {
	const head = Buffer.alloc(RECORD_BYTES);
	head.write(kind, "latin1");
	head.writeUInt32BE(length, 1);
	return head;
}

/** Which checkpoint a record holds. */
export interface CheckpointPlace {
	readonly version: number;
	readonly ordinal: number;
	readonly covers: number;
}

/** Bytes of a checkpoint's place. */
export const PLACE_BYTES = 16;

/** The place of a checkpoint as its record begins. */
export function encodePlace({ version, ordinal, covers }: CheckpointPlace): Buffer {
	const bytes = Buffer.alloc(PLACE_BYTES);
	bytes.writeUInt32BE(version, 0);
	bytes.writeUInt32BE(ordinal, 4);
	writePosition(bytes, covers, 8);
	return bytes;
}

/** What {@link encodePlace} wrote. */
export function decodePlace(bytes: Buffer): CheckpointPlace {
	return { version: bytes.readUInt32BE(0), ordinal: bytes.readUInt32BE(4), covers: readPosition(bytes, 8) };
}
