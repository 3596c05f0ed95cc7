import type { CommitEvent } from "../../events/commit.ts";
import { promptPrice, UNPRICED } from "../../projections/price.ts";
import { passedBetween, tokensIn } from "./between-requests.ts";
import type { CommitBill, FirstBill, Paid } from "./cost.ts";
import type { History, PastRequest } from "./history.ts";
import { dearer } from "./request-price.ts";

type Commit = Extract<CommitEvent, { type: "commit/applied" }>;

/**
 * Every commit as it was quoted and as it came out, in the order they were made. What a commit freed counts at each
 * request sent with it, or with a commit built on it, in force. O(requests × commits in force).
 */
export function commitBills(history: History, paid: ReadonlyMap<number, Paid>): CommitBill[] {
	const commits = new Map<string, Commit["data"]>();
	const made: { readonly commit: Commit; readonly after: number }[] = [];
	for (const { event, after } of history.decisions) {
		if (event.type !== "commit/applied") continue;
		commits.set(event.data.id, event.data);
		made.push({ commit: event, after });
	}
	const first = new Map<string, FirstBill>();
	const seen = new Set<string>();
	const saved = new Map<string, number>();
	for (const [index, request] of history.requests.entries()) {
		const { commit } = request.prepared;
		const now = paid.get(request.prepared.request);
		if (commit === undefined || !now) continue;
		if (!seen.has(commit)) {
			seen.add(commit);
			const data = commits.get(commit);
			const bill = firstBill(history, history.requests[index - 1], request, paid, data?.trigger === "cold");
			if (bill) first.set(commit, bill);
			const before = data?.before;
			if (before != null) save(commits, before, request, now, saved);
		} else save(commits, commit, request, now, saved);
	}
	return made.map(({ commit: { data }, after }) => {
		const bill = first.get(data.id);
		return {
			id: data.id,
			request: bill?.request ?? after + 1,
			trigger: data.trigger,
			quote: data.quote,
			...(bill && { bill }),
			savedSince: saved.get(data.id) ?? 0,
		};
	});
}

/**
 * Adds what a request did not pay for the tokens that a commit and those it builds on freed: each counts on top of those
 * made after it. Where no cache served anything, it would have served nothing of them either.
 */
function save(
	commits: ReadonlyMap<string, Commit["data"]>,
	commit: string,
	{ valuation = UNPRICED }: PastRequest,
	now: Paid,
	saved: Map<string, number>,
): void {
	let [read, taken] = [now.cached, now.fresh + now.written];
	for (let one = commits.get(commit); one; one = commits.get(one.before ?? "")) {
		const price = promptPrice(valuation, read, taken);
		if (now.cached > 0) read += one.quote.freed;
		else taken += one.quote.freed;
		// an amount in another unit than its quote's is no part of the sum
		if (one.quote.unit !== valuation.unit) continue;
		saved.set(one.id, (saved.get(one.id) ?? 0) + promptPrice(valuation, read, taken) - price);
	}
}

/** What a request with a new commit came to; `undefined` where it, or the one before, was not billed. */
function firstBill(
	history: History,
	before: PastRequest | undefined,
	request: PastRequest,
	paid: ReadonlyMap<number, Paid>,
	wasCold: boolean,
): FirstBill | undefined {
	const { prepared, isReplayed, valuation = UNPRICED } = request;
	const now = paid.get(prepared.request);
	const earlier = before && paid.get(before.prepared.request);
	if (!now || !earlier || !(isReplayed || (now.measured && earlier.measured))) return undefined;
	const rewritten = now.fresh + now.written;
	const prompt = earlier.fresh + earlier.cached + earlier.written;
	const fresh = tokensIn(request, passedBetween(history, before, request));
	return {
		request: prepared.request,
		rewritten,
		cost: (rewritten * dearer(valuation, now)) / 1e6,
		beyond:
			promptPrice(valuation, now.cached, rewritten) -
			(wasCold ? promptPrice(valuation, 0, prompt + fresh) : promptPrice(valuation, prompt, fresh)),
	};
}
