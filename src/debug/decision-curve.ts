import { offerAt } from "../commands/offer.ts";
import type { QuoteState } from "../commands/quote.ts";
import type { History, PastRequest } from "./history.ts";

/**
 * Holding cost against rewrite cost, request by request since the commit before: a commit pays where the first reaches
 * the second. Columns, one value a point, all in the unit of the valuation.
 */
export interface DecisionCurve {
	readonly request: readonly number[];
	/** what not having committed had cost since the commit before, that request included; as recorded */
	readonly holding: readonly number[];
	/**
	 * what committing there would have cost, weighed as the policy does; `null` where nothing was foldable
	 */
	readonly rewrite: readonly (number | null)[];
	/** whether `rewrite` is as it was quoted then; else it is worked out from the log */
	readonly rewriteRecorded: readonly boolean[];
}

/** Points of a curve at most; of more, some are left out, never the last. */
const MOST = 300;

/** A quote that is recorded: at the request before which it was made. */
export interface QuotedAt {
	readonly request: number;
	readonly held: number;
	readonly cost: number;
	readonly factor: number;
}

/**
 * The curve up to a request, from where waiting began with the commit in force before it. `quoted` is what was decided
 * there, if anything was: its last point. O(requests since, and raw tail for each point).
 */
export function curveUpTo(
	history: History,
	request: number,
	commit: string | undefined,
	quoted?: QuotedAt,
): DecisionCurve {
	const points = waitingUpTo(history, quoted ? request - 1 : request, commit);
	const stride = Math.ceil(points.length / (MOST - 1));
	const shown = points.filter((_, index) => (points.length - 1 - index) % stride === 0);
	const rewrites = shown.map(({ request }) => rewriteAt(history, request));
	const last = quoted ? [quoted] : [];
	return {
		request: [...shown.map((point) => point.request.prepared.request), ...last.map(({ request }) => request)],
		holding: [...shown.map(({ held }) => held), ...last.map(({ held }) => held)],
		rewrite: [...rewrites, ...last.map(({ cost, factor }) => cost * factor)],
		rewriteRecorded: [...rewrites.map(() => false), ...last.map(() => true)],
	};
}

/** Requests since waiting began with a commit in force, or none, and what it had cost at each. */
function waitingUpTo(
	{ requests, decisions, turns }: History,
	request: number,
	commit: string | undefined,
): { readonly request: PastRequest; readonly held: number }[] {
	const ends = (data: { readonly before: string | null }) => (data.before ?? undefined) === commit;
	let since = 0;
	for (const { event, after } of [...decisions, ...turns]) {
		const isEnd = event.type === "commit/applied" || event.type === "commit/observed";
		if (isEnd && ends(event.data) && after < request) since = Math.max(since, after);
	}
	const points: { request: PastRequest; held: number }[] = [];
	let held = 0;
	for (const one of requests.slice(since, request)) {
		if (one.prepared.commit !== commit) continue;
		held += one.prepared.holding;
		points.push({ request: one, held });
	}
	return points;
}

/** What a commit at a past request would have cost, by the prices, rules and rates of its time. O(raw tail). */
function rewriteAt(history: History, request: PastRequest): number | null {
	const quote = offerAt(stateThen(history, request), request.prepared.leaf)?.quote;
	return quote && quote.freed > 0 ? Math.max(0, quote.cost) * quote.factor : null;
}

/** Characters by which a rate counts as measured, so that the one that is expected at first has no part in it. */
const CERTAIN = 1e12;

function stateThen({ states }: History, { valuation, settings, sizes }: PastRequest): QuoteState {
	const { perToken, base } = sizes;
	return {
		...states,
		rules: { ...states.rules, settings, valuation: valuation ?? null },
		calibration: { ...states.calibration, chars: CERTAIN, tokens: CERTAIN / perToken, base },
	};
}
