import type { Valuation } from "../events/valuation.ts";
import { pricesFor } from "./price.ts";

/**
 * The host's idle cache warming (pi-ai 1.6 `cache-warming`): a refresh at 90 % of the cache's lifetime, at least 10 s
 * before its end, while the last request is at most 30 minutes old and 0.15 × (write − read) − refresh is worth $0.05.
 */
const CONTINUATION = 0.15;
const LEAST_SAVING_USD = 0.05;
const LONGEST_IDLE_MS = 30 * 60_000;

/** Times at which the host would refresh the cache of a window of `tokens` between two requests, ms since the epoch. */
export function refreshesBetween(
	valuation: Valuation,
	tokens: number,
	sentAt: number,
	nextAt: number,
): number[] {
	if (valuation.unit !== "usd" || !worthRefreshing(valuation, tokens)) return [];
	const { lifetimeMs } = valuation;
	const delay = Math.min(lifetimeMs * 0.9, lifetimeMs - 10_000);
	if (delay <= 0) return [];
	const times: number[] = [];
	for (let at = sentAt + delay; at < nextAt && at - sentAt <= LONGEST_IDLE_MS; at += delay) times.push(at);
	return times;
}

/** What one refresh of a window costs, dollars: reading it, and one token of output. */
export function refreshPrice(valuation: Valuation, tokens: number): number {
	const { read, output } = pricesFor(valuation, tokens);
	return (tokens * read + output) / 1e6;
}

function worthRefreshing(valuation: Valuation, tokens: number): boolean {
	const { read, write } = pricesFor(valuation, tokens);
	return (CONTINUATION * tokens * (write - read)) / 1e6 - refreshPrice(valuation, tokens) >= LEAST_SAVING_USD;
}
