import { join } from "node:path";
import { ClassicLevel } from "classic-level";

/** The key of an event of a store's first stream. */
export function eventKeyAt(position: number): Buffer {
	const key = Buffer.alloc(13);
	key.write("e");
	key.writeUInt32BE(position, 9);
	return key;
}

/** Flips a bit of the byte at an index, counted from the end where that is negative. */
export function flipped(index: number): (value: Buffer) => Buffer {
	return (value) => {
		const at = index < 0 ? value.length + index : index;
		value[at] = (value[at] ?? 0) ^ 1;
		return value;
	};
}

/** Changes a value in a store's database behind the store's back, or takes it out. */
export async function changeStored(
	directory: string,
	key: Buffer,
	change: ((value: Buffer) => Buffer) | undefined,
): Promise<void> {
	const db = new ClassicLevel<Buffer, Buffer>(join(directory, "level"), {
		keyEncoding: "buffer",
		valueEncoding: "buffer",
	});
	if (change) await db.put(key, change(Buffer.from((await db.get(key)) ?? [])));
	else await db.del(key);
	await db.close();
}
