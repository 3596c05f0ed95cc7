import { refreshPrice } from "../../projections/host-warming.ts";
import { requestPrice } from "../../projections/price.ts";
import {
	type CachedWindow,
	type CacheModel,
	isAlive,
	servedTokens,
	warmUntil,
	windowTokens,
} from "./cache.ts";
import { isOnPath } from "./sizes.ts";
import type { CommitOption, Trace, TraceRequest } from "./trace.ts";

/** The cheapest schedule there is: requests at which to commit, and what it comes to. */
export interface Optimum {
	readonly schedule: ReadonlySet<number>;
	readonly usd: number;
	/** no request goes back to a branch point or to an earlier model, so that `usd` is exact and not a lower bound */
	readonly exact: boolean;
}

/** A way to have got here: the commits that matter from here on, what it all cost, and the schedule behind it. */
interface State {
	readonly commit: CommitOption | undefined;
	/** commit in force at each earlier request that a later one goes back to */
	readonly saved: ReadonlyMap<number, CommitOption | undefined>;
	readonly usd: number;
	readonly made: Made | undefined;
}

/** A request, the one sent before it, and an earlier one whose cache it may find again. */
interface Step {
	readonly previous: TraceRequest | undefined;
	readonly request: TraceRequest;
	readonly kin: TraceRequest | undefined;
}

interface Made {
	readonly request: number;
	readonly before: Made | undefined;
}

/**
 * The cheapest schedule by shortest path. The state of a window is the request of its last commit, since by the
 * canonical forest that decides all of it: F(b) is the minimum over a < b of F(a) + Σ cost(k | a) for a < k < b +
 * commit(b | a), and the answer the minimum over a of F(a) + Σ cost(k | a) to the end. The sums run along, one a state,
 * so it takes O(n²) time and O(n) memory. Where requests go back to a branch point, the commit in force there is part of
 * the state; there, and where they go back to an earlier model, the cache of the last window that can serve is taken to
 * be alive and to hold the same commit: then the outcome is a lower bound.
 */
export function optimumOf(trace: Trace, model: CacheModel): Optimum {
	const lastChild = new Map(trace.requests.map(({ index, follows }) => [follows, index]));
	let states: State[] = [{ commit: undefined, saved: new Map(), usd: 0, made: undefined }];
	let exact = true;
	for (const request of trace.requests) {
		const { index, follows, option } = request;
		const previous = trace.requests[index - 1];
		const kin = kinOf(trace, previous, request);
		if (kin || follows !== index - 1) exact = false;
		const next = new Cheapest();
		for (const state of states) {
			const standing = follows === index - 1 ? state.commit : state.saved.get(follows);
			for (const commit of option ? [standing, option] : [standing]) {
				const made = commit === standing ? state.made : { request: index, before: state.made };
				const usd = state.usd + stepPrice(trace, state.commit, commit, { previous, request, kin }, model);
				next.offer({ commit, saved: savedAfter(state.saved, index, commit, lastChild), usd, made });
			}
		}
		states = next.states();
	}
	const best = states.reduce((a, b) => (b.usd < a.usd ? b : a));
	const schedule = new Set<number>();
	for (let made = best.made; made; made = made.before) schedule.add(made.request);
	return { schedule, usd: best.usd, exact };
}

/** The newest request on the path and model of one that does not simply go on from the request before it. */
function kinOf(
	trace: Trace,
	previous: TraceRequest | undefined,
	{ index, leaf, valuation }: TraceRequest,
): TraceRequest | undefined {
	if (!previous) return undefined;
	if (previous.valuation.model === valuation.model && isOnPath(previous.leaf, leaf)) return undefined;
	return trace.requests.findLast(
		(other) => other.index < index && other.valuation.model === valuation.model && isOnPath(other.leaf, leaf),
	);
}

function savedAfter(
	saved: State["saved"],
	index: number,
	commit: CommitOption | undefined,
	lastChild: ReadonlyMap<number, number>,
): State["saved"] {
	const needed = (request: number) => (lastChild.get(request) ?? -1) > index;
	const keeps = (lastChild.get(index) ?? -1) > index + 1;
	if (!keeps && saved.size === 0) return saved;
	const after = new Map([...saved].filter(([request]) => needed(request)));
	if (keeps) after.set(index, commit);
	return after;
}

/** Of all ways to one state, the cheapest. */
class Cheapest {
	private readonly byKey = new Map<CommitOption | undefined | string, State>();

	offer(state: State): void {
		const key = state.saved.size === 0 ? state.commit : keyOf(state);
		const known = this.byKey.get(key);
		if (!known || state.usd < known.usd) this.byKey.set(key, state);
	}

	states(): State[] {
		return [...this.byKey.values()];
	}
}

function keyOf({ commit, saved }: State): string {
	const name = (option: CommitOption | undefined) => option?.request ?? "-";
	return [name(commit), ...[...saved].map(([request, option]) => `${request}:${name(option)}`)].join(" ");
}

/** What a request costs under a commit, after the one before it was sent under another or the same. */
function stepPrice(
	trace: Trace,
	before: CommitOption | undefined,
	commit: CommitOption | undefined,
	{ previous, request, kin }: Step,
	model: CacheModel,
): number {
	const { at, valuation, leaf, reply } = request;
	const tokens = windowTokens(trace, commit, leaf);
	const output = reply.usage?.output ?? 0;
	if (!previous) return requestPrice(valuation, 0, tokens, output);
	const sent: CachedWindow = {
		at: previous.at,
		commit: before,
		leaf: previous.leaf,
		tokens: windowTokens(trace, before, previous.leaf),
		valuation: previous.valuation,
	};
	const warm = warmUntil(sent, at, model.warming);
	const refreshed = warm.refreshes * refreshPrice(previous.valuation, sent.tokens);
	const lost = model.pessimistic && before !== commit;
	const live = isAlive(sent, warm.at, at, valuation) && !lost;
	const byPrevious = live ? servedTokens(trace, sent, commit, leaf, valuation.cache) : 0;
	const served = kin ? Math.max(byPrevious, windowTokens(trace, commit, kin.leaf)) : byPrevious;
	return refreshed + requestPrice(valuation, Math.min(served, tokens), tokens, output);
}
