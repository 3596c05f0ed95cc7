import type { Valuation } from "../../events/valuation.ts";
import { budgetOf, floorOf, type Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Content } from "./content.ts";
import type { History, StoredStream } from "./history.ts";
import { keepsWarm, modelledRequests } from "./modelled-cache.ts";
import { needs } from "./needs.ts";
import { count } from "./numbers.ts";
import { modelledPrice } from "./request-price.ts";
import { trajectoryIn } from "./trajectory-in.ts";
import { type OtherHistory, runOtherwise } from "./what-if-run.ts";

/** One of two histories of a session. Both are priced by the same rules, none as it was billed. */
export interface WhatIfSide {
	readonly label: string;
	/** of the whole session, what both have in common included */
	readonly cost: number;
	readonly unit: "usd" | "token";
	/** made in the whole session */
	readonly commits: number;
	/** tokens of the largest window */
	readonly peak: number;
	/** tokens of a window */
	readonly mean: number;
	/** names that replies used although they stood in no window, nor in a text that stood there */
	readonly unmet: number;
	/** names that replies used although they stood only in what was hidden */
	readonly hidden: number;
	/** by place: the largest window of its run */
	readonly tokens: readonly number[];
	/** by place: since the session began */
	readonly spent: readonly number[];
	/** first requests that show a commit */
	readonly commitAt: readonly number[];
}

/** A session as it was recorded, and as other settings would have had it from a request on. */
export interface WhatIf {
	readonly from: number;
	/** the last request of each place; a place stands for one request as long as they are few */
	readonly request: readonly number[];
	/** cost of what both have in common: the requests before `from` */
	readonly before: number;
	readonly recorded: WhatIfSide;
	readonly other: WhatIfSide;
	/** in force on the other side at `from` */
	readonly settings: Settings & { readonly model?: string };
	/** what is to be known of the comparison, in sentences */
	readonly notes: readonly string[];
}

/** What is otherwise, and how the answer comes. */
export interface WhatIfOptions {
	/** the first request that is decided otherwise; 1 by default */
	readonly from?: number | undefined;
	readonly settings: Partial<Settings>;
	/** prices and model instead of the recorded ones */
	readonly valuation?: Valuation | undefined;
	/** places at most, 2,000 by default */
	readonly most?: number | undefined;
	/** told now and then how many events have happened again */
	readonly onProgress?: ((done: number) => void) | undefined;
}

/** Settings that do not go together. */
export class WhatIfError extends RangeError {}

/**
 * Lets a session happen again in memory, decided otherwise from a request on, and lays both histories side by side.
 * Throws `RangeError` where there is no such request, `WhatIfError` for settings that do not go together.
 */
export async function whatIf(
	history: History,
	source: StoredStream,
	content: Content,
	options: WhatIfOptions,
): Promise<WhatIf> {
	const { from = 1, settings, valuation, most = MOST } = options;
	const first = history.request(from);
	if (!first) throw new RangeError(`no request ${from}`);
	const inForce = { ...first.settings, ...settings };
	assertFits(inForce, valuation ?? first.valuation);
	const warms = keepsWarm(history);
	const run = await runOtherwise(history, source, content, {
		from,
		settings,
		valuation,
		warms,
		onProgress: options.onProgress,
	});
	const step = Math.max(1, Math.ceil(history.requests.length / Math.max(1, most)));
	const entries = new Map<string, TranscriptEntry>();
	const side = (label: string, of: History, its: Content) =>
		sideOf({ label, history: of, content: its, replies: run.replies, entries, warms, step });
	const recorded = side("as recorded", history, content);
	const other = side(labelOf(settings, valuation), run.history, run.content);
	const before = costs(history, warms).slice(0, history.requests.indexOf(first));
	return {
		from,
		request: places(history.requests.length, step).map(([, end]) => numberAt(history, end)),
		before: before.reduce((sum, cost) => sum + cost, 0),
		recorded,
		other,
		settings: { ...inForce, ...(valuation && { model: valuation.model }) },
		notes: notesOf(history, run, { recorded, other, from }),
	};
}

/** Places unless another number is asked for; a timeline has as many. */
const MOST = 2_000;

function assertFits(settings: Settings, valuation: Valuation | undefined): void {
	const { minTarget, maxTarget, floorTokens } = settings;
	if (minTarget >= maxTarget)
		throw new WhatIfError(`minTarget ${minTarget} is not below maxTarget ${maxTarget}`);
	const rules = { settings, valuation: valuation ?? null };
	const budget = budgetOf(rules);
	if (floorTokens !== undefined && floorOf(rules) >= budget)
		throw new WhatIfError(`a floor of ${floorTokens} tokens is not below the budget, ${budget}`);
}

interface SideOptions {
	readonly label: string;
	readonly history: History;
	readonly content: Content;
	readonly replies: ReadonlyMap<number, string>;
	readonly entries: Map<string, TranscriptEntry>;
	readonly warms: boolean;
	readonly step: number;
}

function sideOf({ label, history, content, replies, entries, warms, step }: SideOptions): WhatIfSide {
	const { requests, decisions } = history;
	const paid = costs(history, warms);
	const unit = requests.find(({ valuation }) => valuation?.unit === "usd") ? "usd" : "token";
	const tokens = requests.map(({ prepared }) => Math.round(prepared.tokens));
	const spent: number[] = [];
	for (const cost of paid) spent.push((spent.at(-1) ?? 0) + cost);
	const runs = places(requests.length, step);
	const { hiddenNeeds, unmetNeeds } = needs(trajectoryIn(history, content, replies, entries));
	const commitAt = decisions.flatMap(({ event, after }) =>
		event.type === "commit/applied" ? [after + 1] : [],
	);
	return {
		label,
		cost: spent.at(-1) ?? 0,
		unit,
		commits: commitAt.length,
		peak: tokens.reduce((most, one) => Math.max(most, one), 0),
		mean: Math.round(tokens.reduce((sum, one) => sum + one, 0) / Math.max(1, tokens.length)),
		unmet: unmetNeeds,
		hidden: hiddenNeeds,
		tokens: runs.map(([start, end]) =>
			tokens.slice(start, end + 1).reduce((most, one) => Math.max(most, one), 0),
		),
		spent: runs.map(([, end]) => spent[end] ?? 0),
		commitAt,
	};
}

/** What each request would have cost; one to a model without prices nothing, where others have some. */
function costs(history: History, warms: boolean): number[] {
	const modelled = modelledRequests(history, warms);
	const isPriced = history.requests.some(({ valuation }) => valuation?.unit === "usd");
	return history.requests.map((request) => {
		const of = modelled.get(request.prepared.request);
		const paid = of && modelledPrice(request, of);
		return paid && (paid.unit === "usd" || !isPriced) ? paid.cost : 0;
	});
}

/** First and last index of each run of so many. */
function places(length: number, step: number): (readonly [start: number, end: number])[] {
	const runs: (readonly [number, number])[] = [];
	for (let start = 0; start < length; start += step) runs.push([start, Math.min(length, start + step) - 1]);
	return runs;
}

function numberAt({ requests }: History, index: number): number {
	return requests[index]?.prepared.request ?? index + 1;
}

const NAMES: { readonly [key in keyof Settings]?: string } = {
	policy: "policy",
	floorTokens: "floor",
	inputBudget: "budget",
	minFoldChars: "min-fold-chars",
	consolidateAfter: "consolidate-after",
	toolFoldThreshold: "tool-fold-threshold",
	maxTarget: "max-target",
	minTarget: "min-target",
};

function labelOf(settings: Partial<Settings>, valuation: Valuation | undefined): string {
	const said = Object.entries(settings).map(
		([key, value]) => `${NAMES[key as keyof Settings] ?? key} ${value}`,
	);
	if (valuation) said.push(`model ${valuation.model}`);
	return said.length === 0 ? "the same settings" : said.join(", ");
}

function notesOf(
	history: History,
	{ dropped, gone }: OtherHistory,
	{
		recorded,
		other,
		from,
	}: { readonly recorded: WhatIfSide; readonly other: WhatIfSide; readonly from: number },
): string[] {
	const notes: string[] = [];
	const isLive = history.opened?.format === "live";
	if (isLive)
		notes.push("Both sides are priced as caches are taken to work; what was really billed, cost tells.");
	if (recorded.unit !== other.unit)
		notes.push(
			"One side has no prices, and is counted in input-token equivalents: the costs do not compare.",
		);
	if (dropped.others > 0)
		notes.push(
			`${count(dropped.others, "decision")} that the user, the model or the host's refusals brought about from request ${from} on ${dropped.others === 1 ? "is" : "are"} left out of the other side.`,
		);
	const compacted = history.turns.filter(({ event, after }) => {
		const isCompaction = event.type === "compaction/checkpointed" || event.type === "compaction/summarised";
		return isCompaction && after + 1 >= from;
	}).length;
	if (compacted > 0)
		notes.push(
			`The host compacted ${count(compacted, "time")} from request ${from} on; the other side is compacted at the same places, whether its windows were as full or not.`,
		);
	if (gone > 0)
		notes.push(
			`${count(gone, "entry")} whose content is gone ${gone === 1 ? "is" : "are"} counted by recorded sizes: what the other side folds is an estimate, and hidden and unmet leave out what stood there.`,
		);
	if (history.unreadable.size > 0)
		notes.push(
			`${count(history.unreadable.size, "event")} of a newer release ${history.unreadable.size === 1 ? "is" : "are"} passed over.`,
		);
	notes.push(
		"Replies are as they were recorded: a model that saw another window might have said something else.",
	);
	return notes;
}
