import type { TranscriptEntry } from "../transcript.ts";
import { type Account, LINE_CHARS, type ToolRuns } from "./brief.ts";
import { oneLine, shortened } from "./one-line.ts";

/** Longest quotation of the user, characters. */
const ASKED = 90;
/** Longest quotation of the assistant, characters. */
const SAID = 70;
/** Tools an opening lists by name. */
const TOOLS = 4;

/** What happened in a span, counted and quoted. Quotations are of the user and the assistant alone. */
export function accountOf(entries: readonly TranscriptEntry[]): Account {
	const runs = new Map<string, { tool: string; ran: number; failed: number }>();
	const toolByCall = new Map<string, string>();
	const run = (tool: string, ran: number, failed: boolean) => {
		const known = runs.get(tool) ?? { tool, ran: 0, failed: 0 };
		runs.set(tool, { tool, ran: known.ran + ran, failed: known.failed + (failed ? 1 : 0) });
	};
	let asked: string | undefined;
	let ended: string | undefined;
	let asks = 0;
	for (const entry of entries) {
		if (entry.role === "user") {
			asks++;
			asked ??= quotable(proseOf(entry), ASKED);
		} else if (entry.role === "assistant") {
			ended = quotable(proseOf(entry), SAID) ?? ended;
			for (const block of entry.blocks) {
				if (block.type !== "call") continue;
				toolByCall.set(block.callId, block.tool);
				run(block.tool, 1, false);
			}
		} else if (entry.role === "bash") run("user's bash", 1, entry.failed === true);
		else if (entry.role === "result" && entry.failed === true)
			run(toolByCall.get(entry.answers ?? "") ?? entry.tool ?? "tool", 0, true);
	}
	return {
		...(asked === undefined ? {} : { asked }),
		asks,
		runs: ordered([...runs.values()]),
		...(ended === undefined ? {} : { ended }),
	};
}

/** What happened in the spans of a group's children, in order. */
export function mergedAccount(children: readonly Account[]): Account {
	const runs = new Map<string, ToolRuns>();
	for (const { tool, ran, failed } of children.flatMap((child) => child.runs)) {
		const known = runs.get(tool);
		runs.set(tool, { tool, ran: ran + (known?.ran ?? 0), failed: failed + (known?.failed ?? 0) });
	}
	const asked = children.find((child) => child.asked !== undefined)?.asked;
	const ended = children.findLast((child) => child.ended !== undefined)?.ended;
	return {
		...(asked === undefined ? {} : { asked }),
		asks: children.reduce((sum, child) => sum + child.asks, 0),
		runs: ordered([...runs.values()]),
		...(ended === undefined ? {} : { ended }),
		folds: children.reduce((sum, child) => sum + (child.folds ?? 1), 0),
	};
}

/** The opening of a brief: one line, at most two sentences. */
export function opening(account: Account): string {
	const more = account.asks > 1 ? ` (+${account.asks - 1} more)` : "";
	const asked = account.asked === undefined ? "" : `User asked ${quoted(account.asked, ASKED)}${more}. `;
	const ended = account.ended === undefined ? "" : `; assistant: ${quoted(account.ended, SAID)}`;
	for (let named = TOOLS; ; named--) {
		const line = `${asked}${told(account.runs, named)}${ended}.`;
		if (line.length <= LINE_CHARS || named === 0) return line;
	}
}

/** What ran, the first `named` tools by name. */
function told(runs: readonly ToolRuns[], named: number): string {
	const parts = runs.slice(0, named).map(({ tool, ran, failed }) => {
		const times = ran === 1 ? tool : `${tool} ×${ran}`;
		return failed > 0 ? `${times} (${failed} failed)` : times;
	});
	const rest = runs.slice(named).reduce((sum, { ran }) => sum + ran, 0);
	if (rest > 0) parts.push(parts.length > 0 ? `${rest} other calls` : `${rest} calls`);
	return parts.length > 0 ? `Ran ${parts.join(", ")}` : "No tool ran";
}

/** The first sentence of a text, on one line, at most `room` characters; nothing where it says nothing. */
function quotable(text: string, room: number): string | undefined {
	const line = oneLine(text);
	const [, sentence = line, end = ""] = SENTENCE.exec(line) ?? [];
	const quote = `${sentence}${end}`;
	return quote.length < 3 ? undefined : shortened(quote, room);
}

/** A sentence, and where quotes or markup close behind its full stop, that with them. */
const SENTENCE = /^(.*?[^.!?\s])(?:[.!?:]+|([.!?:]+["'`*_)\]]+))(?:\s|$)/;

/** Words of someone between quotation marks, as JSON has them; nothing in them looks like markup. */
function quoted(words: string, room: number): string {
	const inside = JSON.stringify(words).slice(1, -1).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
	// half an escape is none
	return `"${shortened(inside, room).replace(/(?<!\\)((?:\\\\)*)\\(?:u[\da-f]{0,3})?…$/, "$1…")}"`;
}

function proseOf(entry: TranscriptEntry): string {
	return entry.blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join(" ");
}

function ordered(runs: readonly ToolRuns[]): ToolRuns[] {
	return [...runs].sort((a, b) => b.ran - a.ran || (a.tool < b.tool ? -1 : 1));
}
