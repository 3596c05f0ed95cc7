import type { BriefEvent, WrittenText } from "../../events/brief.ts";
import { type Cut, type FoldText, levelsEndingAt, partsOf, standingParts } from "../../projections/forest.ts";
import { nodeOf, stretch } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { editsAt } from "../../projections/window-plan.ts";
import type { Content } from "./journal.ts";
import type { FoldFacts, Renderer } from "./renderer.ts";

/** What a text is written from and with. */
export interface Desk {
	readonly states: SessionStates;
	readonly renderer: Renderer;
	/** texts with a supplied brief, by fold, where the text is to stand */
	readonly texts: ReadonlyMap<string, FoldText>;
	readonly entry: (id: string) => TranscriptEntry | undefined;
	readonly content: (digest: string) => Uint8Array | undefined;
	/** puts content aside to be stored with the events, under its digest */
	readonly keep: (bytes: Uint8Array) => Content;
}

/** A brief as it is stored: with the counts its parent's text needs. */
interface StoredBrief {
	readonly entries: number;
	readonly brief: unknown;
}

/** Writes the text that would stand for a cut. */
export function writeCut(desk: Desk, cut: Cut): BriefEvent {
	return briefWritten(desk, cutText(desk, cut));
}

/** Writes the text that would stand for a group, from what was written for its parts. */
export function writeGroup(desk: Desk, last: Cut, level: number): BriefEvent {
	return briefWritten(desk, groupText(desk, last, level));
}

/** The text of a cut with something supplied in it, and those of the groups among `pending` that cover the cut. */
export function suppliedTexts(
	desk: Desk,
	cut: Cut,
	pending: readonly Cut[],
	supplied: string,
): WrittenText[] {
	const stored = storedBrief(desk, cut.texts[0]?.brief ?? "");
	const withIt = { ...stored, brief: desk.renderer.supplied(stored.brief, supplied) };
	const own = writtenText(desk, cut, withIt, { foldId: cut.id, entries: stored.entries, children: 0 }, 0);
	const written = [own];
	const texts = new Map(desk.texts).set(own.fold, own);
	for (const last of pending.filter(({ number }) => number >= cut.number)) {
		for (let level = 1; level <= levelsEndingAt(desk.states.forest, last); level++) {
			const parts = partsOf(desk.states.forest, last, level);
			if (!last.texts[level] || !parts.some(({ fold }) => texts.has(fold))) continue;
			const text = groupText({ ...desk, texts }, last, level);
			written.push(text);
			texts.set(text.fold, text);
		}
	}
	return written;
}

/** A brief as text, by its digest; empty where it is not stored. */
export function briefText(desk: Pick<Desk, "content" | "renderer">, digest: string): string {
	const bytes = desk.content(digest);
	if (!bytes) return "";
	const { brief } = JSON.parse(new TextDecoder().decode(bytes)) as StoredBrief;
	return desk.renderer.brief(brief);
}

function cutText(desk: Desk, cut: Cut): WrittenText {
	const entries = entriesOf(desk, cut);
	const { texts } = desk;
	const earlier = standingParts(desk.states.forest, cut.before, { expanded: new Map(), texts }).map(
		({ text }) => storedBrief(desk, text.brief).brief,
	);
	const stored = { entries: entries.length, brief: desk.renderer.cut(entries, earlier) };
	return writtenText(desk, cut, stored, { foldId: cut.id, entries: entries.length, children: 0 }, 0);
}

function groupText(desk: Desk, last: Cut, level: number): WrittenText {
	const parts = partsOf(desk.states.forest, last, level).map((part) =>
		storedBrief(desk, (desk.texts.get(part.fold) ?? part).brief),
	);
	let entries = 0;
	for (const part of parts) entries += part.entries;
	const stored = { entries, brief: desk.renderer.group(parts.map((part) => part.brief)) };
	const foldId = `g${level}${last.id.slice(last.id.indexOf("-"))}`;
	return writtenText(desk, last, stored, { foldId, entries, children: parts.length }, level);
}

/** Characters of a clipped result that stay in view at most. */
const CLIP_CHARS = 500;

/**
 * What is left in view of a large result: its first block of lines if that is short, else its first characters, and
 * how to read the rest. Only text is left.
 */
export function clipText(entry: TranscriptEntry): string {
	const texts = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
	const whole = texts.join("\n");
	const opening = /^\s*\S[\s\S]*?(?=\n\s*\n|$)/.exec(whole.slice(0, CLIP_CHARS + 1))?.[0] ?? "";
	const head =
		opening.length > 0 && opening.length <= CLIP_CHARS ? opening : unbroken(whole.slice(0, CLIP_CHARS));
	return `${head}\n[${whole.length - head.length} more characters clipped by the runtime; ${peekCall(entry)}]`;
}

/** What is left in view of what was read back for the moment. */
export function releasedText(entry: TranscriptEntry): string {
	return `[what was read back here has left the window again; ${peekCall(entry)}]`;
}

function peekCall({ id }: TranscriptEntry): string {
	return `pi_fold_context ${JSON.stringify({ action: "peek", id })}`;
}

/** A cut in the middle of a surrogate pair loses the half. */
function unbroken(text: string): string {
	const last = text.charCodeAt(text.length - 1);
	return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}

/** What the model saw of a cut: edits heeded as far as they stand inside it, for a cut means the same on every branch. */
function entriesOf({ states: { tree }, entry: entryOf }: Desk, cut: Cut): TranscriptEntry[] {
	const above = (nodeOf(tree, cut.from)?.depth ?? 0) - 1;
	const edits = editsAt(tree, cut.to);
	return stretch(tree, cut.to, above).flatMap((node) => {
		if (node.fate !== "sent" || node.role === "system") return [];
		const entry = entryOf(node.id);
		const edit = edits.get(node.id);
		if (!entry || edit?.omits) return [];
		return edit ? [{ ...entry, blocks: entryOf(edit.id)?.blocks ?? [] }] : [entry];
	});
}

function briefWritten({ renderer }: Desk, text: WrittenText): BriefEvent {
	return { type: "brief/written", data: { ...text, renderer: renderer.name } };
}

function writtenText(
	desk: Desk,
	cut: Cut,
	stored: StoredBrief,
	facts: FoldFacts,
	level: number,
): WrittenText {
	const text = desk.renderer.text(stored.brief, facts);
	return {
		fold: facts.foldId,
		level,
		cut: cut.id,
		brief: desk.keep(encode(JSON.stringify(stored))).digest,
		text: desk.keep(encode(text)).digest,
		chars: text.length,
	};
}

function storedBrief(desk: Desk, digest: string): StoredBrief {
	const bytes = desk.content(digest);
	if (!bytes) return { entries: 0, brief: desk.renderer.cut([], []) };
	return JSON.parse(new TextDecoder().decode(bytes)) as StoredBrief;
}

function encode(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
