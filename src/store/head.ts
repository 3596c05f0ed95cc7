import { sha256Node } from "./hash.ts";
import { readPosition, writePosition } from "./keys.ts";

/** Where a stream stands: how many events it holds, and the hash of the last one. */
export interface Head {
	/** number of events; the next one takes this position */
	readonly version: number;
	/** hex SHA-256 of the last stored value; of an empty stream, the hash its first event will repeat */
	readonly hash: string;
}

/** The stored head of a stream, with the name behind its number. */
export interface HeadRecord extends Head {
	readonly name: string;
}

const CHECK_BYTES = 8;
const FIXED_BYTES = 40 + CHECK_BYTES;

/** The hash the first event of a stream repeats. It binds the name, so no stream passes for another. */
export function genesis(stream: string): string {
	return sha256Node(Buffer.from(`palimpsest stream 1\n${stream}`));
}

/** version, 8 bytes; hash, 32; first 8 bytes of the SHA-256 of both and the name; the name in UTF-8. */
export function encodeHead({ version, hash, name }: HeadRecord): Buffer {
	const bytes = Buffer.alloc(FIXED_BYTES + Buffer.byteLength(name));
	writePosition(bytes, version, 0);
	bytes.write(hash, 8, 32, "hex");
	bytes.write(name, FIXED_BYTES, "utf8");
	bytes.write(checkOf(bytes), 40, CHECK_BYTES, "hex");
	return bytes;
}

/** What {@link encodeHead} wrote; `undefined` where the record was altered. */
export function decodeHead(value: Uint8Array): HeadRecord | undefined {
	const bytes = Buffer.from(value);
	if (bytes.length < FIXED_BYTES || bytes.toString("hex", 40, FIXED_BYTES) !== checkOf(bytes))
		return undefined;
	return {
		version: readPosition(bytes, 0),
		hash: bytes.toString("hex", 8, 40),
		name: bytes.toString("utf8", FIXED_BYTES),
	};
}

/** The name in a head record, sound or not: a guess to be held against the first event, which binds the true one. */
export function claimedName(value: Uint8Array): string {
	return Buffer.from(value).toString("utf8", FIXED_BYTES);
}

function checkOf(bytes: Buffer): string {
	const covered = Buffer.concat([bytes.subarray(0, 40), bytes.subarray(FIXED_BYTES)]);
	return sha256Node(covered).slice(0, 2 * CHECK_BYTES);
}
