import { cp, rm } from "node:fs/promises";
import { ClassicLevel } from "classic-level";
import type { StreamPlace } from "./chain.ts";
import { StoreError } from "./errors.ts";
import { previousOf } from "./event-codec.ts";
import { sha256Node } from "./hash.ts";
import { claimedName, genesis, type Head } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import { eventKey, eventRange, headKey } from "./keys.ts";
import { openLevel } from "./level-key-value.ts";
import { readPlaces } from "./places.ts";

/**
 * Opens a damaged LevelDB directory for reading, as it is where that works and every key can be read, else a copy at
 * `copy` that LevelDB's own repair has gone over: it writes a new manifest over whatever tables and logs it can read.
 * The damaged files are not changed, but for LevelDB's log where they open. Throws `STORE_LOCKED`,
 * `STORE_UNAVAILABLE`.
 */
export async function openDamaged(level: string, copy: string): Promise<KeyValue> {
	try {
		const kv = await openLevel(level, { create: false });
		if (await isReadable(kv)) return kv;
		await kv.close();
	} catch (error) {
		// what another process or the system keeps from us may be whole
		if (!(error instanceof StoreError) || /LOCKED|UNAVAILABLE/.test(error.code)) throw error;
	}
	await rm(copy, { recursive: true, force: true });
	await cp(level, copy, { recursive: true });
	await ClassicLevel.repair(copy);
	return openLevel(copy, { create: false });
}

async function isReadable(kv: KeyValue): Promise<boolean> {
	try {
		for await (const _ of kv.values({ gte: Buffer.from([0]), lt: Buffer.from([0xff]) }));
		return true;
	} catch (error) {
		if (error instanceof StoreError && error.code === "STORE_DAMAGED") return false;
		throw error;
	}
}

/** A stream as far as there is something to vouch for its end. */
export interface SalvagedPlace extends StreamPlace {
	/** events that stand there, vouched for or not */
	readonly standing: number;
}

/**
 * The streams of a damaged database. One whose head is gone or altered is found by its name, which the old head or the
 * caller suggests and the first event confirms; its last event then counts as lost, unless the witness vouches for it.
 */
export async function salvagePlaces(
	kv: KeyValue,
	suggested: readonly string[],
	witness: ReadonlyMap<number, Head>,
): Promise<SalvagedPlace[]> {
	const { places, headless } = await readPlaces(kv);
	const salvaged: SalvagedPlace[] = places.map((place) => ({ ...place, standing: place.version }));
	for (const number of headless) {
		const head = kv.get(headKey(number));
		const first = kv.get(eventKey(number, 0));
		const names = head ? [claimedName(head), ...suggested] : suggested;
		const name = names.find((candidate) => first && previousOf(first) === genesis(candidate));
		if (name === undefined) continue;
		let last: Uint8Array | undefined;
		let standing = 0;
		for await (const values of kv.values(eventRange(number, 0, Number.MAX_SAFE_INTEGER))) {
			standing += values.length;
			last = values.at(-1);
		}
		if (!last) continue;
		const witnessed = witness.get(number);
		const isWhole = witnessed?.version === standing && witnessed.hash === sha256Node(last);
		const end = isWhole ? witnessed : { version: standing - 1, hash: previousOf(last) };
		salvaged.push({ number, name, ...end, standing });
	}
	return salvaged.sort((a, b) => a.number - b.number);
}
