import type { Valuation } from "../../events/valuation.ts";
import { fork, isOnPath, type SizedEntry } from "./sizes.ts";
import type { CommitOption, Trace } from "./trace.ts";
import { refreshesBetween } from "./warming.ts";

/** How far back a breakpoint cache looks for a prefix it knows, in content blocks (Anthropic's documentation). */
const LOOKBACK_BLOCKS = 20;

/** A window that was sent: which commit shaped it and where its path ended. */
export interface SentWindow {
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
	sent: SentWindow,
	next: number,
	warming: boolean,
): { at: number; refreshes: number } {
	const refreshes = warming ? refreshesBetween(sent.valuation, sent.tokens, sent.at, next) : [];
	return { at: refreshes.at(-1) ?? sent.at, refreshes: refreshes.length };
}

/**
 * Tokens of a new window that the cache of an earlier one serves, if that cache is still there: all of the earlier
 * one where the new one extends it; else the longest common prefix, or, on a breakpoint cache, the system prompt.
 */
export function servedTokens(
	trace: Trace,
	earlier: SentWindow,
	commit: CommitOption | undefined,
	leaf: SizedEntry | undefined,
	cache: Valuation["cache"],
): number {
	if (earlier.commit === commit) {
		if (isOnPath(earlier.leaf, leaf)) {
			const blocks = (leaf?.blocks ?? 0) - (earlier.leaf?.blocks ?? 0);
			if (cache === "prefix" || blocks <= LOOKBACK_BLOCKS) return earlier.tokens;
		} else if (cache === "prefix") {
			const shared = fork(earlier.leaf, leaf);
			if (!commit || (shared && shared.depth >= commit.foldedTo.depth))
				return windowTokens(trace, commit, shared);
		}
	}
	return cache === "prefix" ? sharedHead(trace, earlier.commit, commit) : trace.system;
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
