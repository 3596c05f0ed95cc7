import type { BriefEvent, WrittenText } from "../../events/brief.ts";
import { editsAt } from "../../projections/edits.ts";
import {
	type Cut,
	type FoldText,
	foldText,
	partsOf,
	type Rewriting,
	startOf,
} from "../../projections/forest.ts";
import { withoutSecrets } from "../../projections/secrets.ts";
import { type EntryNode, nodeOf, stretch } from "../../projections/session-tree.ts";
import { rewritingsAt, rewritten, standingAt, textUnder } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { accumulated } from "../../projections/work-summary/accumulate.ts";
import { GROUP_EVIDENCE } from "../../projections/work-summary/evidence.ts";
import { evidenceOf } from "../../projections/work-summary/gather.ts";
import type { Content } from "./journal.ts";
import { type FoldFacts, type Renderer, rendererFor } from "./renderer.ts";
import { type StoredBrief, storedBriefAt } from "./stored-brief.ts";

/** What a text is written from and with. */
export interface Desk {
	readonly states: SessionStates;
	readonly renderer: Renderer;
	/** where the text is to stand */
	readonly leaf: string | null;
	/** texts with a supplied brief, by fold, there */
	readonly texts: ReadonlyMap<string, FoldText>;
	readonly entry: (id: string) => TranscriptEntry | undefined;
	readonly content: (digest: string) => Uint8Array | undefined;
	/** puts content aside to be stored with the events, under its digest */
	readonly keep: (bytes: Uint8Array) => Content;
}

/** Edits that a text heeds. */
export interface Heeded {
	/** by the entries they edit */
	readonly edits: ReadonlyMap<string, EntryNode>;
	/** what they made of other texts, oldest first */
	readonly rewritings: readonly Rewriting[];
}

/** The edits on the path to an entry. */
export function heededAt({ states }: Pick<Desk, "states">, entry: string | null): Heeded {
	return { edits: editsAt(states.tree, entry), rewritings: rewritingsAt(states, entry) };
}

/**
 * Writes the text that would stand for a cut: edits heeded as far as they stand inside it, for it is one on every
 * branch.
 */
export function writeCut(desk: Desk, cut: Cut): BriefEvent {
	return briefWritten(cutText(desk, cut, heededAt(desk, cut.to)), desk.renderer);
}

/**
 * Writes the text that would stand for a group, from what was written for its parts. Nothing where those are too few, or
 * the settings asked for another renderer meanwhile: then they go on standing for themselves.
 */
export function writeGroup(desk: Desk, last: Cut, level: number): BriefEvent | undefined {
	const parts = partsOf(desk.states.forest, last, level);
	const renderers = new Set(parts.map(({ brief }) => rendererOfStored(desk, brief)));
	const [renderer] = renderers;
	if (!renderer || renderers.size > 1) return undefined;
	return briefWritten(groupText(desk, last, level, heededAt(desk, last.to)), renderer);
}

/** The renderer that made a stored brief, by its digest. */
export function rendererOfStored(desk: Pick<Desk, "content" | "renderer">, digest: string): Renderer {
	const stored = storedBriefAt(desk, digest);
	return stored ? rendererFor(stored.brief) : desk.renderer;
}

/** The text of a cut with something supplied in it, and those of the groups among `pending` that cover the cut. */
export function suppliedTexts(
	desk: Desk,
	cut: Cut,
	pending: readonly Cut[],
	supplied: string,
): WrittenText[] {
	const heeded = heededAt(desk, desk.leaf);
	const [text] = cut.texts;
	const own = suppliedText(desk, cut, text ? rewritten(text, heeded.rewritings).brief : "", supplied);
	const written = [own];
	const texts = new Map(desk.texts).set(own.fold, own);
	for (const last of pending.filter(({ number }) => number >= cut.number)) {
		for (let level = 1; level < last.texts.length; level++) {
			if ((startOf(desk.states.forest, last, level)?.number ?? 0) >= cut.number) continue;
			const parts = partsOf(desk.states.forest, last, level);
			if (!parts.some(({ fold }) => texts.has(fold))) continue;
			const text = groupText({ ...desk, texts }, last, level, heeded);
			written.push(text);
			texts.set(text.fold, text);
		}
	}
	return written;
}

/** The texts of groups among `pending` that would tell something else than they do, were `supplied` what is supplied. */
export function regrouped(desk: Desk, pending: readonly Cut[], supplied: Desk["texts"]): WrittenText[] {
	const { forest } = desk.states;
	const known = new Set([...desk.texts.keys(), ...supplied.keys()]);
	const heeded = heededAt(desk, desk.leaf);
	const written: WrittenText[] = [];
	const texts = new Map(supplied);
	for (const last of known.size > 0 ? pending : []) {
		for (const [level, group] of last.texts.entries()) {
			const isAffected = [group, ...partsOf(forest, last, level)].some(({ fold }) => known.has(fold));
			if (level === 0 || !isAffected) continue;
			known.add(group.fold);
			const text = groupText({ ...desk, texts }, last, level, heeded);
			if (text.text === textUnder({ texts }, group, heeded.rewritings).text) continue;
			written.push(text);
			texts.set(text.fold, foldText(text));
		}
	}
	return written;
}

/** As {@link suppliedTexts}, for cuts among `pending` by what older texts for the same stretches tell, oldest first. */
export function suppliedAgain(
	desk: Desk,
	pending: readonly Cut[],
	told: readonly { readonly cut: string; readonly text: FoldText }[],
): WrittenText[] {
	const written = new Map<string, WrittenText>();
	const texts = new Map(desk.texts);
	for (const { cut: id, text } of told) {
		const cut = pending.find((one) => one.id === id);
		const supplied = suppliedIn(desk, text.brief);
		if (!cut || supplied === undefined) continue;
		for (const one of suppliedTexts({ ...desk, texts }, cut, pending, supplied)) {
			written.set(one.fold, one);
			texts.set(one.fold, foldText(one));
		}
	}
	return [...written.values()];
}

/**
 * A brief as text, by its digest; empty where it is not stored. What an earlier release wrote is told without what may be a
 * secret, what the user or the model supplied as it is.
 */
export function briefText(desk: Pick<Desk, "content" | "renderer">, digest: string): string {
	const stored = storedBriefAt(desk, digest);
	if (!stored) return "";
	const text = desk.renderer.brief(stored.brief);
	return desk.renderer.suppliedIn(stored.brief) === undefined ? withoutSecrets(text) : text;
}

/** What was supplied for a fold, by the digest of its brief. */
export function suppliedIn(desk: Pick<Desk, "content" | "renderer">, digest: string): string | undefined {
	const stored = storedBriefAt(desk, digest);
	return stored && desk.renderer.suppliedIn(stored.brief);
}

/** The text of a cut with something supplied in what its brief tells. */
export function suppliedText(desk: Desk, cut: Cut, brief: string, supplied: string): WrittenText {
	const stored = storedBrief(desk, brief);
	const withIt = { ...stored, brief: rendererFor(stored.brief).supplied(stored.brief, supplied) };
	return writtenText(desk, cut, withIt, { foldId: cut.id, entries: stored.entries, children: 0 }, 0);
}

/** The text of a cut. */
export function cutText(desk: Desk, cut: Cut, { edits }: Pick<Heeded, "edits">): WrittenText {
	const entries = entriesOf(desk, cut, edits);
	const { texts } = desk;
	const before = { through: cut.before, expanded: new Map(), texts };
	const earlier = standingAt(desk.states, cut.to, before).map(
		({ text }) => storedBrief(desk, text.brief).brief,
	);
	const stored = {
		entries: entries.length,
		brief: desk.renderer.cut(entries, earlier),
		evidence: evidenceOf(entries),
	};
	return writtenText(desk, cut, stored, { foldId: cut.id, entries: entries.length, children: 0 }, 0);
}

/** The text of a group, from those of its parts. */
export function groupText(
	desk: Desk,
	last: Cut,
	level: number,
	{ rewritings }: Pick<Heeded, "rewritings">,
): WrittenText {
	const parts = partsOf(desk.states.forest, last, level)
		.map((part) => textUnder(desk, part, rewritings))
		.filter(({ gone }) => !gone)
		.map(({ brief }) => storedBrief(desk, brief));
	let entries = 0;
	for (const part of parts) entries += part.entries;
	const briefs = parts.map((part) => part.brief);
	const renderer = briefs.length > 0 ? rendererFor(briefs[0]) : desk.renderer;
	const stored = {
		entries,
		brief: renderer.group(briefs.filter((brief) => rendererFor(brief) === renderer)),
		evidence: accumulated(
			parts.map(({ evidence }) => evidence ?? []),
			GROUP_EVIDENCE,
		),
	};
	const foldId = `g${level}${last.id.slice(last.id.indexOf("-"))}`;
	return writtenText(desk, last, stored, { foldId, entries, children: parts.length }, level);
}

/** Characters of a clipped result that stay in view at most. */
const CLIP_CHARS = 500;

/**
 * What is left in view of a large result: its first block of lines if that is short, else its first characters, and
 * how to read the rest; of anything else, its whole text without the images.
 */
export function clipText(entry: TranscriptEntry): string {
	const texts = entry.blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
	const whole = texts.join("\n");
	const head = entry.role === "result" ? headOf(whole) : whole;
	const images = entry.blocks.filter(({ type }) => type === "image").length;
	const gone = [
		...(images > 0 ? [images === 1 ? "1 image" : `${images} images`] : []),
		...(images === 0 || head.length < whole.length ? [`${whole.length - head.length} more characters`] : []),
	].join(" and ");
	return `${head}${head === "" ? "" : "\n"}[${gone} clipped by the runtime; ${peekCall(entry)}]`;
}

function headOf(text: string): string {
	const opening = /^\s*\S[\s\S]*?(?=\n\s*\n|$)/.exec(text.slice(0, CLIP_CHARS + 1))?.[0] ?? "";
	return opening.length > 0 && opening.length <= CLIP_CHARS ? opening : unbroken(text.slice(0, CLIP_CHARS));
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

/** What the model saw of a cut. */
function entriesOf(desk: Desk, cut: Cut, edits: Heeded["edits"]): TranscriptEntry[] {
	const { tree } = desk.states;
	const above = (nodeOf(tree, cut.from)?.depth ?? 0) - 1;
	return entriesSent(desk, stretch(tree, cut.to, above), edits);
}

/** What the model saw of a stretch, as edits leave it: without system messages, and what was never sent. */
export function entriesSent(
	{ entry: entryOf }: Pick<Desk, "entry">,
	nodes: readonly EntryNode[],
	edits: Heeded["edits"],
): TranscriptEntry[] {
	return nodes.flatMap((node) => {
		if (node.fate !== "sent" || node.role === "system") return [];
		const entry = entryOf(node.id);
		const edit = edits.get(node.id);
		if (!entry || edit?.omits) return [];
		return edit ? [{ ...entry, blocks: entryOf(edit.id)?.blocks ?? [] }] : [entry];
	});
}

function briefWritten(text: WrittenText, { name: renderer }: Renderer): BriefEvent {
	return { type: "brief/written", data: { ...text, renderer } };
}

function writtenText(
	desk: Desk,
	cut: Cut,
	stored: StoredBrief,
	facts: FoldFacts,
	level: number,
): WrittenText {
	const text = rendererFor(stored.brief).text(stored.brief, facts);
	return {
		fold: facts.foldId,
		level,
		cut: cut.id,
		brief: desk.keep(encode(JSON.stringify(stored))).digest,
		text: desk.keep(encode(text)).digest,
		chars: text.length,
		...(facts.entries === 0 && { gone: true }),
	};
}

function storedBrief(desk: Desk, digest: string): StoredBrief {
	return storedBriefAt(desk, digest) ?? { entries: 0, brief: desk.renderer.cut([], []) };
}

function encode(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}
