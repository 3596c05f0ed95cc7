import { type CacheModel, requestPrice } from "./bill.ts";
import { type SentWindow, servedTokens, warmUntil, windowTokens } from "./cache.ts";
import { isOnPath } from "./sizes.ts";
import type { CommitOption, Trace, TraceRequest } from "./trace.ts";
import { refreshPrice } from "./warming.ts";

/** The cheapest schedule there is: requests at which to commit, and what it comes to. */
export interface Optimum {
	readonly schedule: ReadonlySet<number>;
	readonly usd: number;
	/** no request goes back to a branch point, so that `usd` is exact and not a lower bound */
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

interface Made {
	readonly request: number;
	readonly before: Made | undefined;
}

/**
 * The cheapest schedule by shortest path. The state of a window is the request of its last commit, since by the
 * canonical forest that decides all of it: F(b) is the minimum over a < b of F(a) + Σ cost(k | a) for a < k < b +
 * commit(b | a), and the answer the minimum over a of F(a) + Σ cost(k | a) to the end. The sums run along, one a state,
 * so it takes O(n²) time and O(n) memory. Where requests go back to a branch point, the commit in force there is part of
 * the state and its cache is taken to have been kept as long as any: then the outcome is a lower bound.
 */
export function optimumOf(trace: Trace, model: CacheModel): Optimum {
	const { parents, lastChild } = lineage(trace);
	let states: State[] = [{ commit: undefined, saved: new Map(), usd: 0, made: undefined }];
	let previous: TraceRequest | undefined;
	for (const request of trace.requests) {
		const { index, option } = request;
		const parent = parents[index] ?? -1;
		const next = new Cheapest();
		for (const state of states) {
			const standing = parent === index - 1 ? state.commit : state.saved.get(parent);
			for (const commit of option ? [standing, option] : [standing]) {
				const made = commit === standing ? state.made : { request: index, before: state.made };
				const usd = state.usd + stepPrice(trace, state.commit, commit, previous, request, model);
				next.offer({ commit, saved: savedAfter(state.saved, index, commit, lastChild), usd, made });
			}
		}
		states = next.states();
		previous = request;
	}
	const best = states.reduce((a, b) => (b.usd < a.usd ? b : a));
	const schedule = new Set<number>();
	for (let made = best.made; made; made = made.before) schedule.add(made.request);
	return { schedule, usd: best.usd, exact: parents.every((parent, index) => parent === index - 1) };
}

/** The request each one follows on its path (-1: none), and the last that follows each. */
function lineage(trace: Trace): { parents: number[]; lastChild: Map<number, number> } {
	const lastChild = new Map<number, number>();
	const parents = trace.requests.map((request, index) => {
		let parent = index - 1;
		while (parent >= 0 && !isOnPath(trace.requests[parent]?.replied, request.leaf)) parent--;
		lastChild.set(parent, index);
		return parent;
	});
	return { parents, lastChild };
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
	previous: TraceRequest | undefined,
	request: TraceRequest,
	model: CacheModel,
): number {
	const { valuation, leaf, reply } = request;
	const tokens = windowTokens(trace, commit, leaf);
	const output = reply.usage?.output ?? 0;
	if (!previous) return requestPrice(valuation, 0, tokens, output);
	const sent: SentWindow = {
		at: previous.at,
		commit: before,
		leaf: previous.leaf,
		tokens: windowTokens(trace, before, previous.leaf),
		valuation: previous.valuation,
	};
	const warm = warmUntil(sent, request.at, model.warming);
	const refreshed = warm.refreshes * refreshPrice(previous.valuation, sent.tokens);
	const alive =
		sent.valuation.model === valuation.model && Math.max(0, request.at - warm.at) <= valuation.lifetimeMs;
	const lost = model.pessimistic && before !== commit;
	const served = alive && !lost ? servedAtBest(trace, sent, commit, request) : 0;
	return refreshed + requestPrice(valuation, Math.min(served, tokens), tokens, output);
}

/** What the window before serves, or an earlier one on the path under the same commit, wherever that is more. */
function servedAtBest(
	trace: Trace,
	sent: SentWindow,
	commit: CommitOption | undefined,
	request: TraceRequest,
): number {
	const { leaf, valuation } = request;
	const served = servedTokens(trace, sent, commit, leaf, valuation.cache);
	if (isOnPath(sent.leaf, leaf)) return served;
	const kin = trace.requests.findLast(({ index, leaf: at }) => index < request.index && isOnPath(at, leaf));
	return kin ? Math.max(served, windowTokens(trace, commit, kin.leaf)) : served;
}
