import type { StreamPlace } from "./chain.ts";
import { decodeHead } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import { allOf, eventKey, parseEventKey } from "./keys.ts";
import type { Damage } from "./store.ts";

/** The streams of a database. */
export interface Places {
	/** those with a sound head */
	readonly places: StreamPlace[];
	/** numbers of those whose head was altered, or is gone while their events are there */
	readonly headless: readonly number[];
	/** what is wrong with the heads */
	readonly damage: Damage[];
}

/** Reads the heads of a database and looks for events that belong to none. */
export async function readPlaces(kv: KeyValue): Promise<Places> {
	const places: StreamPlace[] = [];
	const headless = new Set<number>();
	for await (const chunk of kv.entries(allOf("h"))) {
		for (const [key, value] of chunk) {
			const number = Buffer.from(key).readUInt32BE(1);
			const record = decodeHead(value);
			if (record) places.push({ number, ...record });
			else headless.add(number);
		}
	}
	for (const number of await numbersWithout(kv, places)) headless.add(number);
	const damage = [...headless].map(
		(number): Damage => ({ part: "head", what: `stream ${number} has no sound head` }),
	);
	return { places, headless: [...headless], damage };
}

/** Numbers of streams with events and no head. Hops from stream to stream, so it costs a seek for each. */
async function numbersWithout(kv: KeyValue, places: readonly StreamPlace[]): Promise<number[]> {
	const known = new Set(places.map(({ number }) => number));
	const headless: number[] = [];
	const { lt } = allOf("e");
	for (let number = 0; ; ) {
		let found: number | undefined;
		for await (const chunk of kv.keys({ gte: eventKey(number, 0), lt }, { limit: 1 })) {
			for (const key of chunk) found = parseEventKey(key).stream;
		}
		if (found === undefined) return headless;
		if (!known.has(found)) headless.push(found);
		number = found + 1;
	}
}
