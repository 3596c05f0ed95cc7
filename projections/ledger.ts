import type { Draft } from "immer";
import type { CommitEvent, CommitObservedEvent, Quote, Trigger } from "../events/commit.ts";
import type { EntryEvent } from "../events/entry.ts";
import type { RequestEvent } from "../events/request.ts";
import type { Projection } from "./projection.ts";

/** The last window sent with one commit in force, on one model. */
export interface Sent {
	/** ms since the epoch, at the start of the request */
	readonly at: number;
	readonly leaf: string | null;
	readonly tokens: number;
}

/**
 * How long a commit has been in force and none was made on top of it: requests sent since, and what not having made one
 * cost at them.
 */
export interface Waiting {
	readonly requests: number;
	/** in the valuation's unit */
	readonly cost: number;
}

/** Why a commit was made, and what it was quoted at. */
export interface Quoted {
	readonly trigger: Trigger;
	readonly quote: Quote;
}

/** What was sent and what waiting has cost. */
export interface Ledger {
	/** requests this log saw go out */
	readonly requests: number;
	/** replies to requests it did not see: before a fork, or while it was not kept */
	readonly unseen: number;
	/** whether a request went out whose reply did not come yet */
	readonly waits: boolean;
	/** by the commit in force (`""` for none) */
	readonly waiting: ReadonlyMap<string, Waiting>;
	/** by model and commit in force */
	readonly sent: ReadonlyMap<string, Sent>;
	readonly last: {
		readonly request: number;
		readonly model: string;
		readonly commit: string | undefined;
		readonly leaf: string | null;
		readonly at: number;
		readonly window: string;
		readonly items: number;
	} | null;
	/** as measured, in dollars of the host */
	readonly usd: number;
	/** by commit */
	readonly quoted: ReadonlyMap<string, Quoted>;
	/** the last cut that a commit noted and not made would have folded, by the commit in force (`""` for none) */
	readonly observed: ReadonlyMap<string, string>;
}

type Applied = Extract<CommitEvent, { type: "commit/applied" }>;

type LedgerEvent = RequestEvent | CommitObservedEvent | Applied | EntryEvent;

/** What was paid, and what waiting for a commit has cost. */
export const ledger: Projection<Ledger, LedgerEvent> = {
	name: "ledger",
	version: 6,
	listens: {
		"entry/recorded": true,
		"request/prepared": true,
		"request/measured": true,
		"commit/applied": true,
		"commit/observed": true,
	},
	initial: () => ({
		requests: 0,
		unseen: 0,
		waits: false,
		waiting: new Map(),
		sent: new Map(),
		last: null,
		usd: 0,
		quoted: new Map(),
		observed: new Map(),
	}),
	apply,
};

/** Requests of the session so far, as far as its entries tell: those of a fork begin with its parent's. */
export function requestsSoFar({ requests, unseen }: Ledger): number {
	return requests + unseen;
}

/** How long a commit has been in force, or none, since the last one made on top of it. */
export function waitingSince(state: Ledger, commit: string | undefined): Waiting {
	return state.waiting.get(commit ?? "") ?? { requests: 0, cost: 0 };
}

/** Whether a commit through a cut was noted already and not made, with this commit in force. */
export function isObserved(state: Ledger, commit: string | undefined, through: string): boolean {
	return state.observed.get(commit ?? "") === through;
}

/** When a window with this commit in force last went to a model; absent where none did. */
export function lastSent(state: Ledger, model: string, commit: string | undefined): Sent | undefined {
	return state.sent.get(sentKey(model, commit));
}

function sentKey(model: string, commit: string | undefined): string {
	return `${model} ${commit ?? ""}`;
}

function apply(draft: Draft<Ledger>, event: LedgerEvent): void {
	switch (event.type) {
		case "entry/recorded":
			if (event.data.kind !== "message" || event.data.role !== "assistant") return;
			if (!draft.waits) draft.unseen += 1;
			draft.waits = false;
			return;
		case "request/prepared": {
			const { request, model, commit, leaf, holding, window, items, tokens, at } = event.data;
			draft.requests = request;
			draft.waits = true;
			const waited = waitingSince(draft as Ledger, commit);
			draft.waiting.set(commit ?? "", { requests: waited.requests + 1, cost: waited.cost + holding });
			draft.sent.set(sentKey(model, commit), { at, leaf, tokens });
			draft.last = { request, model, commit, leaf, at, window, items };
			return;
		}
		case "request/measured":
			draft.usd += event.data.usd ?? 0;
			return;
		case "commit/observed": {
			const { before, through } = event.data;
			draft.waiting.delete(before ?? "");
			if (through !== null) draft.observed.set(before ?? "", through);
			return;
		}
		case "commit/applied":
			// that waiting is over: another branch below the same commit, or an undo, begins anew
			draft.waiting.delete(event.data.before ?? "");
			draft.quoted.set(event.data.id, { trigger: event.data.trigger, quote: { ...event.data.quote } });
			return;
		default:
			event satisfies never;
	}
}
