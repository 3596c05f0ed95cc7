import type { Valuation } from "../../events/valuation.ts";
import { refreshesBetween } from "../../projections/host-warming.ts";
import { fork, isOnPath, type SizedEntry } from "./sizes.ts";
import type { CommitOption, Trace } from "./trace.ts";

/** How far back a breakpoint cache looks for a prefix it knows, in content blocks (Anthropic's documentation). */
export const LOOKBACK_BLOCKS = 20;

/** How caches are taken to behave. */
export interface CacheModel {
	/** the host keeps idle caches warm */
	readonly warming: boolean;
	/** every commit loses the whole prefix, system prompt included */
	readonly pessimistic: boolean;
}

/** A window that was sent and may be cached: which commit shaped it and where its path ended. */
export interface CachedWindow {
	/** ms since the epoch, at the start of the request */
	readonly at: number;
	readonly commit: CommitOption | undefined;
	readonly leaf: SizedEntry | undefined;
	readonly tokens: number;
	readonly valuation: Valuation;
}

/** Tokens of a whole prompt: what every one holds, what stands for folds, and the raw tail. */
export function windowTokens(
	trace: Trace,
	commit: CommitOption | undefined,
	leaf: SizedEntry | undefined,
): number {
	const upTo = leaf?.upTo ?? 0;
	return trace.base + (commit ? commit.fixed + upTo - commit.foldedTo.upTo : upTo);
}

/** When the cache of a window was last written or kept warm before a later time, ms since the epoch. */
export function warmUntil(
	sent: CachedWindow,
	next: number,
	warming: boolean,
): { at: number; refreshes: number } {
	const refreshes = warming ? refreshesBetween(sent.valuation, sent.tokens, sent.at, next) : [];
	return { at: refreshes.at(-1) ?? sent.at, refreshes: refreshes.length };
}

/**
 * Whether a cache that was last touched at some time is still there for a request on a model. A clock that jumped back
 * is no time.
 */
export function isAlive(sent: CachedWindow, touchedAt: number, now: number, valuation: Valuation): boolean {
	return sent.valuation.model === valuation.model && Math.max(0, now - touchedAt) <= valuation.lifetimeMs;
}

/** Whether a cache finds a window again in one that extends it from one leaf to another. */
export function reachesBack(
	cache: Valuation["cache"],
	earlier: SizedEntry | undefined,
	leaf: SizedEntry | undefined,
): boolean {
	return cache === "prefix" || (leaf?.blocks ?? 0) - (earlier?.blocks ?? 0) <= LOOKBACK_BLOCKS;
}

/**
 * Tokens of a new window that the cache of an earlier one serves, if that cache is still there: all of the earlier
 * one where the new one extends it; else the longest common prefix, or, on a breakpoint cache, the system prompt.
 */
export function servedTokens(
	trace: Trace,
	earlier: CachedWindow,
	commit: CommitOption | undefined,
	leaf: SizedEntry | undefined,
	cache: Valuation["cache"],
): number {
	const head = cache === "prefix" ? sharedHead(trace, earlier.commit, commit) : trace.system;
	if (earlier.commit !== commit) return head;
	if (isOnPath(earlier.leaf, leaf)) return reachesBack(cache, earlier.leaf, leaf) ? earlier.tokens : head;
	if (cache === "breakpoint") return head;
	const shared = fork(earlier.leaf, leaf);
	const reachesTail = !commit || (shared !== undefined && shared.depth >= commit.foldedTo.depth);
	return reachesTail ? Math.max(head, windowTokens(trace, commit, shared)) : head;
}

/** Every window sent so far, and what is left of their caches. */
export class Caches {
	private readonly trace: Trace;
	private readonly model: CacheModel;
	private readonly byModel = new Map<string, CachedWindow[]>();
	/** the window sent last; the host keeps this one warm, and no other */
	private last: CachedWindow | undefined;

	constructor(trace: Trace, model: CacheModel) {
		this.trace = trace;
		this.model = model;
	}

	/** Takes in a window that is sent. */
	send(window: CachedWindow): void {
		const { model } = window.valuation;
		const sent = this.byModel.get(model);
		if (sent) sent.push(window);
		else this.byModel.set(model, [window]);
		this.last = window;
	}

	/** The window the host kept warm up to a time, and how often it was refreshed. */
	refreshed(now: number): { readonly window: CachedWindow; readonly refreshes: number } | undefined {
		const { last } = this;
		return last && { window: last, refreshes: warmUntil(last, now, this.model.warming).refreshes };
	}

	/**
	 * The most any live cache serves of a window to send: that of the window before on its model, or, where the path went
	 * elsewhere, of the newest window under the same commit that lies on it. O(windows) where the path or commit is
	 * another than before.
	 */
	served(next: CachedWindow): number {
		const sent = this.byModel.get(next.valuation.model) ?? [];
		const previous = sent.at(-1);
		if (!previous || (this.model.pessimistic && previous.commit !== next.commit)) return 0;
		const byPrevious = this.servedBy(previous, previous, next);
		if (previous.commit === next.commit && isOnPath(previous.leaf, next.leaf)) return byPrevious;
		const kin = sent.findLast(({ commit, leaf }) => commit === next.commit && isOnPath(leaf, next.leaf));
		if (!kin) return byPrevious;
		const user = sent.findLast(({ commit, leaf }) => commit === kin.commit && isOnPath(kin.leaf, leaf));
		return Math.max(byPrevious, this.servedBy(kin, user ?? kin, next));
	}

	/** What the cache of one window serves of another, given the newest window that used it. */
	private servedBy(window: CachedWindow, user: CachedWindow, next: CachedWindow): number {
		const touchedAt = user === this.last ? warmUntil(user, next.at, this.model.warming).at : user.at;
		if (!isAlive(window, touchedAt, next.at, next.valuation)) return 0;
		return servedTokens(this.trace, window, next.commit, next.leaf, next.valuation.cache);
	}
}

/** Tokens that two windows have in common before either's raw tail. */
function sharedHead(trace: Trace, a: CommitOption | undefined, b: CommitOption | undefined): number {
	if (!a || !b) return trace.system;
	let tokens = trace.base;
	for (const [index, { key, tokens: size }] of b.head.entries()) {
		if (a.head[index]?.key !== key) break;
		tokens += size;
	}
	return tokens;
}
