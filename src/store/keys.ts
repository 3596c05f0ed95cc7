/**
 * The store's keys, all of fixed width for their kind, so that they sort as positions do:
 *
 * | first byte | then | holds |
 * | --- | --- | --- |
 * | `m` | | the format version |
 * | `h` | stream number, 4 bytes | the stream's head |
 * | `e` | stream number, 4; position, 8 | an event |
 * | `b` | SHA-256, 32 | the sequence number of a blob's content, 8 bytes |
 * | `d` | sequence number, 8 | a blob's content |
 * | `c` | stream number, 4; SHA-256 of the name, first 16; version, 4; ordinal, 4; position, 8 | a checkpoint |
 * | `r` | the caller's own key | an index row |
 * | `s` | stream number, 4; position, 8 | the seal of an event: who wrote it |
 *
 * Numbers are big-endian.
 */

/** The format of stored bytes this release writes. */
export const FORMAT = 1;

/** Where the format version stands. */
export const FORMAT_KEY = Buffer.from("m");

const SEAL = "s".charCodeAt(0);

/** A range of keys: from `gte`, up to but not including `lt`. */
export interface KeyRange {
	readonly gte: Uint8Array;
	readonly lt: Uint8Array;
}

/** Key of a stream's head. */
export function headKey(stream: number): Buffer {
	const key = prefixed("h", 5);
	key.writeUInt32BE(stream, 1);
	return key;
}

/** Key of the event at a position. */
export function eventKey(stream: number, position: number): Buffer {
	const key = prefixed("e", 13);
	key.writeUInt32BE(stream, 1);
	writePosition(key, position, 5);
	return key;
}

/** Key of the seal of the event at a position. */
export function sealKey(stream: number, position: number): Buffer {
	const key = eventKey(stream, position);
	key[0] = SEAL;
	return key;
}

/** Keys of the events from position `from` up to, not including, `to`. */
export function eventRange(stream: number, from: number, to: number): KeyRange {
	return { gte: eventKey(stream, from), lt: eventKey(stream, to) };
}

/** The stream number and the position an event's key names. */
export function parseEventKey(key: Uint8Array): { stream: number; position: number } {
	const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
	return { stream: bytes.readUInt32BE(1), position: readPosition(bytes, 5) };
}

/** Key under which the content with this digest (64 hex digits) is found. */
export function blobKey(digest: string): Buffer {
	const key = prefixed("b", 33);
	key.write(digest, 1, 32, "hex");
	return key;
}

/** The digest a blob's key names, as 64 hex digits. */
export function parseBlobKey(key: Uint8Array): string {
	return Buffer.from(key.buffer, key.byteOffset + 1, 32).toString("hex");
}

/**
 * Key of a blob's content. In the order of writing, not of digests: neighbours are alike and compress a fifth smaller,
 * and LevelDB never has to merge old content with new.
 */
export function contentKey(sequence: number): Buffer {
	const key = prefixed("d", 9);
	writePosition(key, sequence, 1);
	return key;
}

/** The sequence number a content's key names. */
export function parseContentKey(key: Uint8Array): number {
	return readPosition(Buffer.from(key.buffer, key.byteOffset, key.byteLength), 1);
}

/** Key of an index row. */
export function rowKey(key: Uint8Array): Buffer {
	return Buffer.concat([Buffer.from("r"), key]);
}

/** Every key that starts with this letter. */
export function allOf(kind: "h" | "e" | "b" | "d" | "c" | "r" | "s"): KeyRange {
	return { gte: Buffer.from(kind), lt: Buffer.from([kind.charCodeAt(0) + 1]) };
}

/** Every key there can be. */
export const EVERYTHING: KeyRange = { gte: Buffer.from([0]), lt: Buffer.from([0xff]) };

/** Writes a position as 8 big-endian bytes. Two halves: a bigint per key would cost more than the rest of it. */
export function writePosition(bytes: Buffer, position: number, offset: number): void {
	bytes.writeUInt32BE(Math.floor(position / 0x1_0000_0000), offset);
	bytes.writeUInt32BE(position % 0x1_0000_0000, offset + 4);
}

/** Reads what {@link writePosition} wrote. */
export function readPosition(bytes: Buffer, offset: number): number {
	return bytes.readUInt32BE(offset) * 0x1_0000_0000 + bytes.readUInt32BE(offset + 4);
}

function prefixed(kind: string, length: number): Buffer {
	const key = Buffer.allocUnsafe(length);
	key[0] = kind.charCodeAt(0);
	return key;
}
