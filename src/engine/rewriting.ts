import type { BriefEvent, RewrittenText, WrittenText } from "../../events/brief.ts";
import { type Cut, cutOf, type FoldText, foldText, startOf } from "../../projections/forest.ts";
import { planAfter } from "../../projections/plans.ts";
import { type EntryNode, nodeOf, stretch } from "../../projections/session-tree.ts";
import { rewritten } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import {
	cutText,
	type Desk,
	groupText,
	heededAt,
	rendererOfStored,
	suppliedIn,
	suppliedText,
} from "./texts.ts";

/** A text that was written for a fold, with the last cut it covers. */
interface Written {
	readonly cut: Cut;
	readonly text: FoldText;
}

/**
 * What takes the place of the texts that tell of what an edit edits: of those written for `cut`, or by default of all
 * on the edit's path; those with something supplied keep it. Nothing where no text tells of it. O(cuts of the session)
 * where the edited entry is in one that closed.
 */
export function rewriteTexts(desk: Desk, edit: EntryNode, cut?: Cut): BriefEvent | undefined {
	const { states } = desk;
	const target = nodeOf(states.tree, edit.target ?? null);
	const above = nodeOf(states.tree, edit.parent);
	if (target?.fate !== "sent" || target.role === "system" || !above) return undefined;
	if (!cut && target.depth > closedDepth(states, above)) return undefined;
	const path = new Set(stretch(states.tree, above.id, target.depth - 1).map(({ id }) => id));
	if (!path.has(target.id)) return undefined;
	const told = textsTelling(states, target, cut ? [cut] : allCuts(states), path);
	if (told.length === 0) return undefined;
	const texts = textsInstead(desk, edit, told);
	return { type: "brief/rewritten", data: { edit: edit.id, texts, renderer: desk.renderer.name } };
}

/** Depth of the last entry that a cut took; -1 where none closed. */
function closedDepth({ tree, forest }: SessionStates, { cut }: EntryNode): number {
	return nodeOf(tree, cutOf(forest, cut)?.to ?? null)?.depth ?? -1;
}

function* allCuts({ forest }: SessionStates): Generator<Cut> {
	for (const bucket of forest.cuts) yield* bucket.values();
}

/** The texts that cover an entry, of cuts that end on the path from it on; parts before what they are parts of. */
function textsTelling(
	{ tree, forest }: SessionStates,
	target: EntryNode,
	cuts: Iterable<Cut>,
	path: ReadonlySet<string>,
): Written[] {
	const depthOf = (id: string) => nodeOf(tree, id)?.depth ?? -1;
	const covers = (cut: Cut, { level }: FoldText) => {
		const before = level === 0 ? undefined : startOf(forest, cut, level);
		const from = level === 0 ? depthOf(cut.from) : before ? depthOf(before.to) + 1 : depthOf(cut.origin);
		return from <= target.depth;
	};
	const told: Written[] = [];
	for (const cut of cuts) {
		if (!path.has(cut.to)) continue;
		for (const text of cut.texts) if (covers(cut, text)) told.push({ cut, text });
	}
	return told.sort((a, b) => a.text.level - b.text.level || (a.text.fold < b.text.fold ? -1 : 1));
}

function textsInstead(desk: Desk, edit: EntryNode, told: readonly Written[]): RewrittenText[] {
	const before = heededAt(desk, edit.parent);
	const after = heededAt(desk, edit.id);
	const fresh = new Map<string, FoldText>();
	const heeded = { ...after, rewritings: [...after.rewritings, fresh] };
	const texts: RewrittenText[] = [];
	const put = (was: FoldText, written: WrittenText) => {
		fresh.set(was.text, foldText(written));
		texts.push({ ...written, instead: was.text });
	};
	const inForce = suppliedAbove(desk.states, edit);
	for (const { cut, text } of told) {
		const { level, fold } = text;
		const renderer = rendererOfStored(desk, text.brief);
		const own =
			level === 0 ? cutText({ ...desk, renderer }, cut, heeded) : groupText(desk, cut, level, heeded);
		put(rewritten(text, before.rewritings), own);
		for (const supplied of inForce) {
			const other = supplied.get(fold);
			const was = other && rewritten(other, before.rewritings);
			if (!was || fresh.has(was.text)) continue;
			const said = suppliedIn(desk, was.brief);
			if (level > 0) put(was, groupText({ ...desk, texts: supplied }, cut, level, heeded));
			else put(was, said === undefined ? own : suppliedText(desk, cut, own.brief, said));
		}
	}
	return texts;
}

/**
 * Texts with something supplied, as each decision on the path to an edit left them, newest first: any may be in force
 * again.
 */
function suppliedAbove({ tree, plans }: SessionStates, edit: EntryNode): ReadonlyMap<string, FoldText>[] {
	const found: ReadonlyMap<string, FoldText>[] = [];
	let plan = planAfter(plans, nodeOf(tree, edit.parent)?.decision ?? null);
	for (; plan; plan = planAfter(plans, plan.on)) if (plan.texts.size > 0) found.push(plan.texts);
	return found;
}
