import type { Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { rendererFor, rendererOf } from "../../src/engine/renderer.ts";
import type { Path, RefCut, RefPlan, RefText, Step } from "./reference-path.ts";

/** What a cut comes to in words, and the groups it completes, by the rules in force. */
export function textsOf(
	steps: readonly Step[],
	before: readonly RefCut[],
	{ id, from, to }: Pick<RefCut, "id" | "from" | "to">,
	plan: RefPlan,
	rules: Settings,
): RefText[] {
	const number = before.length + 1;
	const renderer = rendererOf(rules.briefs);
	const edits = new Map<string, TranscriptEntry>();
	for (const { entry } of steps.slice(0, to + 1)) if (entry.target) edits.set(entry.target, entry);
	const entries = steps.slice(from, to + 1).flatMap(({ entry, fate, foldable }) => {
		const edit = edits.get(entry.id);
		if (fate !== "sent" || !foldable || edit?.omits) return [];
		return [edit ? { ...entry, blocks: edit.blocks } : entry];
	});
	const isKnown = !steps.slice(0, to + 1).some(({ entry }) => entry.target);
	const earlier = standing(before, before.length, { ...plan, expanded: new Map() });
	const count = entries.length;
	const brief = renderer.cut(
		entries,
		earlier.map(({ text }) => text.brief),
	);
	const text = renderer.text(brief, { foldId: id, entries: count, children: 0 });
	const texts: RefText[] = [
		{ fold: id, level: 0, first: number, last: number, entries: count, brief, text, isKnown },
	];
	const cuts = [...before, { id, from, to, texts }];
	for (let level = 1; number % rules.consolidateAfter ** level === 0; level++) {
		const parts = partsOf(cuts, number, level, rules.consolidateAfter);
		if (!parts || parts.some((part) => rendererFor(part.brief) !== renderer)) break;
		texts.push(groupOf(parts, { cut: id, level, number }, plan.texts));
	}
	return texts;
}

/** The texts that fill a group, where they do. */
function partsOf(cuts: readonly RefCut[], last: number, level: number, base: number): RefText[] | undefined {
	const width = base ** (level - 1);
	const parts: RefText[] = [];
	for (let n = base - 1; n >= 0; n--) {
		const end = last - n * width;
		const part = cuts[end - 1]?.texts.find((text) => text.level === level - 1);
		if (!part || part.first !== end - width + 1) return undefined;
		parts.push(part);
	}
	return parts;
}

/** The texts a group was made of. */
function partsWithin(cuts: readonly RefCut[], group: RefText): RefText[] {
	const parts: RefText[] = [];
	for (let end = group.last; end >= group.first; ) {
		const part = cuts[end - 1]?.texts.find(({ level }) => level === group.level - 1);
		if (!part) throw new Error(`${group.fold} is not filled`);
		parts.push(part);
		end = part.first - 1;
	}
	return parts.reverse();
}

/** The text of a group, with what was supplied for its parts. */
function groupOf(
	parts: readonly RefText[],
	{ cut, level, number }: { cut: string; level: number; number: number },
	supplied: ReadonlyMap<string, RefText>,
): RefText {
	const renderer = rendererFor(parts[0]?.brief);
	const told = parts.map((part) => supplied.get(part.fold) ?? part);
	const fold = `g${level}${cut.slice(cut.indexOf("-"))}`;
	let entries = 0;
	for (const part of told) entries += part.entries;
	const brief = renderer.group(told.map((part) => part.brief));
	const text = renderer.text(brief, { foldId: fold, entries, children: told.length });
	return {
		fold,
		level,
		first: parts[0]?.first ?? 0,
		last: number,
		entries,
		brief,
		text,
		isKnown: told.every((one) => one.isKnown),
	};
}

/** Texts with what was supplied for a cut that waits, and those of groups that cover it. */
export function supplied(
	{ steps, cuts, plan }: Pick<Path, "steps" | "cuts" | "plan">,
	written: RefText,
	text: string,
	known: RefPlan["texts"],
): Map<string, RefText> {
	const renderer = rendererFor(written.brief);
	const { fold } = written;
	const brief = renderer.supplied(written.brief, text);
	const shown = renderer.text(brief, { foldId: fold, entries: written.entries, children: 0 });
	const isKnown = written.isKnown && !steps.some(({ entry }) => entry.target);
	const texts = new Map(known).set(fold, { ...written, brief, text: shown, isKnown });
	for (const [n, cut] of cuts.entries()) {
		if (n + 1 < written.last || n + 1 <= plan.through) continue;
		for (const group of cut.texts.slice(1)) {
			const parts = partsWithin(cuts, group);
			if (group.first > written.last || !parts.some((part) => texts.has(part.fold))) continue;
			texts.set(group.fold, groupOf(parts, { cut: cut.id, level: group.level, number: n + 1 }, texts));
		}
	}
	return texts;
}

/** Texts with those of groups that wait, as far as something else was supplied when they were written. */
export function regrouped(
	cuts: readonly RefCut[],
	{ texts: supplied, through }: RefPlan,
): Map<string, RefText> {
	const texts = new Map(supplied);
	for (const [n, { id, texts: own }] of cuts.entries()) {
		for (const group of n < through ? [] : own.slice(1)) {
			const place = { cut: id, level: group.level, number: n + 1 };
			const text = groupOf(partsWithin(cuts, group), place, texts);
			if (text.text !== (texts.get(group.fold) ?? group).text) texts.set(group.fold, text);
		}
	}
	return texts;
}

/** What stands for the first cuts of a path, oldest first: the widest texts, opened ones by their parts. */
export function standing(
	cuts: readonly RefCut[],
	through: number,
	{ expanded, texts }: Pick<RefPlan, "expanded" | "texts">,
): { readonly text: RefText; readonly open: boolean }[] {
	const all = cuts.flatMap((cut) => cut.texts);
	const opened = [...expanded.keys()].flatMap((fold) => all.find((text) => text.fold === fold) ?? []);
	const isOpen = (text: RefText) =>
		opened.some(
			(open) =>
				open.fold === text.fold ||
				// a group counted in another base may reach out of one
				(open.level < text.level && open.last >= text.first && open.last <= text.last),
		);
	const parts: { text: RefText; open: boolean }[] = [];
	for (let end = through; end > 0; ) {
		const written = cuts[end - 1]?.texts ?? [];
		const text = written.toReversed().find((one) => !isOpen(one)) ?? written[0];
		if (!text) throw new Error(`no text for cut ${end}`);
		parts.push({ text: texts.get(text.fold) ?? text, open: isOpen(text) });
		end = text.first - 1;
	}
	return parts.reverse();
}
