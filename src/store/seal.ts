import type { Recorded } from "../../events/envelope.ts";

/** What proves who wrote an event, beside its body. */
export interface Seal {
	/** id of the key it was made with */
	readonly key: string;
	/** HMAC-SHA-256 over the stream's name and the stored bytes, which begin with the previous hash; 32 bytes */
	readonly tag: Uint8Array;
}

/** Seals events as they are written. */
export interface Sealer {
	seal(stream: string, stored: Uint8Array): Seal;
}

/** An event's bytes as they are stored, with the seal that came with them. */
export interface SealedEvent {
	/** previous hash and body */
	readonly stored: Uint8Array;
	readonly seal: Seal | undefined;
}

const KEY_BYTES = 8;
const TAG_BYTES = 32;

/** The row of a seal: the key's id, 8 bytes; the tag, 32. */
export function encodeSeal({ key, tag }: Seal): Buffer {
	const bytes = Buffer.alloc(KEY_BYTES + TAG_BYTES);
	bytes.write(key, 0, KEY_BYTES, "hex");
	bytes.set(tag, KEY_BYTES);
	return bytes;
}

/** What {@link encodeSeal} wrote; `undefined` for anything else. */
export function decodeSeal(value: Uint8Array): Seal | undefined {
	if (value.length !== KEY_BYTES + TAG_BYTES) return undefined;
	const bytes = Buffer.from(value);
	return { key: bytes.toString("hex", 0, KEY_BYTES), tag: Uint8Array.from(bytes.subarray(KEY_BYTES)) };
}

/** The seals of events that are about to be written, by their place among them. A user's are sealed, where there is a sealer. */
export function sealsOf(
	stream: string,
	events: readonly Recorded[],
	values: readonly Uint8Array[],
	sealer: Sealer | undefined,
): (readonly [index: number, seal: Seal])[] {
	if (!sealer) return [];
	return values.flatMap((value, index) =>
		events[index]?.actor === "user" ? [[index, sealer.seal(stream, value)] as const] : [],
	);
}
