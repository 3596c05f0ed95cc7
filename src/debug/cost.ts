import type { Quote, Trigger } from "../../events/commit.ts";
import { UNPRICED } from "../../projections/price.ts";
import type { Item } from "../../projections/window-plan.ts";
import { breaksOf } from "./cache-breaks.ts";
import { commitBills } from "./commit-bills.ts";
import type { Content } from "./content.ts";
import type { History, PastRequest } from "./history.ts";
import { modelledRequests } from "./modelled-cache.ts";
import { billed, modelledPrice } from "./request-price.ts";
import { sharedBytes } from "./shared-bytes.ts";

/** What a request was paid for: tokens, and their price in `unit`. */
export interface Paid {
	/** neither read from nor written to a cache */
	readonly fresh: number;
	readonly cached: number;
	readonly written: number;
	readonly output: number;
	/** dollars, or input-token equivalents where no price is known */
	readonly cost: number;
	readonly unit: "usd" | "token";
	/** whether the provider said so; else it is worked out from the window that was prepared */
	readonly measured: boolean;
}

/**
 * What kept a cache from serving the window before it: one of our decisions; the host, which compacted or edited; the
 * user, who went elsewhere in the session (`leaf`); another system prompt or other tools, model or thinking level; the
 * time that passed; or, where nothing here explains it, the provider.
 */
export type BreakCause =
	| "commit"
	| "undo"
	| "expand"
	| "refold"
	| "pin"
	| "edit"
	| "compaction"
	| "prompt"
	| "model"
	| "thinking"
	| "idle"
	| "leaf"
	| "provider"
	| "unknown";

/** A request that had to take in again what the request before it had sent. */
export interface CacheBreak {
	readonly request: number;
	/** what broke the prefix earliest; what lay behind it is in `detail` */
	readonly cause: BreakCause;
	/** ours, behind it */
	readonly decision?: string;
	/** index of the first item that no cache served */
	readonly item?: number;
	/** bytes from there to the start of the window, as `window` prints it: those both windows begin with */
	readonly byte?: number;
	/** tokens taken in again; what is new since the request before is none of them */
	readonly lost: number;
	/** what that cost beyond reading them from the cache */
	readonly cost: number;
	readonly detail: string;
}

/** A request and what it cost. */
export interface CostRow extends Paid {
	readonly request: number;
	/** ms since the epoch */
	readonly time: number;
	/** provider/model */
	readonly model: string;
	/** since the session began, this request included; of requests in the same unit */
	readonly spent: number;
	readonly break?: CacheBreak;
}

/** What the first request behind a commit came to, to be set against its quote. */
export interface FirstBill {
	readonly request: number;
	/** tokens no cache served */
	readonly rewritten: number;
	/** their price beyond reading them from the cache, as in the quote */
	readonly cost: number;
	/** what the request cost beyond going on without the commit: reading the window before, and taking in what is new */
	readonly beyond: number;
}

/** A commit as it was quoted, and as it came out. */
export interface CommitBill {
	readonly id: string;
	/** first request that could show it */
	readonly request: number;
	readonly trigger: Trigger;
	readonly quote: Quote;
	/** absent where no request went out with it, or the provider did not say what that took */
	readonly bill?: FirstBill;
	/** what later requests did not pay for the tokens it freed, as long as it or what was built on it was in force */
	readonly savedSince: number;
}

/** Sums over requests. */
interface CostTotals extends Omit<Paid, "measured"> {
	readonly requests: number;
	/** how many of them the provider told the price of */
	readonly measured: number;
	/** requests to models without prices, which `cost` leaves out where others had some */
	readonly unpriced: number;
	readonly breaks: number;
	/** tokens */
	readonly lost: number;
	readonly lostCost: number;
	readonly byCause: { readonly [cause in BreakCause]?: { breaks: number; lost: number; cost: number } };
}

/** What a stretch of requests cost, and why. */
export interface Cost {
	/**
	 * billed: as the provider said; modelled: the windows of a replay, which no provider saw, priced by the rules caches
	 * are taken to follow
	 */
	readonly basis: "billed" | "modelled";
	readonly from: number;
	readonly to: number;
	readonly totals: CostTotals;
	readonly rows: readonly CostRow[];
	readonly breaks: readonly CacheBreak[];
	readonly commits: readonly CommitBill[];
}

/** The requests in question, and how windows read. */
export interface CostOptions {
	/** the first and last request; all by default */
	readonly from?: number | undefined;
	readonly to?: number | undefined;
	/** a window's messages as the model reads them; without it no break has a `byte` */
	readonly messages?: ((items: readonly Item[], content: Content) => Iterable<Uint8Array>) | undefined;
}

/**
 * What a request was paid for: what the provider billed; else, as for every request of a replay, what its window would
 * have been by the rules caches are taken to follow. Without the history, which knows the windows before it, a request
 * that was not billed is taken to have read all of its window from the cache, or nothing where that was cold.
 */
export function paidFor(request: PastRequest, history?: History): Paid | undefined {
	const { prepared, measured, isReplayed, valuation = UNPRICED } = request;
	if (measured && !isReplayed) return billed(valuation, measured);
	const modelled = history && modelledRequests(history).get(prepared.request);
	return modelled ? modelledPrice(request, modelled) : modelledPrice(request, alone(prepared));
}

function alone({ tokens, cold }: PastRequest["prepared"]) {
	return { tokens, served: cold ? 0 : tokens, kept: 0 };
}

/** What requests cost, where caches broke and why, and what each commit was quoted and came to. Worked out once. */
export function costOf(history: History, content: Content, options: CostOptions = {}): Cost {
	const { from = 1, to = Number.POSITIVE_INFINITY, messages } = options;
	const isIn = ({ request }: { readonly request: number }) => request >= from && request <= to;
	const { rows, commits } = ledgerOf(history);
	const located = rows.filter(isIn).map((row) => {
		if (!row.break || !messages) return row;
		const byte = sharedBytes(history, row.break, (items) => messages(items, content));
		return byte === undefined ? row : { ...row, break: { ...row.break, byte } };
	});
	const breaks = located.flatMap((row) => row.break ?? []);
	return {
		basis: history.requests.some(({ isReplayed }) => isReplayed) ? "modelled" : "billed",
		from: located[0]?.request ?? from,
		to: located.at(-1)?.request ?? from,
		totals: totalsOf(located, breaks),
		rows: located,
		breaks,
		commits: commits.filter(isIn),
	};
}

interface WholeLedger {
	readonly version: number;
	readonly rows: readonly CostRow[];
	readonly commits: readonly CommitBill[];
}

const known = new WeakMap<History, WholeLedger>();

function ledgerOf(history: History): WholeLedger {
	const before = known.get(history);
	if (before?.version === history.head.version) return before;
	const paid = new Map(
		history.requests.flatMap((request) => {
			const one = paidFor(request, history);
			return one ? [[request.prepared.request, one] as const] : [];
		}),
	);
	const breaks = breaksOf(history, paid);
	const spent = { usd: 0, token: 0 };
	const rows = history.requests.flatMap(({ prepared: { request, at, model } }): CostRow[] => {
		const one = paid.get(request);
		if (!one) return [];
		spent[one.unit] += one.cost;
		const broken = breaks.get(request);
		return [{ request, time: at, model, ...one, spent: spent[one.unit], ...(broken && { break: broken }) }];
	});
	const whole = { version: history.head.version, rows, commits: commitBills(history, paid) };
	known.set(history, whole);
	return whole;
}

function totalsOf(rows: readonly CostRow[], breaks: readonly CacheBreak[]): CostTotals {
	const unit = rows.some((row) => row.unit === "usd") || rows.length === 0 ? "usd" : "token";
	const priced = rows.filter((row) => row.unit === unit);
	const sum = (of: (row: CostRow) => number) => rows.reduce((total, row) => total + of(row), 0);
	const unitAt = new Map(rows.map((row) => [row.request, row.unit]));
	const byCause: { [cause in BreakCause]?: { breaks: number; lost: number; cost: number } } = {};
	// what broke a request without a price has none either, where others have some
	const costs = breaks.map((one) => (unitAt.get(one.request) === unit ? one.cost : 0));
	for (const [index, { cause, lost }] of breaks.entries()) {
		const cost = costs[index] as number;
		const so = byCause[cause] ?? { breaks: 0, lost: 0, cost: 0 };
		byCause[cause] = { breaks: so.breaks + 1, lost: so.lost + lost, cost: so.cost + cost };
	}
	return {
		requests: rows.length,
		measured: rows.filter(({ measured }) => measured).length,
		fresh: sum(({ fresh }) => fresh),
		cached: sum(({ cached }) => cached),
		written: sum(({ written }) => written),
		output: sum(({ output }) => output),
		cost: priced.reduce((total, { cost }) => total + cost, 0),
		unit,
		unpriced: rows.length - priced.length,
		breaks: breaks.length,
		lost: breaks.reduce((total, { lost }) => total + lost, 0),
		lostCost: costs.reduce((total, cost) => total + cost, 0),
		byCause,
	};
}
