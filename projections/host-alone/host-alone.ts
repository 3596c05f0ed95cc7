import type { Draft } from "immer";
import type { EntryEvent } from "../../events/entry.ts";
import type { RequestEvent } from "../../events/request.ts";
import type { Valuation, ValuationEvent } from "../../events/valuation.ts";
import { buckets, type MutableBuckets, put } from "../buckets.ts";
import { type Calibration, calibration, tokensOf } from "../calibration.ts";
import { refreshPrice } from "../host-warming.ts";
import { pricesFor, requestPrice, UNPRICED } from "../price.ts";
import type { Place as EventPlace, Projection } from "../projection.ts";
import type { Weight } from "../session-tree.ts";
import { keptWarm, type SentAlone, type Served, servedAlone } from "./caches.ts";
import { type Compaction, RESERVE_TOKENS, SUMMARY_CHARS } from "./compaction.ts";
import {
	lastDropped,
	type Place,
	type Places,
	placeFor,
	placeOf,
	summarisedChars,
	windowAt,
} from "./places.ts";

type Unit = Valuation["unit"];

/** An amount for each unit that prices came in: dollars, and input-token equivalents. */
type Amounts = { readonly [unit in Unit]: number };

/** What went out and was not measured yet. */
interface Waiting {
	readonly request: number;
	/** the window the host alone would have sent */
	readonly window: Weight;
	/** what a cache would have served of it; absent where none was alive */
	readonly served?: Served;
}

/** The same requests with the host's own compaction alone, and what both ways cost. */
export interface HostAlone {
	readonly places: Places;
	/** by name */
	readonly compactions: ReadonlyMap<string, Compaction>;
	readonly valuation: Valuation | null;
	/** sizes, as measured requests teach them */
	readonly calibration: Calibration;
	/** by model and compaction */
	readonly sent: ReadonlyMap<string, SentAlone>;
	/** key in `sent` of each model's last window */
	readonly lastOf: ReadonlyMap<string, string>;
	/** the window sent last, which the host would keep warm, with the prices it was sent at */
	readonly last: { readonly key: string; readonly valuation: Valuation } | null;
	readonly waiting: Waiting | null;
	/** the host's summaries and refreshes since the last measured request */
	readonly owed: Amounts;
	/** the request measured last, and the tokens of its prompt */
	readonly measured: { readonly request: number; readonly prompt: number };
	/** what was paid for the requests that were measured */
	readonly ours: Amounts;
	/** what the host alone would have paid for the same */
	readonly host: Amounts;
}

type HeardEvent = EntryEvent | RequestEvent | ValuationEvent;

/**
 * What the same requests would have cost with the host's own compaction and nothing else, by the cache model that
 * replays price with. Sizes are those measured, less the difference of both windows in characters. O(1) a request but
 * where the host would compact or the path went elsewhere.
 */
export const hostAlone: Projection<HostAlone, HeardEvent> = {
	name: "host-alone",
	version: 3,
	listens: {
		"entry/recorded": true,
		"request/prepared": true,
		"request/measured": true,
		"valuation/changed": true,
	},
	initial: () => ({
		places: buckets(),
		compactions: new Map(),
		valuation: null,
		calibration: calibration.initial(),
		sent: new Map(),
		lastOf: new Map(),
		last: null,
		waiting: null,
		owed: { usd: 0, token: 0 },
		measured: { request: 0, prompt: 0 },
		ours: { usd: 0, token: 0 },
		host: { usd: 0, token: 0 },
	}),
	apply,
};

function apply(draft: Draft<HostAlone>, event: HeardEvent, place: EventPlace, state: HostAlone): void {
	switch (event.type) {
		case "entry/recorded":
			record(state, draft, event.data);
			return;
		case "valuation/changed":
			draft.valuation = { ...event.data, tiers: event.data.tiers.map((tier) => ({ ...tier })) };
			calibration.apply(draft.calibration, event, place, state.calibration);
			return;
		case "request/prepared":
			prepare(state, draft, event.data);
			return;
		case "request/measured":
			calibration.apply(draft.calibration, event, place, state.calibration);
			measure(state, draft, event.data);
			return;
		default:
			event satisfies never;
	}
}

function record(state: HostAlone, draft: Draft<HostAlone>, entry: EntryEvent["data"]): void {
	const place = placeFor(state.places, entry);
	const isHeeded = entry.kind === "compaction" && entry.firstKept !== undefined;
	if (isHeeded) {
		const kept = placeOf(state.places, entry.firstKept ?? null);
		draft.compactions.set(entry.id, { to: kept ? kept.parent : entry.parent, chars: entry.chars });
	}
	putPlace(draft, isHeeded ? { ...place, compaction: entry.id } : place);
	// the host kept our window warm
	if (entry.kind === "usage" && state.valuation?.unit === "usd")
		draft.ours.usd += refreshPrice(state.valuation, state.measured.prompt);
}

function prepare(
	state: HostAlone,
	draft: Draft<HostAlone>,
	{ request, at, leaf, model }: Extract<RequestEvent, { type: "request/prepared" }>["data"],
): void {
	const { places, sent, last } = state;
	const place = placeOf(places, leaf);
	if (!place) {
		draft.waiting = null;
		return;
	}
	const valuation = state.valuation ?? UNPRICED;
	const made = compactionAt(state, place, valuation);
	const name = made ? `request ${request}` : place.compaction;
	const compaction = made?.compaction ?? state.compactions.get(name ?? "");
	const window = windowAt(places, place, compaction);

	const key = sentKey(model, name);
	const held = last && sent.get(last.key);
	const kept = held && keptWarm(held, last.valuation, at);
	const warm = (of: string | undefined) => {
		const window = sent.get(of ?? "");
		return window && kept && of === last.key ? { ...window, at: kept.at } : window;
	};
	const sending = { places, leaf: place, at, name, compaction, valuation: { ...valuation, model } };
	const served = servedAlone(sending, warm(key), warm(state.lastOf.get(model)));

	if (made) {
		// in a fork, or where nobody listened from the start, it was made and paid for long before the first request
		if (last) draft.owed[valuation.unit] += made.price;
		draft.compactions.set(`request ${request}`, made.compaction);
	}
	if (held && kept && kept.refreshes > 0) {
		draft.owed.usd += kept.refreshes * refreshPrice(last.valuation, held.tokens);
		draft.sent.set(last.key, { ...held, at: kept.at });
	}
	draft.waiting = { request, window, ...(served && { served }) };
	const tokens = state.calibration.base + tokensOf(state.calibration, window);
	draft.sent.set(key, { at, leaf: place.id, tokens, request });
	draft.lastOf.set(model, key);
	if (last?.key !== key || last.valuation !== valuation)
		draft.last = { key, valuation: valuation as Draft<Valuation> };
	putPlace(draft, { ...place, compaction: name, asked: place.id, sentAt: at, sentTo: model });
}

/** The compaction the host would make at a leaf, and the price of its summary; `undefined` where it would make none. */
function compactionAt(
	{ places, calibration, compactions }: HostAlone,
	leaf: Place,
	valuation: Valuation,
): { compaction: Compaction; price: number } | undefined {
	const standing = compactions.get(leaf.compaction ?? "");
	const tokens = calibration.base + tokensOf(calibration, windowAt(places, leaf, standing));
	if (tokens <= valuation.window - RESERVE_TOKENS) return undefined;
	const to = lastDropped(places, leaf);
	if (!to || to.depth <= (placeOf(places, standing?.to ?? null)?.depth ?? -1)) return undefined;
	const input = tokensOf(calibration, { chars: summarisedChars(places, standing, to), images: 0 });
	const output = tokensOf(calibration, { chars: SUMMARY_CHARS, images: 0 });
	const prices = pricesFor(valuation, input);
	const price = (input * prices.input + output * prices.output) / 1e6;
	return { compaction: { to: to.id, chars: SUMMARY_CHARS }, price };
}

function measure(
	{ waiting, measured: before, valuation: prices, owed }: HostAlone,
	draft: Draft<HostAlone>,
	measured: Extract<RequestEvent, { type: "request/measured" }>["data"],
): void {
	const prompt = measured.input + measured.cacheRead + measured.cacheWrite;
	if (waiting?.request !== measured.request || prompt === 0) return;
	const rate = draft.calibration;
	const valuation = prices ?? UNPRICED;
	const { unit } = valuation;
	const rest = prompt - tokensOf(rate, { chars: measured.chars, images: measured.images });
	const tokensIn = (weight: Weight) => Math.max(0, rest + tokensOf(rate, weight));
	const tokens = tokensIn(waiting.window);
	const { served } = waiting;
	// where both windows only grew, they grew by the same entries, and these were measured
	const grew = measured.appended && served?.extends === before.request ? prompt - before.prompt : undefined;
	const read = grew === undefined ? (served ? tokensIn(served.weight) : 0) : tokens - Math.max(0, grew);
	const kept = Math.min(tokens, Math.max(0, read));
	draft.ours[unit] += paid(valuation, measured);
	draft.host[unit] += requestPrice(valuation, kept, tokens, measured.output) + owed[unit];
	draft.owed[unit] = 0;
	draft.waiting = null;
	draft.measured = { request: measured.request, prompt };
}

/** A host that says 0 of a priced model has not computed it. */
function paid(
	valuation: Valuation,
	{ input, cacheRead, cacheWrite, output, usd }: Extract<RequestEvent, { type: "request/measured" }>["data"],
): number {
	if (valuation.unit === "usd" && usd) return usd;
	const prices = pricesFor(valuation, input + cacheRead + cacheWrite);
	const prompt = input * prices.input + cacheRead * prices.read + cacheWrite * prices.write;
	return (prompt + output * prices.output) / 1e6;
}

function putPlace(draft: Draft<HostAlone>, place: Place): void {
	put(draft.places as MutableBuckets<Place>, place.id, place);
}

function sentKey(model: string, compaction: string | null): string {
	return `${model} ${compaction ?? ""}`;
}
