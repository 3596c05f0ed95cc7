import type { BriefEvent } from "../../events/brief.ts";
import { type Cut, partsOf, standingTexts } from "../../projections/forest.ts";
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
	const entries = entriesOf(desk, cut);
	const earlier = standingTexts(desk.states.forest, cut.before).map(
		({ text }) => storedBrief(desk, text.brief).brief,
	);
	const stored = { entries: entries.length, brief: desk.renderer.cut(entries, earlier) };
	return written(desk, cut, stored, { foldId: cut.id, entries: entries.length, children: 0 }, 0);
}

/** Writes the text that would stand for a group, from what was written for its parts. */
export function writeGroup(desk: Desk, last: Cut, level: number): BriefEvent {
	const parts = partsOf(desk.states.forest, last, level).map((part) => storedBrief(desk, part.brief));
	let entries = 0;
	for (const part of parts) entries += part.entries;
	const stored = { entries, brief: desk.renderer.group(parts.map((part) => part.brief)) };
	const foldId = `g${level}${last.id.slice(last.id.indexOf("-"))}`;
	return written(desk, last, stored, { foldId, entries, children: parts.length }, level);
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
	const call = `pi_fold_context ${JSON.stringify({ action: "peek", id: entry.id })}`;
	return `${head}\n[${whole.length - head.length} more characters clipped by the runtime; ${call}]`;
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

function written(desk: Desk, cut: Cut, stored: StoredBrief, facts: FoldFacts, level: number): BriefEvent {
	const text = desk.renderer.text(stored.brief, facts);
	return {
		type: "brief/written",
		data: {
			fold: facts.foldId,
			level,
			cut: cut.id,
			brief: desk.keep(encode(JSON.stringify(stored))).digest,
			text: desk.keep(encode(text)).digest,
			chars: text.length,
			provenance: "deterministic",
			renderer: desk.renderer.name,
		},
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
