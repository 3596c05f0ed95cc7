import type { Valuation } from "../../events/valuation.ts";
import { refreshPrice } from "../../projections/host-warming.ts";
import { requestPrice } from "../../projections/price.ts";
import { type CacheModel, Caches, windowTokens } from "./cache.ts";
import type { CommitOption, Trace } from "./trace.ts";

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
	/** of a window that was sent */
	readonly meanTokens: number;
}

/** The commit in force at each request of a schedule: the newest one whose request lies on the path. */
export function inForce(trace: Trace, schedule: ReadonlySet<number>): (CommitOption | undefined)[] {
	const commits: (CommitOption | undefined)[] = [];
	for (const { index, follows, option } of trace.requests) {
		commits.push(schedule.has(index) && option ? option : commits[follows]);
	}
	return commits;
}

/** Prices a schedule: the indices of the requests at which a commit is made. O(requests) without branches. */
export function billFor(trace: Trace, schedule: ReadonlySet<number>, model: CacheModel): Bill {
	return billUnder(trace, inForce(trace, schedule), model);
}

/** Prices the windows of a recording, given the commit in force at each request. */
export function billUnder(
	trace: Trace,
	commits: readonly (CommitOption | undefined)[],
	model: CacheModel,
): Bill {
	const tally = new Tally();
	const caches = new Caches(trace, model);
	for (const { index, at, leaf, valuation, reply } of trace.requests) {
		const commit = commits[index];
		const tokens = windowTokens(trace, commit, leaf);
		const kept = caches.refreshed(at);
		if (kept) tally.warm(kept.refreshes * refreshPrice(kept.window.valuation, kept.window.tokens));
		const window = { at, commit, leaf, tokens, valuation };
		tally.request(valuation, Math.min(caches.served(window), tokens), tokens, reply.usage?.output ?? 0);
		caches.send(window);
	}
	return tally.bill(new Set(commits.filter((commit) => commit !== undefined)).size);
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

	request(valuation: Valuation, served: number, tokens: number, output: number): void {
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
