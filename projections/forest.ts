import type { Draft } from "immer";
import type { BriefEvent, WrittenText } from "../events/brief.ts";
import type { MarkDecision, MarkEvent, Span } from "../events/mark.ts";
import type { SessionEvent } from "../events/session.ts";
import { type Buckets, buckets, lookUp, type MutableBuckets, put } from "./buckets.ts";
import type { Place, Projection } from "./projection.ts";

/** A text that can stand in the window for a stretch of the path. */
export interface FoldText {
	readonly fold: string;
	/** 0 a cut, 1 a group of cuts, 2 a group of groups, … */
	readonly level: number;
	/** digest of the brief's structured form */
	readonly brief: string;
	/** digest of the text */
	readonly text: string;
	readonly chars: number;
	/** edits left nothing of what it stands for, so it is not shown */
	readonly gone?: boolean;
}

/** Texts that take the place of others, by the digests of those. */
export type Rewriting = ReadonlyMap<string, FoldText>;

/** A stretch of a path that closed, with the texts that end with it: its own, and those of groups it completes. */
export interface Cut {
	readonly id: string;
	/** number on its path, from 1 */
	readonly number: number;
	readonly before: string | null;
	/** `tens[level - 1]` is the last cut before the group of that level that this cut completes; `null` at the start */
	readonly tens: readonly (string | null)[];
	/** first entry of the first cut of its path */
	readonly origin: string;
	readonly from: string;
	readonly to: string;
	readonly chars: number;
	readonly images: number;
	readonly texts: readonly FoldText[];
}

/** All cuts of all branches, and the base their groups are counted in. */
export interface Forest {
	readonly cuts: Buckets<Cut>;
	/** the last cut of each group, by the group's fold */
	readonly groups: Buckets<string>;
	/** what each edit made of the texts of folds that hold what it edits, by the edit's id */
	readonly rewritten: Buckets<Rewriting>;
	readonly base: number;
}

type ForestEvent =
	| MarkEvent
	| Extract<MarkDecision, { type: "mark/recut" }>
	| BriefEvent
	| Extract<SessionEvent, { type: "session/settingsChanged" }>;

/** The canonical forest: which stretches may be folded, and what would stand for them. */
export const forest: Projection<Forest, ForestEvent> = {
	name: "forest",
	version: 4,
	listens: {
		"mark/set": true,
		"mark/recut": true,
		"brief/written": true,
		"brief/rewritten": true,
		"session/settingsChanged": true,
	},
	initial: () => ({ cuts: buckets(), groups: buckets(), rewritten: buckets(), base: 10 }),
	apply,
};

/** A written text as the states keep it. */
export function foldText({ fold, level, brief, text, chars, gone }: Omit<WrittenText, "cut">): FoldText {
	return { fold, level, brief, text, chars, ...(gone && { gone }) };
}

/** A forest of one's own with the same in it. O(cuts). */
export function ownForest({ cuts, groups, rewritten, base }: Forest): Forest {
	const own = <V>(table: Buckets<V>) => table.map((bucket) => new Map(bucket));
	return { cuts: own(cuts), groups: own(groups), rewritten: own(rewritten), base };
}

/** The cut of an id, if it closed. */
export function cutOf(state: Forest, id: string | null): Cut | undefined {
	return id === null ? undefined : lookUp(state.cuts, id);
}

/** What is excepted from the texts that usually stand: opened folds, and texts with a supplied brief. */
export interface Excepted {
	readonly expanded: ReadonlyMap<string, number>;
	readonly texts: ReadonlyMap<string, FoldText>;
}

/** What stands for a stretch: a text, or its entries where the cut is open. */
export interface Standing {
	/** the last cut of the stretch */
	readonly cut: Cut;
	readonly text: FoldText;
	readonly isOpen: boolean;
	/** all it stands for is held raw, so that its text would hide nothing */
	readonly isBare?: boolean;
}

/**
 * What stands for everything up to a cut: the fewest complete groups, oldest first. A group whose text was not written,
 * or that holds an opened fold, is shown by its parts.
 */
export function standingParts(state: Forest, through: string | null, excepted?: Excepted): Standing[] {
	const standing: Standing[] = [];
	const opened = [...(excepted?.expanded.keys() ?? [])].flatMap((fold) => reachOf(state, fold) ?? []);
	let cut = cutOf(state, through);
	while (cut) {
		const { number, id } = cut;
		const holdsOpen = (text: FoldText, before: number) =>
			opened.some(
				({ fold, level, last }) =>
					fold === text.fold || (level < text.level && last <= number && last > before),
			);
		let text: FoldText | undefined;
		for (const written of cut.texts.toReversed()) {
			text = written;
			if (!holdsOpen(written, startOf(state, cut, written.level)?.number ?? 0)) break;
		}
		if (!text) break;
		const isOpen = text.level === 0 && excepted?.expanded.has(id) === true;
		standing.push({ cut, text: excepted?.texts.get(text.fold) ?? text, isOpen });
		cut = startOf(state, cut, text.level);
	}
	return standing.reverse();
}

/** The last cut before the stretch of a text that ends with a cut. */
export function startOf(state: Forest, cut: Cut, level: number): Cut | undefined {
	return cutOf(state, level === 0 ? cut.before : (cut.tens[level - 1] ?? null));
}

/**
 * The texts one level below a group, oldest first; what its own text is made from. None where they do not fill it with
 * parts of one width, because some were counted in another base: then the parts go on standing for themselves.
 */
export function partsOf(state: Forest, last: Cut, level: number): FoldText[] {
	const start = startOf(state, last, level)?.number ?? 0;
	const parts: FoldText[] = [];
	let width: number | undefined;
	for (let cut: Cut | undefined = last; cut && cut.number > start; ) {
		const part = cut.texts[level - 1];
		const before = startOf(state, cut, level - 1);
		const spans = cut.number - (before?.number ?? 0);
		width ??= spans;
		if (!part || spans !== width || cut.number - spans < start) return [];
		parts.push(part);
		cut = before;
	}
	return parts.reverse();
}

/** How many levels of groups a cut completes: 0 for most, 1 for every tenth, 2 for every hundredth. */
export function levelsEndingAt(state: Forest, cut: Cut): number {
	let levels = 0;
	for (let n = cut.number; n > 0 && n % state.base === 0; n /= state.base) levels++;
	return levels;
}

function apply(draft: Draft<Forest>, event: ForestEvent, _place: Place, state: Forest): void {
	switch (event.type) {
		case "session/settingsChanged":
			if (event.data.consolidateAfter > 1) draft.base = event.data.consolidateAfter;
			return;
		case "mark/set":
			close(state, draft, event.data);
			return;
		case "mark/recut":
			for (const span of event.data.cuts) close(draft as Forest, draft, span);
			return;
		case "brief/written":
			write(state, draft, event.data);
			return;
		case "brief/rewritten":
			rewrite(state, draft, event.data);
			return;
		default:
			event satisfies never;
	}
}

/** The level of a fold that ends with a cut. */
export function levelOf(last: Cut, fold: string): number {
	return Math.max(
		0,
		last.texts.findIndex((text) => text.fold === fold),
	);
}

/** The last cut a fold covers; `undefined` where no text of this session bears the name. */
export function lastCutOf(state: Forest, fold: string): Cut | undefined {
	return cutOf(state, fold) ?? cutOf(state, lookUp(state.groups, fold) ?? null);
}

function reachOf(state: Forest, fold: string): { fold: string; level: number; last: number } | undefined {
	const cut = lastCutOf(state, fold);
	return cut && { fold, level: levelOf(cut, fold), last: cut.number };
}

function close(state: Forest, draft: Draft<Forest>, mark: Span): void {
	// another branch closed it already, by the same entries
	if (cutOf(state, mark.id)) return;
	const tens: (string | null)[] = [];
	let size = state.base;
	let cursor = cutOf(state, mark.before);
	for (let level = 1; mark.cut % size === 0; level++, size *= state.base) {
		const start = mark.cut - size;
		while (cursor && cursor.number > start) cursor = cutOf(state, cursor.tens[level - 2] ?? cursor.before);
		tens.push(cursor?.id ?? null);
	}
	put(draft.cuts as MutableBuckets<Cut>, mark.id, {
		id: mark.id,
		number: mark.cut,
		before: mark.before,
		tens,
		origin: cutOf(state, mark.before)?.origin ?? mark.from,
		from: mark.from,
		to: mark.to,
		chars: mark.chars,
		images: mark.images,
		texts: [],
	});
}

function write(state: Forest, draft: Draft<Forest>, brief: WrittenText): void {
	const cut = cutOf(state, brief.cut);
	if (!cut) return;
	const { fold, level } = brief;
	const texts = [...cut.texts];
	texts[level] = foldText(brief);
	if (level > 0) put(draft.groups as MutableBuckets<string>, fold, cut.id);
	put(draft.cuts as MutableBuckets<Cut>, cut.id, { ...cut, texts });
}

function rewrite(
	state: Forest,
	draft: Draft<Forest>,
	{ edit, texts }: Extract<BriefEvent, { type: "brief/rewritten" }>["data"],
): void {
	const rewriting = new Map(lookUp(state.rewritten, edit));
	for (const text of texts) rewriting.set(text.instead, foldText(text));
	put(draft.rewritten as MutableBuckets<Rewriting>, edit, rewriting);
}
