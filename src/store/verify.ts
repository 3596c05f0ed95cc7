import { readChain, type StreamPlace } from "./chain.ts";
import { decodeCheckpoint, parseCheckpointKey } from "./checkpoint.ts";
import { fits } from "./checkpoint-index.ts";
import { eachContent } from "./each-content.ts";
import { StoreError } from "./errors.ts";
import { decodeRaw, previousOf, type RawEvent } from "./event-codec.ts";
import { sha256Node } from "./hash.ts";
import { genesis, type Head } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import { allOf, eventKey, eventRange, parseBlobKey, sealKey } from "./keys.ts";
import { type KnownLoss, type KnownShredding, knownLoss, knownShredding } from "./losses.ts";
import { readPlaces } from "./places.ts";
import { decodeSeal } from "./seal.ts";
import type { Damage, Unproved, Verification, VerifyOptions } from "./store.ts";
import { inspectWitness, readWitness } from "./witness.ts";

type VerifiedStream = Head & { readonly stream: string };

/** Checks all a database holds. `directory` is where its witness lies; in memory there is none. */
export async function verifyKeyValue(
	kv: KeyValue,
	directory: string | undefined,
	{ blobs = false, references, proof }: VerifyOptions = {},
): Promise<Verification> {
	const damage: Damage[] = [];
	const streams: VerifiedStream[] = [];
	const needed = new Set<string>();
	const lost: KnownLoss[] = [];
	const shredded: KnownShredding[] = [];
	const unproved: Unproved[] = [];
	const onEvent = (raw: RawEvent, stored: Uint8Array, number: number) => {
		for (const digest of references?.(raw) ?? []) needed.add(digest);
		const loss = knownLoss(raw);
		if (loss) lost.push(loss);
		const shredding = knownShredding(raw);
		if (shredding) shredded.push(shredding);
		if (!proof) return;
		const { stream, position, type } = raw;
		const seal = kv.get(sealKey(number, position));
		const found = proof(raw, { stored, seal: seal && decodeSeal(seal) });
		if (found) unproved.push({ stream, position, type, proof: found });
	};
	let events = 0;

	const found = await readPlaces(kv);
	damage.push(...found.damage);
	for (const place of found.places) {
		const outcome = await verifyStream(kv, place, (blobs && references) || proof ? onEvent : undefined);
		streams.push({ stream: place.name, ...outcome.head });
		damage.push(...outcome.damage);
		events += outcome.head.version;
	}
	if (directory) damage.push(...(await againstWitness(directory, kv, found.places)));
	const checkpoints = await verifyCheckpoints(kv, found.places, damage);
	for (const { contents } of [...lost, ...shredded]) for (const digest of contents) needed.delete(digest);
	const checkedBlobs = blobs ? await verifyBlobs(kv, needed, damage) : 0;
	const notes = directory ? await inspectWitness(directory, found.places) : [];
	return {
		streams,
		damage,
		lost,
		shredded,
		unproved,
		notes,
		checked: { events, blobs: checkedBlobs, checkpoints },
	};
}

/** Reads a stream's chain to its head, or to the first fault; `onEvent` is told of every event up to there. */
export async function verifyStream(
	kv: KeyValue,
	place: StreamPlace,
	onEvent?: (raw: RawEvent, stored: Uint8Array, stream: number) => void,
): Promise<{ head: Head; damage: Damage[] }> {
	let head: Head = { version: 0, hash: genesis(place.name) };
	try {
		for await (const { first, values, hashes } of readChain(kv, place, {
			from: 0,
			to: place.version,
			hash: sha256Node,
		})) {
			const last = hashes.at(-1);
			if (last === undefined) continue;
			values.forEach((value, index) => {
				onEvent?.(decodeRaw(place.name, first + index, value, hashes[index] as string), value, place.number);
			});
			head = { version: first + values.length, hash: last };
		}
	} catch (error) {
		if (!(error instanceof StoreError) || error.code === "STORE_UNAVAILABLE") throw error;
		const position = error.detail.position ?? head.version;
		const part = error.code === "STORE_CHAIN_BROKEN" ? "event" : "files";
		return { head, damage: [{ part, stream: place.name, position, what: error.message }] };
	}
	return { head, damage: await beyondHead(kv, place) };
}

/** Events that stand behind the head were put there by someone else. */
async function beyondHead(kv: KeyValue, { number, name, version }: StreamPlace): Promise<Damage[]> {
	const behind = eventRange(number, version, Number.MAX_SAFE_INTEGER);
	for await (const _ of kv.values(behind, { limit: 1 })) {
		return [
			{
				part: "event",
				stream: name,
				position: version,
				what: `events stand behind the head of ${name}, at ${version}`,
			},
		];
	}
	return [];
}

/** Where the witness names an event that is not there, or not as it was, the database has lost its tail. */
export async function againstWitness(
	directory: string,
	kv: KeyValue,
	places: readonly StreamPlace[],
): Promise<Damage[]> {
	const damage: Damage[] = [];
	for (const [number, witnessed] of await readWitness(directory)) {
		const place = places.find((candidate) => candidate.number === number);
		const stream = place?.name ?? `stream ${number}`;
		if (!place || place.version < witnessed.version) {
			const position = place?.version ?? 0;
			const what = `${stream} ends at ${position}, but ${witnessed.version} events were written and acknowledged`;
			damage.push({ part: "event", stream, position, what });
			continue;
		}
		const next = kv.get(eventKey(number, witnessed.version));
		const standing = witnessed.version === place.version ? place.hash : next && previousOf(next);
		if (standing !== undefined && standing !== witnessed.hash) {
			const position = Math.max(0, witnessed.version - 1);
			damage.push({
				part: "event",
				stream,
				position,
				what: `${stream} was written anew up to ${position}: its witness has another hash`,
			});
		}
	}
	return damage;
}

async function verifyCheckpoints(
	kv: KeyValue,
	places: readonly StreamPlace[],
	damage: Damage[],
): Promise<number> {
	let checked = 0;
	for await (const chunk of kv.entries(allOf("c"), { chunk: 8 })) {
		for (const [bytes, value] of chunk) {
			const key = parseCheckpointKey(bytes);
			const place = places.find(({ number }) => number === key.stream);
			const checkpoint = decodeCheckpoint(value);
			checked++;
			if (place && checkpoint && fits(kv, place, key, checkpoint)) continue;
			const what = `the checkpoint of ${checkpoint?.name ?? "a projection"} at ${key.covers} is not sound; it will be passed over`;
			damage.push({ part: "checkpoint", position: key.covers, what, ...(place && { stream: place.name }) });
		}
	}
	return checked;
}

async function verifyBlobs(kv: KeyValue, needed: ReadonlySet<string>, damage: Damage[]): Promise<number> {
	const stored = new Set<string>();
	for await (const chunk of kv.entries(allOf("b"))) for (const [key] of chunk) stored.add(parseBlobKey(key));
	const missing = new Set([...stored, ...needed]);
	const found = (digest: string, what: string) =>
		damage.push({ part: "blob", digest, what: `the content stored as ${digest} is ${what}` });
	for await (const { digest = "", bytes } of eachContent(kv, 100)) {
		missing.delete(digest);
		if (!bytes) found(digest, "unreadable");
		else if (sha256Node(bytes) !== digest) found(digest, "not that content");
	}
	for (const digest of missing) found(digest, "missing");
	return stored.size;
}
