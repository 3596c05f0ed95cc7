import type { SessionStates } from "../../projections/states.ts";
import { planAt } from "../../projections/window-plan.ts";
import { prospectAt } from "../commands/commit.ts";
import { pinnedTokens } from "../commands/pin.ts";
import { isDrawn } from "../commands/recut.ts";
import { decisionsInForce } from "../commands/undo.ts";
import type { NextRequest } from "../engine/decision.ts";
import { entryRows, type FoldRow, foldRows } from "./fold-rows.ts";
import { foldStatusAt } from "./fold-status.ts";
import { PAGE_BYTES, type PageOf, pageOf } from "./pages.ts";

/** What a report tells beside the state of things. */
export type ReportDetail = "tree" | "folds" | "objects" | "fold_candidates";

/** Bytes of a page kept for what surrounds its rows. */
const FRAME_BYTES = 4_000;

/** Folds of an overview: those that free most. */
const TOP_FOLDS = 5;

/** Entries listed of those that a commit holds back, from the oldest on. */
const MOST_HELD = 32;

/** Characters of a brief in a row. */
const ROW_CHARS = 160;

/** What a report is made from. */
export interface ReportDesk {
	readonly states: SessionStates;
	readonly request: NextRequest;
	/** a brief as text, by its digest */
	readonly briefOf: (digest: string) => string;
}

type ReportedFold = Pick<FoldRow, "id" | "state" | "source" | "text" | "brief" | "from" | "to"> &
	Partial<FoldRow> & { readonly origin?: string };

/** The state of the window at a request, plain data for JSON; with a list, one page of it. Tokens are estimates. */
export function foldReport(desk: ReportDesk, detail: ReportDetail | undefined, page: PageOf): object {
	switch (detail) {
		case undefined:
			return overview(desk, page);
		case "tree":
			return listed(desk, detail, page, foldsOf(desk));
		case "folds":
			return listed(
				desk,
				detail,
				page,
				foldsOf(desk).filter(({ state }) => state === "standing" || state === "open"),
			);
		case "objects":
			return listed(desk, detail, page, entryRows(desk.states, desk.request.leaf));
		case "fold_candidates":
			return listed(desk, detail, page, candidateRows(desk), nextCommit(desk));
		default:
			return detail satisfies never;
	}
}

function overview(desk: ReportDesk, page: PageOf): object {
	const { states, request } = desk;
	const plan = planAt(states, request.leaf);
	const { used, budget, folds, forced, outlook, policy, halt } = foldStatusAt(states, request);
	const rows = foldsOf(desk);
	const pending = pageOf(
		rows.filter(({ state }) => state === "pending"),
		page,
		PAGE_BYTES - FRAME_BYTES * 2,
	);
	const top = rows
		.filter(({ state }) => state === "standing")
		.sort((a, b) => b.source - b.text - (a.source - a.text))
		.slice(0, TOP_FOLDS);
	return {
		available: true,
		...(halt && { halt }),
		window: { tokens: used === undefined ? null : Math.round(used), budget: Math.round(budget) },
		folds: { standing: folds.here, withNested: folds.nested, top },
		pinned: {
			entries: [...(plan?.pins ?? [])].slice(0, 64),
			tokens: Math.round(pinnedTokens(states, plan?.pins ?? new Set())),
		},
		automatic: {
			policy,
			next: rounded(outlook),
			forcedAt: Math.round(forced),
			scheduling: { ...nextCommit(desk), pending: pending.rows, of: pending.total },
		},
		decisions: decisionsInForce(states, request.leaf)
			.slice(0, 8)
			.map(({ id }) => id),
		...continuation(undefined, pending.next),
	};
}

function listed(
	{ states, request }: ReportDesk,
	detail: ReportDetail,
	page: PageOf,
	all: readonly object[],
	more: object = {},
): object {
	const { rows, total, next } = pageOf(all, page, PAGE_BYTES - FRAME_BYTES);
	const { used, budget } = foldStatusAt(states, request);
	const window = { tokens: used === undefined ? null : Math.round(used), budget: Math.round(budget) };
	return { available: true, detail, window, ...more, rows, total, ...continuation(detail, next) };
}

function continuation(detail: ReportDetail | undefined, next: number | undefined): object {
	if (next === undefined) return {};
	return { next: { action: "status", ...(detail !== undefined && { detail }), offset: next } };
}

/** Rows say only what is so: most folds are in no other, have nobody's brief and stay as they are. */
function foldsOf({ states, request, briefOf }: ReportDesk): ReportedFold[] {
	return foldRows(states, request.leaf).map(({ brief, children, supplied, withdrawn, depth, ...row }) => ({
		...row,
		...(depth > 0 && { depth }),
		...(children > 0 && { children }),
		...(row.state === "pending" && { origin: isDrawn(row.id) ? "recut" : "automatic" }),
		...(supplied && { supplied }),
		...(withdrawn && { withdrawn }),
		brief: short(briefOf(brief)),
	}));
}

/** What a commit at the next request would free and have taken in again. */
function nextCommit({ states, request }: ReportDesk): object {
	const prospect = prospectAt(states, request);
	if (!prospect) return { frees: 0, rewrites: 0 };
	const { quote, candidate } = prospect;
	return {
		frees: Math.round(quote.freed),
		rewrites: Math.round(quote.rewritten),
		...(quote.unit === "usd" && { costsUsd: round(quote.cost), savesUsdPerRequest: round(quote.saves) }),
		through: candidate.through.id,
		heldBack: candidate.held.slice(0, MOST_HELD),
		heldBackOf: candidate.held.length,
	};
}

function candidateRows(desk: ReportDesk): object[] {
	const { states, request } = desk;
	const prospect = prospectAt(states, request);
	const through = prospect?.candidate.through?.number ?? 0;
	const plan = planAt(states, request.leaf);
	const refused = new Map(prospect?.candidate.refused.map(({ cut, why }) => [cut, why]));
	return foldsOf(desk)
		.filter(({ state }) => state === "pending")
		.map((row) => ({
			...row,
			next: plan?.withdrawn.has(row.id)
				? "stays raw at the next commit: withdrawn"
				: (refused.get(row.id) ?? (through > 0 ? "folds at the next commit" : "not old enough")),
		}));
}

function short(brief: string): string {
	const line = brief.replaceAll(/\s+/g, " ").trim();
	return line.length <= ROW_CHARS ? line : `${line.slice(0, ROW_CHARS - 1)}…`;
}

function rounded(numbers: object): object {
	return Object.fromEntries(
		Object.entries(numbers).map(([key, value]) => [
			key,
			typeof value === "number" ? Math.round(value) : value,
		]),
	);
}

function round(amount: number): number {
	return Math.round(amount * 1e6) / 1e6;
}
