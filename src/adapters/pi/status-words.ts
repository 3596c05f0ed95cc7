import type { Outlook } from "../../commands/outlook.ts";
import type { FoldStatus, Glance, Halt } from "../../debug/fold-status.ts";
import { compact, count, dollars, whole } from "../../debug/numbers.ts";
import { firstRow, row } from "./labelled-rows.ts";
import { receiptSentence, sumsOf } from "./receipt-words.ts";

const BAR_CELLS = 24;

/** The text of `/fold-status`, in lines of at most 78 columns, with room in the first for the name the host shows before it. */
export function statusText(status: FoldStatus): string {
	const { halt, folds, staged, pinned, receipt, saving } = status;
	const commits = halt?.how === "no new folds" ? "" : "/fold commits now; ";
	return [
		firstRow(headline(status)),
		fullness(status),
		row("next", nextWords(status)),
		row("folds", `${folds.here} here, ${folds.nested} with nesting`),
		row("staged", `${count(staged.marks, "mark")}, about ${whole(staged.tokens)} tokens`),
		...(pinned === undefined ? [] : [row("pinned", count(pinned, "entry"))]),
		row("last", receipt ? lastWords(receipt) : "nothing was folded here yet"),
		row("so far", saving ? sumsOf(saving) : "not measured yet"),
		row("", `${commits}/fold-settings looks at the rules or changes them`),
	].join("\n");
}

/** The line in the host's footer once something went wrong. */
export const TROUBLED_LINE = "palimpsest makes no new folds · /fold-status says why";

/** The line in the host's footer. */
export function statusLine({ halt, used, budget, folds, staged, saving }: Glance): string {
	return [
		`palimpsest ${used === undefined ? "not measured yet" : share(used, budget)}`,
		...(halt ? [halt.how] : []),
		...(folds.here > 0 ? [count(folds.here, "fold")] : []),
		...(staged.marks > 0 ? [`${whole(staged.marks)} staged`] : []),
		...(saving ? savedWords(saving) : []),
	].join(" · ");
}

/** How full the window is: a bar, and in numbers. */
export function fullness(glance: Glance): string {
	return `${bar(glance)} ${fill(glance)}`;
}

function bar({ used, budget }: Glance): string {
	const full = Math.round(BAR_CELLS * Math.min(1, Math.max(0, (used ?? 0) / budget)));
	return `[${"█".repeat(full)}${"░".repeat(BAR_CELLS - full)}]`;
}

function fill({ used, budget }: Glance): string {
	if (used === undefined) return `not measured yet; the budget is ${whole(budget)} tokens`;
	return `${share(used, budget)}, ${whole(used)} of ${whole(budget)} tokens`;
}

function share(used: number, budget: number): string {
	return `${Math.round((100 * used) / budget)}%`;
}

/** How folding goes: first of all, why nothing is folded for now. */
export function headline({ halt, policy, isObserved }: FoldStatus): string {
	if (halt) return haltWords(halt);
	if (isObserved) return "watching only: what would be folded is told, and nothing is";
	return policy === "off" ? "folding only when asked" : `folding by itself, ${policy}`;
}

function haltWords({ how, why }: Halt): string {
	const more = why === undefined ? "" : `: ${why}`;
	switch (how) {
		case "paused":
			return `paused${more}; only /fold makes new folds`;
		case "off":
			return `off in this session${more}; folds stand as they are, and Pi compacts by itself`;
		case "no new folds":
			return `no new folds${more}; those there are stand`;
		default:
			return how satisfies never;
	}
}

/** What the next commit waits for. */
export function nextWords({ outlook, forced, used, halt }: FoldStatus): string {
	if (halt) return outlookWords({ waits: "off" });
	const words = outlookWords(outlook);
	if (outlook.waits === "off" || outlook.waits === "request") return words;
	const left = used === undefined ? undefined : forced - used;
	if (left !== undefined && left <= 0) return "the window is full, and nothing more can be folded";
	const latest = `at ${whole(forced)} tokens${left === undefined ? "" : `, ${whole(left)} from now`}`;
	return outlook.waits === "full" ? `a commit comes ${latest}` : `${words}, or the window is ${latest}`;
}

/** What comes of a window of so many tokens that is over its budget, to follow its size; empty where it is not. */
export function overBudgetWords(tokens: number, { budget, outlook }: FoldStatus): string {
	if (tokens < budget) return "";
	const then =
		outlook.waits === "request" ? "so the next request commits again" : "and is sent so all the same";
	return `; that is over the budget of ${whole(budget)} tokens, ${then}`;
}

function outlookWords(outlook: Outlook): string {
	switch (outlook.waits) {
		case "off":
			return "nothing is committed by itself";
		case "request":
			return "a commit comes with the next request";
		case "foldable":
			return `a commit waits until ${whole(outlook.least)} tokens are foldable (${whole(outlook.freed)} now)`;
		case "pays":
			return `a commit pays in about ${count(outlook.requests, "request")}, or when the cache is cold`;
		case "cold":
			return "a commit waits until the cache is cold";
		case "full":
			return "a commit waits until the window is full";
		default:
			return outlook satisfies never;
	}
}

function lastWords({ saving: _, ...receipt }: NonNullable<FoldStatus["receipt"]>): string {
	return receiptSentence(receipt, "then");
}

function savedWords({ unit, ours, host }: NonNullable<Glance["saving"]>): string[] {
	const saved = host - ours;
	if (unit === "token")
		return Math.abs(saved) < 500
			? []
			: [`${saved < 0 ? "lost" : "saved"} ${compact(Math.abs(saved))} tokens`];
	if (Math.abs(saved) < 0.005) return [];
	return [`${saved < 0 ? "lost" : "saved"} ${dollars(Math.abs(saved))}`];
}
