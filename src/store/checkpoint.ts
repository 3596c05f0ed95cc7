import { Packr } from "msgpackr";
import { sha256Node } from "./hash.ts";
import { readPosition, writePosition } from "./keys.ts";

/** A projection's state, and what of the stream it covers. */
export interface Checkpoint {
	/** the projection's name */
	readonly name: string;
	/** the projection's version */
	readonly version: number;
	/** how many events, from position 0, went into the state */
	readonly covers: number;
	/** hex SHA-256 of the last event it covers; of none, the stream's first previous hash */
	readonly hash: string;
	/** the state; Maps and Sets come back as such */
	readonly state: unknown;
}

/** What a checkpoint's key says of it. */
export interface CheckpointKey {
	readonly stream: number;
	/** first 32 hex digits of the SHA-256 of the projection's name */
	readonly name: string;
	readonly version: number;
	/** counts the checkpoints of one name and version, from 1 */
	readonly ordinal: number;
	readonly covers: number;
}

/** First 32 hex digits of the SHA-256 of a projection's name: names vary in length, keys do not. */
export function nameDigest(name: string): string {
	return sha256Node(Buffer.from(name)).slice(0, 32);
}

/** The key of a checkpoint: `c`, stream 4 bytes, name 16, version 4, ordinal 4, events covered 8. */
export function checkpointKey({ stream, name, version, ordinal, covers }: CheckpointKey): Buffer {
	const key = Buffer.alloc(37);
	key.write("c");
	key.writeUInt32BE(stream, 1);
	key.write(name, 5, 16, "hex");
	key.writeUInt32BE(version, 21);
	key.writeUInt32BE(ordinal, 25);
	writePosition(key, covers, 29);
	return key;
}

/** What {@link checkpointKey} wrote. */
export function parseCheckpointKey(bytes: Uint8Array): CheckpointKey {
	const key = Buffer.from(bytes);
	return {
		stream: key.readUInt32BE(1),
		name: key.toString("hex", 5, 21),
		version: key.readUInt32BE(21),
		ordinal: key.readUInt32BE(25),
		covers: readPosition(key, 29),
	};
}

// A Packr of its own per checkpoint would be the same bytes; inline records keep the shape of nested objects.
const packr = new Packr({ moreTypes: true, useToJSON: false });

/** SHA-256 of the rest, 32 bytes; then the checkpoint with inline records. */
export function encodeCheckpoint(checkpoint: Checkpoint): Buffer {
	const body = packr.pack(checkpoint);
	return Buffer.concat([Buffer.from(sha256Node(body), "hex"), body]);
}

/** What {@link encodeCheckpoint} wrote; `undefined` for anything else. */
export function decodeCheckpoint(value: Uint8Array): Checkpoint | undefined {
	const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
	const body = bytes.subarray(32);
	if (bytes.toString("hex", 0, 32) !== sha256Node(body)) return undefined;
	try {
		const checkpoint: Partial<Checkpoint> | null = packr.unpack(body);
		return typeof checkpoint?.name === "string" ? (checkpoint as Checkpoint) : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Whether the checkpoint with this ordinal is worth keeping once `newest` is written: the last two at every power of
 * two. Of a thousand about twenty stay, dense near the end, so a look far back starts not much further back than it must.
 */
export function isKept(ordinal: number, newest: number): boolean {
	const spacing = ordinal & -ordinal;
	return newest - ordinal < 2 * spacing;
}
