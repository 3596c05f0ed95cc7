import type { StreamPlace } from "./chain.ts";
import { decodeHead } from "./head.ts";
import type { KeyValue } from "./key-value.ts";
import { allOf, eventKey, parseEventKey } from "./keys.ts";
import type { Damage } from "./store.ts";

/** The streams of a database by their heads, and what is wrong with the heads. */
export async function readPlaces(kv: KeyValue): Promise<{ places: StreamPlace[]; damage: Damage[] }> {
	const places: StreamPlace[] = [];
	const damage: Damage[] = [];
	for await (const chunk of kv.entries(allOf("h"))) {
		for (const [key, value] of chunk) {
			const number = Buffer.from(key).readUInt32BE(1);
			const record = decodeHead(value);
			if (record) places.push({ number, ...record });
			else damage.push({ part: "head", what: `the head of stream ${number} was changed` });
		}
	}
	damage.push(...(await headless(kv, places)));
	return { places, damage };
}

/** Streams whose events are there and whose heads are not. Hops from stream to stream, so it costs a seek for each. */
async function headless(kv: KeyValue, places: readonly StreamPlace[]): Promise<Damage[]> {
	const known = new Set(places.map(({ number }) => number));
	const damage: Damage[] = [];
	const { lt } = allOf("e");
	for (let number = 0; ; ) {
		let found: number | undefined;
		for await (const chunk of kv.keys({ gte: eventKey(number, 0), lt }, { limit: 1 })) {
			for (const key of chunk) found = parseEventKey(key).stream;
		}
		if (found === undefined) return damage;
		if (!known.has(found)) damage.push({ part: "head", what: `stream ${found} has events but no head` });
		number = found + 1;
	}
}
