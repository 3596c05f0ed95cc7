import { withoutSecrets } from "../secrets.ts";
import type { Block, JsonValue, TranscriptEntry } from "../transcript.ts";
import { tellable } from "./tellable.ts";

/** A brief made by cutting texts short, and the notes its parent repeats. */
export interface TruncationBrief {
	/** at most 2,000 characters */
	readonly text: string;
	/** leading paragraphs of the assistant's messages in the span, in order */
	readonly notes: readonly string[];
	/** a clause of the model's or the user's own */
	readonly supplied?: string;
}

/** Cap of every brief, characters. */
const CAP = 2000;
/** Cap of a note inside a brief, characters. */
const NOTE = 160;
/** Fewest characters that still name a subject of a group. */
const SUBJECT = 24;

/**
 * The brief pi-fold 4.0 gives a span, for comparison: one tool batch is told by its calls and the first and last words
 * of its results, anything else by a piece per message.
 */
export function truncationCutBrief(span: readonly TranscriptEntry[]): TruncationBrief {
	const entries = tellable(span);
	const notes = entries
		.filter((entry) => entry.role === "assistant")
		.flatMap((entry) => leading(textOf(entry)) || []);
	const [first, ...rest] = entries;
	const batch =
		first !== undefined &&
		rest.length > 0 &&
		callsOf(first).length > 0 &&
		rest.every((entry) => entry.role === "result" && entry.failed !== true);
	return { text: batch ? toolBatch(first, rest) : chapter(entries), notes };
}

/** The brief pi-fold 4.0 gives a group: its children's briefs, then every note, each cut to an even share. */
export function truncationGroupBrief(children: readonly TruncationBrief[]): TruncationBrief {
	const notes = children.flatMap((child) => child.notes.map(withoutSecrets));
	const subjects = [
		...children.map((child) => oneLine(withoutSecrets(child.text))),
		...notes.map((note) => bounded(note, NOTE)),
	];
	const told = notes.length > 0 ? ` and ${notes.length} agent notes` : "";
	const lead = `Grouped completed context covering ${children.length} folds${told}: `;
	const room = CAP - lead.length;
	const named = Math.min(subjects.length, Math.floor((room - 20) / (SUBJECT + 3)));
	const tail = named < subjects.length ? ` | ${subjects.length - named} more subjects` : "";
	const shares = evenShares(subjects.slice(0, named), room - tail.length - 3 * Math.max(0, named - 1));
	const text = subjects.slice(0, named).map((subject, i) => bounded(subject, shares[i] ?? 0));
	return { text: bounded(lead + text.join(" | ") + tail, CAP), notes };
}

/** pi-fold's brief of a fold the model wrote a clause for: the clause whole, the rest as far as there is room. */
export function truncationSupplied({ text, notes }: TruncationBrief, clause: string): TruncationBrief {
	const told = withoutSecrets(text);
	return { text: `${bounded(told, CAP - 10 - clause.length)} · Agent: ${clause}`, notes, supplied: clause };
}

function toolBatch(call: TranscriptEntry, results: readonly TranscriptEntry[]): string {
	const signatures = callsOf(call).map((block) => `${block.tool}(${bounded(signature(block.args), 240)})`);
	const read = `Read ${bounded(signatures.join("; "), 400)}`;
	const ends = `ends "${oneLine(textOf(results.at(-1)).slice(-NOTE)).slice(-120)}"`;
	const source = results.length === 1 ? "exact source here" : `${results.length} exact results here`;
	const room = CAP - read.length - ends.length - source.length - 30;
	const head = textOf(results[0]);
	const paragraph = /^\s*([\s\S]*?\S)\n[ \t]*\n/.exec(head)?.[1];
	const opens = paragraph ? bounded(oneLine(paragraph), room) : bounded(oneLine(firstLine(head)), NOTE);
	const note = leading(textOf(call));
	const left = room - opens.length - 18;
	const noted = note && left > SUBJECT ? [`agent noted "${bounded(note, left)}"`] : [];
	return bounded([read, `opens "${opens}"`, ends, ...noted, source].join(" · "), CAP);
}

function chapter(entries: readonly TranscriptEntry[]): string {
	const argsByCall = new Map(entries.flatMap(callsOf).map((call) => [call.callId, call] as const));
	const pieces = entries.flatMap((entry) => piece(entry, argsByCall));
	if (pieces.length === 0) return `Completed span of ${entries.length} messages`;
	let kept = pieces.length;
	const render = () => {
		const more = kept < pieces.length ? [`${pieces.length - kept} more entries in this span`] : [];
		return [...pieces.slice(0, kept), ...more].join(" · ");
	};
	while (kept > 0 && render().length > CAP) kept--;
	return render();
}

type Call = Block & { type: "call" };

function piece(entry: TranscriptEntry, calls: ReadonlyMap<string, Call>): string[] {
	const text = textOf(entry);
	if (entry.role === "user") return [`User asked: ${bounded(oneLine(text), 120)}`];
	if (entry.role === "assistant") return leading(text) ? [`Noted: ${bounded(leading(text), NOTE)}`] : [];
	if (entry.role !== "result") return [];
	const call = calls.get(entry.answers ?? "");
	const args = call ? bounded(oneLine(JSON.stringify(call.args)), 80) : "";
	const name = call?.tool ?? entry.tool ?? "tool";
	return [`${name}(${args})${entry.failed ? " [errored]" : ""} → "${bounded(oneLine(text), 90)}"`];
}

function signature(args: JsonValue): string {
	if (args === null || typeof args !== "object" || Array.isArray(args)) return "";
	return Object.entries(args)
		.filter(([, value]) => value === null || typeof value !== "object")
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([key, value]) => `${bounded(key, 40)}=${bounded(oneLine(String(value)), 96)}`)
		.join(", ");
}

/** Shortest first, so that a short text fits whole and leaves its remainder to longer ones. */
function evenShares(texts: readonly string[], room: number): number[] {
	const shares = texts.map(() => 0);
	const order = texts
		.map((_, i) => i)
		.sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0) || a - b);
	let left = room;
	for (const [taken, i] of order.entries()) {
		const share = Math.min(texts[i]?.length ?? 0, Math.floor(left / (order.length - taken)));
		shares[i] = share;
		left -= share;
	}
	return shares;
}

function callsOf(entry: TranscriptEntry): Call[] {
	return entry.blocks.filter((block) => block.type === "call");
}

function textOf(entry: TranscriptEntry | undefined): string {
	return (entry?.blocks ?? []).flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}

function leading(text: string): string {
	return oneLine(text.trim().split(/\n[ \t]*\n/, 1)[0] ?? "");
}

function firstLine(text: string): string {
	return text.trimStart().split("\n", 1)[0] ?? "";
}

function oneLine(text: string): string {
	return text.replace(/\s+/g, " ").trim();
}

function bounded(text: string, budget: number): string {
	if (text.length <= budget) return text;
	const cut = text.slice(0, Math.max(0, budget - 3)).trimEnd();
	return `${cut.replace(/[\ud800-\udbff]$/, "")}...`;
}
