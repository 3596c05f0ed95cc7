import type { Valuation } from "../../events/valuation.ts";
import { refreshesBetween } from "../host-warming.ts";
import type { Weight } from "../session-tree.ts";
import type { Compaction } from "./compaction.ts";
import { forkOf, type Place, type Places, placeOf, windowAt } from "./places.ts";

/** A window the host alone would have sent. */
export interface SentAlone {
	/** ms since the epoch, at the start of the request */
	readonly at: number;
	readonly leaf: string;
	readonly tokens: number;
	readonly request: number;
}

/** What a cache serves of a window. */
export interface Served {
	readonly weight: Weight;
	/** the request whose whole window it is, where the one to send only adds to that */
	readonly extends?: number;
}

/** What caches are asked. */
export interface Sending {
	readonly places: Places;
	readonly leaf: Place;
	readonly at: number;
	readonly name: string | null;
	readonly compaction: Compaction | undefined;
	readonly valuation: Valuation;
}

/** When a cache was last used before a time, and how often the host would have kept it warm by itself. */
export function keptWarm(
	sent: SentAlone,
	valuation: Valuation,
	now: number,
): { readonly at: number; readonly refreshes: number } {
	const times = refreshesBetween(valuation, sent.tokens, sent.at, now);
	return { at: times.at(-1) ?? sent.at, refreshes: times.length };
}

/**
 * What a cache still serves of a window to send; `undefined` where none is alive. `newest` is the last window of this
 * model under the same compaction, `previous` its last one under any, each with the time its cache was last used.
 */
export function servedAlone(
	next: Sending,
	newest: SentAlone | undefined,
	previous: SentAlone | undefined,
): Served | undefined {
	const isAlive = (at: number) => Math.max(0, next.at - at) <= next.valuation.lifetimeMs;
	const head: Served = { weight: { chars: next.leaf.lead, images: 0 } };
	let served = previous && isAlive(previous.at) ? head : undefined;
	if (newest && isAlive(newest.at)) served = sharedWith(next, newest, head);
	const asked = placeOf(next.places, next.leaf.asked);
	const isOwn = asked?.sentTo === next.valuation.model && asked.compaction === next.name;
	if (isOwn && isAlive(asked.sentAt ?? 0)) {
		const weight = windowAt(next.places, asked, next.compaction);
		if (!served || weight.chars > served.weight.chars) served = { weight };
	}
	return served;
}

function sharedWith(next: Sending, sent: SentAlone, head: Served): Served {
	const { places, leaf, compaction, valuation } = next;
	const before = placeOf(places, sent.leaf);
	const fork = forkOf(places, before, leaf);
	// a breakpoint cache knows only where earlier requests ended
	const known = fork === before || valuation.cache === "prefix" ? fork : placeOf(places, fork?.asked ?? null);
	const dropped = placeOf(places, compaction?.to ?? null)?.depth ?? -1;
	if (!known || known.depth < dropped) return head;
	const weight = windowAt(places, known, compaction);
	return fork === before ? { weight, extends: sent.request } : { weight };
}
