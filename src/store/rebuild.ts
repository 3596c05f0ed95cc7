import { createRegistry } from "../../events/registry.ts";
import { StoreRepaired } from "../../events/store.ts";
import { readChain, type StreamPlace } from "./chain.ts";
import { StoreError } from "./errors.ts";
import { decodeRaw, encodeEvent } from "./event-codec.ts";
import { sha256Node } from "./hash.ts";
import { encodeHead, genesis, type Head } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import {
	allOf,
	blobKey,
	contentKey,
	eventKey,
	FORMAT,
	FORMAT_KEY,
	headKey,
	parseBlobKey,
	parseContentKey,
	readPosition,
	sealKey,
} from "./keys.ts";

import { knownLoss, knownShredding } from "./losses.ts";
import type { References } from "./store.ts";

const registry = createRegistry([StoreRepaired]);

/** What is said of a stream's loss in its `store/repaired`. */
export interface Loss {
	/** ms since the epoch */
	readonly at: number;
	readonly reason: string;
	/** how many events were known to be there */
	readonly acknowledged: number;
	readonly blobsLost: number;
	/** digests of the content that is lost and that no earlier repair told of */
	readonly contents: readonly string[];
	readonly keptAs: string;
}

/** What of a stream was kept, and the content it refers to that was not. */
export interface Kept {
	readonly head: Head;
	/** digests, those an earlier repair told of and those destroyed on purpose left out */
	readonly missing: readonly string[];
}

/**
 * Copies what is vouched for of a stream, bytes and hashes as they were, and gives its head as that leaves it. The
 * content must have been copied before.
 */
export async function rebuildStream(
	from: KeyValue,
	to: KeyValue,
	place: StreamPlace,
	references: References = () => [],
): Promise<Kept> {
	const missing = new Set<string>();
	const told = new Set<string>();
	let head: Head = { version: 0, hash: genesis(place.name) };
	try {
		const whole = { from: 0, to: place.version, hash: sha256Node };
		for await (const { first, values, hashes } of readChain(from, place, whole)) {
			const last = hashes.at(-1);
			if (last === undefined) continue;
			const batch = to.batch();
			values.forEach((value, index) => {
				batch.put(eventKey(place.number, first + index), value);
				const seal = from.get(sealKey(place.number, first + index));
				if (seal) batch.put(sealKey(place.number, first + index), seal);
				const raw = decodeRaw(place.name, first + index, value, hashes[index] as string);
				for (const digest of references(raw)) if (!to.get(blobKey(digest))) missing.add(digest);
				const gone = knownLoss(raw) ?? knownShredding(raw);
				for (const digest of gone?.contents ?? []) told.add(digest);
			});
			await batch.write(false);
			head = { version: first + values.length, hash: last };
		}
	} catch (error) {
		// the end of what can be kept; whatever else goes wrong is not for a repair to swallow
		if (!(error instanceof StoreError) || error.code === "STORE_UNAVAILABLE") throw error;
	}
	const batch = to.batch();
	batch.put(headKey(place.number), encodeHead({ ...head, name: place.name }));
	batch.put(FORMAT_KEY, Buffer.from([FORMAT]));
	await batch.write(false);
	return { head, missing: [...missing].filter((digest) => !told.has(digest)) };
}

/**
 * Writes the account of a loss behind what was kept. It is the first event *after* that and not the first of the
 * stream: a chain cannot be given a new beginning without hashing all of it anew, and the kept events must keep their
 * positions and hashes, for these are recorded elsewhere (nodes in the session tree, copies on other machines) and go
 * on proving them.
 */
export async function recordLoss(to: KeyValue, place: StreamPlace, kept: Head, loss: Loss): Promise<Head> {
	const { at, acknowledged, contents, ...said } = loss;
	const { version, hash } = kept;
	const data = {
		...said,
		lostFrom: version,
		...(acknowledged > version && { lostTo: acknowledged - 1 }),
		...(contents.length > 0 && { contents }),
	};
	const value = encodeEvent(
		registry,
		{ event: { type: StoreRepaired.type, data }, at, actor: "runtime" },
		hash,
	);
	const head = { version: version + 1, hash: sha256Node(value) };
	const batch = to.batch();
	batch.put(eventKey(place.number, version), value);
	batch.put(headKey(place.number), encodeHead({ ...head, name: place.name }));
	await batch.write(false);
	return head;
}

/** Copies every blob that still is what its digest says. Gives how many were kept and how many were not. */
export async function rebuildBlobs(from: KeyValue, to: KeyValue): Promise<{ kept: number; lost: number }> {
	const digestBySequence = new Map<number, string>();
	for await (const chunk of from.entries(allOf("b"))) {
		for (const [key, place] of chunk)
			digestBySequence.set(readPosition(Buffer.from(place), 0), parseBlobKey(key));
	}
	let kept = 0;
	for await (const chunk of from.entries(allOf("d"), { chunk: 100 })) {
		const batch = to.batch();
		for (const [key, bytes] of chunk) {
			// by its own digest, so that content whose entry in the index was lost is found again
			const digest = sha256Node(bytes);
			const sequence = parseContentKey(key);
			const claimed = digestBySequence.get(sequence);
			if (claimed !== undefined && claimed !== digest) continue;
			digestBySequence.set(sequence, digest);
			const place = Buffer.from(contentKey(sequence).subarray(1));
			batch.put(blobKey(digest), place);
			batch.put(key, bytes);
			kept++;
		}
		await batch.write(false);
	}
	return { kept, lost: digestBySequence.size - kept };
}
