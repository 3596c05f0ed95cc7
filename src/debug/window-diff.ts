import { type Item, itemKey } from "../../projections/window-plan.ts";
import { aligned } from "./aligned.ts";
import { type ChangeCause, ChangeCauses } from "./change-cause.ts";
import type { Content } from "./content.ts";
import type { History, PastRequest } from "./history.ts";
import { digestOfItems, itemsOf } from "./past-items.ts";
import { marksBetween, type TimelineMark } from "./timeline-marks.ts";
import { type WindowRow, WindowRows } from "./window-rows.ts";

/** A place in two windows side by side. */
export interface DiffRow extends Partial<ChangeCause> {
	/** `replaced`: the same entry or fold, shown otherwise */
	readonly change: "same" | "added" | "removed" | "replaced";
	readonly a?: WindowRow;
	readonly b?: WindowRow;
}

/** What changed between the windows of two requests. Sizes are estimated tokens. */
export interface WindowDiff {
	/** the earlier request */
	readonly from: number;
	readonly to: number;
	/** items both begin with, alike to the byte: what a cache of the earlier one could serve */
	readonly shared: number;
	/** in the order of the windows, what went before what came in its place */
	readonly rows: readonly DiffRow[];
	/** of both prompts, as they were estimated then */
	readonly tokens: readonly [number, number];
	/** digests as they were recorded, and whether the windows rebuilt have them: else the rows are not what was sent */
	readonly windows: readonly [string, string];
	readonly same: readonly [boolean, boolean];
	/** what was decided between the two, and what befell the window */
	readonly steps: readonly TimelineMark[];
}

/**
 * What changed between the windows of two requests, whichever is named first; `undefined` where one of them was not
 * made. O(items of both, and for each change the decisions between).
 */
export function windowDiff(
	history: History,
	content: Content,
	one: number,
	other: number,
): WindowDiff | undefined {
	const [from, to] = [Math.min(one, other), Math.max(one, other)];
	const [before, after] = [history.request(from), history.request(to)];
	if (!before || !after) return undefined;
	const [a, b] = [itemsOf(history, before), itemsOf(history, after)];
	const rebuilt = [a, b].map((items) => digestOfItems(items));
	return {
		from,
		to,
		shared: sharedItems(a, b),
		rows: rowsOf(history, content, { before, after, a, b }),
		tokens: [Math.round(before.prepared.tokens), Math.round(after.prepared.tokens)],
		windows: [before.prepared.window, after.prepared.window],
		same: [rebuilt[0] === before.prepared.window, rebuilt[1] === after.prepared.window],
		steps: marksBetween(history, from, to),
	};
}

interface Sides {
	readonly before: PastRequest;
	readonly after: PastRequest;
	readonly a: readonly Item[];
	readonly b: readonly Item[];
}

function rowsOf(history: History, content: Content, { before, after, a, b }: Sides): DiffRow[] {
	const causes = new ChangeCauses(history, before, after);
	const inA = new WindowRows(history, content, before);
	const inB = new WindowRows(history, content, after);
	const answered = answeredSince(a, b);
	let last: DiffRow | undefined;
	return aligned(
		a.map((item) => nameOf(item, answered)),
		b.map((item) => nameOf(item)),
	).map((pair) => {
		const [lost, gained] = [a[pair.a ?? -1], b[pair.b ?? -1]];
		const sides = {
			...(lost && { a: inA.row(lost, pair.a ?? 0) }),
			...(gained && { b: inB.row(gained, pair.b ?? 0) }),
		};
		const change = changeOf(lost, gained);
		const item = gained ?? lost;
		if (change === "same" || !item) return { change: "same", ...sides };
		// what answers a call goes with the message that makes it
		const follows = item.kind === "answer" && last?.change === change ? last : undefined;
		const cause = follows
			? without(follows)
			: lost && gained
				? between(causes, lost, gained)
				: gained
					? causes.ofGained(gained)
					: causes.ofLost(item);
		last = { change, ...sides, ...cause };
		return last;
	});
}

/** Results that came since, by the calls that had words of ours in their place. */
function answeredSince(a: readonly Item[], b: readonly Item[]): Map<string, string> {
	const known = new Set(a.flatMap((item) => ("node" in item ? item.node.id : [])));
	const answered = new Map<string, string>();
	const waiting = new Set(b.flatMap((item) => (item.kind === "answer" ? item.call : [])));
	for (const item of b) {
		if (item.kind !== "entry" || item.node.answers === undefined || known.has(item.node.id)) continue;
		// an id that was used for more than one call
		if (waiting.has(item.node.answers)) continue;
		answered.set(item.node.answers, item.node.id);
	}
	return answered;
}

function changeOf(lost: Item | undefined, gained: Item | undefined): DiffRow["change"] {
	if (!lost) return "added";
	if (!gained) return "removed";
	return itemKey(lost) === itemKey(gained) ? "same" : "replaced";
}

function between(causes: ChangeCauses, lost: Item, gained: Item): ChangeCause {
	return lost.kind === "answer" ? causes.ofLost(lost) : causes.ofGained(gained);
}

function without({ cause = "unknown", decision }: DiffRow): ChangeCause {
	return { cause, ...(decision !== undefined && { decision }) };
}

/** What an item is of: where a call was answered since, the result that does. */
function nameOf(item: Item, answered: ReadonlyMap<string, string> = new Map()): string {
	switch (item.kind) {
		case "fold":
			return `fold ${item.fold}`;
		case "shown":
			return "receipt";
		case "answer": {
			const result = answered.get(item.call);
			return result === undefined ? `answer ${item.call}` : `entry ${result}`;
		}
		default:
			return `entry ${item.node.id}`;
	}
}

function sharedItems(a: readonly Item[], b: readonly Item[]): number {
	let shared = 0;
	for (const [index, item] of a.entries()) {
		const other = b[index];
		if (!other || itemKey(other) !== itemKey(item)) break;
		shared = index + 1;
	}
	return shared;
}
