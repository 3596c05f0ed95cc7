import type { Valuation } from "../../events/valuation.ts";
import { pricesFor, promptPrice } from "../commands/price.ts";
import { type SentWindow, servedTokens, warmUntil, windowTokens } from "./cache.ts";
import { isOnPath } from "./sizes.ts";
import type { CommitOption, Trace, TraceRequest } from "./trace.ts";
import { refreshPrice } from "./warming.ts";

/** What a schedule of commits costs. Dollars, or input-token equivalents where nothing is priced; tokens. */
export interface Bill {
	readonly usd: number;
	/** part of `usd` paid to keep idle caches warm */
	readonly warmUsd: number;
	/** prompt tokens that no cache served */
	readonly freshTokens: number;
	readonly cachedTokens: number;
	readonly outputTokens: number;
	readonly commits: number;
	readonly peakTokens: number;
	readonly meanTokens: number;
}

/** How caches are taken to behave. */
export interface CacheModel {
	/** the host keeps idle caches warm */
	readonly warming: boolean;
	/** every commit loses the whole prefix, system prompt included */
	readonly pessimistic: boolean;
}

/** The commit in force at each request of a schedule: the newest one whose request lies on the path. */
export function inForce(trace: Trace, schedule: ReadonlySet<number>): (CommitOption | undefined)[] {
	const made: TraceRequest[] = [];
	return trace.requests.map((request) => {
		if (schedule.has(request.index) && request.option) made.push(request);
		const newest = made.findLast((commit) => commit === request || isOnPath(commit.replied, request.leaf));
		return newest?.option;
	});
}

/** Prices a schedule: the indices of the requests at which a commit is made. O(requests) without branches. */
export function billFor(trace: Trace, schedule: ReadonlySet<number>, model: CacheModel): Bill {
	const commits = inForce(trace, schedule);
	const tally = new Tally();
	const sent: SentWindow[] = [];
	for (const request of trace.requests) {
		const commit = commits[request.index];
		const tokens = windowTokens(trace, commit, request.leaf);
		const previous = sent.at(-1);
		const warm = previous && warmUntil(previous, request.at, model.warming);
		if (previous && warm) tally.warm(warm.refreshes * refreshPrice(previous.valuation, previous.tokens));
		const lost = model.pessimistic && previous !== undefined && previous.commit !== commit;
		const served = lost ? 0 : bestServed(trace, sent, { ...request, commit }, model);
		tally.request(request, Math.min(served, tokens), tokens);
		sent.push({ at: request.at, commit, leaf: request.leaf, tokens, valuation: request.valuation });
	}
	return tally.bill(new Set(commits.filter((commit) => commit !== undefined)).size);
}

/** What one request costs, its reply included. */
export function requestPrice(valuation: Valuation, served: number, tokens: number, output: number): number {
	const price = promptPrice(valuation, served, tokens - served);
	return price + (output * pricesFor(valuation, tokens).output) / 1e6;
}

/**
 * The most any live cache serves: that of the window before, or, where the path went elsewhere, of the newest window
 * under the same commit that lies on it.
 */
function bestServed(
	trace: Trace,
	sent: readonly SentWindow[],
	request: TraceRequest & { commit: CommitOption | undefined },
	model: CacheModel,
): number {
	const previous = sent.at(-1);
	if (!previous) return 0;
	const servedBy = (earlier: SentWindow, touchedAt: number): number => {
		const { lifetimeMs, cache, model: name } = request.valuation;
		const idle = Math.max(0, request.at - touchedAt);
		if (earlier.valuation.model !== name || idle > lifetimeMs) return 0;
		return servedTokens(trace, earlier, request.commit, request.leaf, cache);
	};
	const byPrevious = servedBy(previous, warmUntil(previous, request.at, model.warming).at);
	if (previous.commit === request.commit && isOnPath(previous.leaf, request.leaf)) return byPrevious;
	const kin = sent.findLast(
		(window) => window.commit === request.commit && isOnPath(window.leaf, request.leaf),
	);
	return Math.max(byPrevious, kin ? servedBy(kin, lastTouch(sent, kin, request.at, model)) : 0);
}

/** When the prefix of an earlier window was last used: by itself, or by the newest one that extends it. */
function lastTouch(sent: readonly SentWindow[], window: SentWindow, now: number, model: CacheModel): number {
	const last =
		sent.findLast((other) => other.commit === window.commit && isOnPath(window.leaf, other.leaf)) ?? window;
	return last === sent.at(-1) ? warmUntil(last, now, model.warming).at : last.at;
}

class Tally {
	private usd = 0;
	private warmUsd = 0;
	private fresh = 0;
	private cached = 0;
	private output = 0;
	private peak = 0;
	private requests = 0;

	warm(usd: number): void {
		this.usd += usd;
		this.warmUsd += usd;
	}

	request({ valuation, reply }: TraceRequest, served: number, tokens: number): void {
		const output = reply.usage?.output ?? 0;
		this.usd += requestPrice(valuation, served, tokens, output);
		this.fresh += tokens - served;
		this.cached += served;
		this.output += output;
		this.peak = Math.max(this.peak, tokens);
		this.requests += 1;
	}

	bill(commits: number): Bill {
		return {
			usd: this.usd,
			warmUsd: this.warmUsd,
			freshTokens: Math.round(this.fresh),
			cachedTokens: Math.round(this.cached),
			outputTokens: this.output,
			commits,
			peakTokens: Math.round(this.peak),
			meanTokens: Math.round((this.fresh + this.cached) / Math.max(1, this.requests)),
		};
	}
}
