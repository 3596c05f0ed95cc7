import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256Node } from "./hash.ts";
import type { Head } from "./head.ts";
import { readPosition, writePosition } from "./keys.ts";
import { unusable } from "./system-refusal.ts";

const SLOT_BYTES = 64;
const CHECKED_BYTES = 40;

/**
 * A second record of where each stream stood, in a file beside the database, written through to the disk after each
 * decision and on closing. It is written once the batch is on the disk and before the append is acknowledged, so it is
 * never ahead of what the database once held. It proves one thing: a database that no longer holds the event it names
 * has lost its tail, or had it taken away. One that runs past it proves nothing; bookkeeping does not write here.
 *
 * The file holds two slots of 64 bytes per stream number, written in turn, so that a write cut short costs the newer
 * one alone: version, 8 bytes; hash, 32; first 16 bytes of the SHA-256 of both; 8 unused.
 */
export class Witness {
	readonly #file: FileHandle;
	readonly #next = new Map<number, 0 | 1>();

	private constructor(file: FileHandle) {
		this.#file = file;
	}

	/** Opens a store's witness for writing. */
	static async open(directory: string): Promise<Witness> {
		const path = witnessPath(directory);
		const file = await open(path, "r+").catch((error) => {
			// whatever else kept it from opening, beginning anew would forget what it knows
			if (error.code !== "ENOENT") throw error;
			return open(path, "wx+");
		});
		const witness = new Witness(file);
		const bytes = await file.readFile();
		for (let stream = 0; stream * 2 * SLOT_BYTES < bytes.length; stream++) {
			const [first, second] = slots(bytes, stream);
			witness.#next.set(stream, (first?.version ?? -1) > (second?.version ?? -1) ? 1 : 0);
		}
		return witness;
	}

	/** Records heads by stream number and waits until the disk has them. */
	async record(heads: Iterable<readonly [stream: number, head: Head]>): Promise<void> {
		for (const [stream, head] of heads) {
			const slot = this.#next.get(stream) ?? 0;
			await this.#file.write(encodeSlot(head), 0, SLOT_BYTES, (stream * 2 + slot) * SLOT_BYTES);
			this.#next.set(stream, slot === 0 ? 1 : 0);
		}
		await this.#file.datasync();
	}

	close(): Promise<void> {
		return this.#file.close();
	}
}

/** Path of the witness of the store in this directory. */
export function witnessPath(directory: string): string {
	return join(directory, "witness");
}

/**
 * What the witness of a store last recorded, by stream number; empty where there is none. Throws `STORE_DAMAGED` where
 * there is one that cannot be read, `STORE_UNAVAILABLE` where the system refuses it.
 */
export async function readWitness(directory: string): Promise<ReadonlyMap<number, Head>> {
	const path = witnessPath(directory);
	const bytes = await readFile(path).catch((cause) => {
		if (cause.code === "ENOENT") return Buffer.alloc(0);
		throw unusable(`${path} cannot be read`, cause);
	});
	const heads = new Map<number, Head>();
	for (let stream = 0; stream * 2 * SLOT_BYTES < bytes.length; stream++) {
		const [first, second] = slots(bytes, stream);
		const newest = (first?.version ?? -1) > (second?.version ?? -1) ? first : second;
		if (newest) heads.set(stream, newest);
	}
	return heads;
}

/** What is odd about a store's witness and yet no damage, in words: it does not keep what it should of a stream. */
export async function inspectWitness(
	directory: string,
	places: readonly { readonly name: string; readonly number: number; readonly version: number }[],
): Promise<string[]> {
	const kept = places.filter(({ version }) => version > 0);
	if (kept.length === 0) return [];
	const bytes = await readFile(witnessPath(directory)).catch(() => undefined);
	const unnoticed = "events cut off the end would not be noticed";
	if (bytes === undefined) return [`there is no witness: ${unnoticed}`];
	return kept.flatMap(({ name, number }) => {
		const both = slots(bytes, number);
		if (both.every((head) => head === undefined)) return [`the witness has no word of ${name}: ${unnoticed}`];
		const spoilt = both.some(
			(head, slot) => !head && slotBytes(bytes, number, slot).some((byte) => byte !== 0),
		);
		return spoilt ? [`one of the two records the witness keeps of ${name} is not sound`] : [];
	});
}

function slotBytes(bytes: Buffer, stream: number, slot: number): Buffer {
	const start = (stream * 2 + slot) * SLOT_BYTES;
	return bytes.subarray(start, start + SLOT_BYTES);
}

function slots(bytes: Buffer, stream: number): [Head | undefined, Head | undefined] {
	return [decodeSlot(slotBytes(bytes, stream, 0)), decodeSlot(slotBytes(bytes, stream, 1))];
}

function encodeSlot({ version, hash }: Head): Buffer {
	const slot = Buffer.alloc(SLOT_BYTES);
	writePosition(slot, version, 0);
	slot.write(hash, 8, 32, "hex");
	slot.write(checkOf(slot), CHECKED_BYTES, 16, "hex");
	return slot;
}

function decodeSlot(slot: Buffer): Head | undefined {
	if (slot.length < 56 || slot.toString("hex", CHECKED_BYTES, 56) !== checkOf(slot)) return undefined;
	return { version: readPosition(slot, 0), hash: slot.toString("hex", 8, CHECKED_BYTES) };
}

function checkOf(slot: Buffer): string {
	return sha256Node(slot.subarray(0, CHECKED_BYTES)).slice(0, 32);
}
