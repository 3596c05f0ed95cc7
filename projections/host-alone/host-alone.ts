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
	version: 1,
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

function apply(draft: Draft<HostAlone>, event: HeardEvent, place: EventPlace): void {
	switch (event.type) {
		case "entry/recorded":
			record(draft, event.data);
			return;
		case "valuation/changed":
			draft.valuation = copyOf(event.data);
			calibration.apply(draft.calibration, event, place);
			return;
		case "request/prepared":
			prepare(draft, event.data);
			return;
		case "request/measured":
			calibration.apply(draft.calibration, event, place);
			measure(draft, event.data);
			return;
		default:
			event satisfies never;
	}
}

function record(draft: Draft<HostAlone>, entry: EntryEvent["data"]): void {
	const place = placeFor(draft.places as Places, entry);
	const heeded = entry.kind === "compaction" && entry.firstKept !== undefined;
	if (heeded) {
		const kept = placeOf(draft.places as Places, entry.firstKept ?? null);
		draft.compactions.set(entry.id, { to: kept ? kept.parent : entry.parent, chars: entry.chars });
	}
	putPlace(draft, heeded ? { ...place, compaction: entry.id } : place);
	// the host kept our window warm
	if (entry.kind === "usage" && draft.valuation?.unit === "usd")
		draft.ours.usd += refreshPrice(draft.valuation as Valuation, draft.measured.prompt);
}

function prepare(
	draft: Draft<HostAlone>,
	{ request, at, leaf, model }: Extract<RequestEvent, { type: "request/prepared" }>["data"],
): void {
	draft.waiting = null;
	const state = draft as HostAlone;
	const { places } = state;
	const place = placeOf(places, leaf);
	if (!place) return;
	const valuation = state.valuation ?? UNPRICED;
	const name = compactIfFull(draft, place, request, valuation);
	const compaction = state.compactions.get(name ?? "");
	const window = windowAt(places, place, compaction);

	const key = sentKey(model, name);
	const last = draft.last && state.sent.get(draft.last.key);
	if (draft.last && last) {
		const kept = keptWarm(last, draft.last.valuation as Valuation, at);
		draft.owed.usd += kept.refreshes * refreshPrice(draft.last.valuation as Valuation, last.tokens);
		draft.sent.set(draft.last.key, { ...last, at: kept.at });
	}
	const newest = state.sent.get(key);
	const previous = state.sent.get(state.lastOf.get(model) ?? "");
	const sending = { places, leaf: place, at, name, compaction, valuation: { ...valuation, model } };
	const served = servedAlone(sending, newest, previous);
	draft.waiting = { request, window, ...(served && { served }) };
	const tokens = draft.calibration.base + tokensOf(state.calibration, window);
	draft.sent.set(key, { at, model, compaction: name, leaf: place.id, tokens, request });
	draft.lastOf.set(model, key);
	draft.last = { key, valuation: copyOf(valuation) };
	putPlace(draft, { ...place, compaction: name, asked: place.id, sent: { at, model } });
}

/** Compacts where the host would; the name of the compaction in force. */
function compactIfFull(
	draft: Draft<HostAlone>,
	leaf: Place,
	request: number,
	valuation: Valuation,
): string | null {
	const state = draft as HostAlone;
	const { places } = state;
	const standing = state.compactions.get(leaf.compaction ?? "");
	const tokens = state.calibration.base + tokensOf(state.calibration, windowAt(places, leaf, standing));
	if (tokens <= valuation.window - RESERVE_TOKENS) return leaf.compaction;
	const to = lastDropped(places, leaf);
	if (!to || to.depth <= (placeOf(places, standing?.to ?? null)?.depth ?? -1)) return leaf.compaction;
	const input = tokensOf(state.calibration, { chars: summarisedChars(places, standing, to), images: 0 });
	const output = tokensOf(state.calibration, { chars: SUMMARY_CHARS, images: 0 });
	const prices = pricesFor(valuation, input);
	draft.owed[valuation.unit] += (input * prices.input + output * prices.output) / 1e6;
	const name = `request ${request}`;
	draft.compactions.set(name, { to: to.id, chars: SUMMARY_CHARS });
	return name;
}

function measure(
	draft: Draft<HostAlone>,
	measured: Extract<RequestEvent, { type: "request/measured" }>["data"],
): void {
	const { waiting } = draft;
	const prompt = measured.input + measured.cacheRead + measured.cacheWrite;
	if (waiting?.request !== measured.request || prompt === 0) return;
	const { request: before, prompt: promptBefore } = draft.measured;
	draft.waiting = null;
	draft.measured = { request: measured.request, prompt };
	const state = draft as HostAlone;
	const valuation = state.valuation ?? UNPRICED;
	const { unit } = valuation;
	const rest = prompt - tokensOf(state.calibration, { chars: measured.chars, images: measured.images });
	const tokensIn = (weight: Weight) => Math.max(0, rest + tokensOf(state.calibration, weight));
	const tokens = tokensIn(waiting.window);
	const { served } = waiting;
	// where both windows only grew, they grew by the same entries, and these were measured
	const grew = measured.appended && served?.extends === before ? prompt - promptBefore : undefined;
	const read = grew === undefined ? (served ? tokensIn(served.weight) : 0) : tokens - Math.max(0, grew);
	draft.ours[unit] += paid(valuation, measured);
	draft.host[unit] +=
		requestPrice(valuation, Math.min(tokens, Math.max(0, read)), tokens, measured.output) + draft.owed[unit];
	draft.owed[unit] = 0;
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

function copyOf(valuation: Valuation): Draft<Valuation> {
	return { ...valuation, tiers: valuation.tiers.map((tier) => ({ ...tier })) };
}
