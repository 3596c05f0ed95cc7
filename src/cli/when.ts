import type { Command } from "commander";
import { causeName } from "../debug/decision-words.ts";
import type { History } from "../debug/history.ts";
import { count } from "../debug/numbers.ts";
import type { ShownAs } from "../debug/past-standing.ts";
import { shownLine } from "../debug/screen-text.ts";
import { type TextVisibility, type VisibilitySpan, whenText } from "../debug/visibility.ts";
import { CliError } from "./cli-error.ts";
import { wholeNumber } from "./numbers.ts";
import { WHERE } from "./place.ts";
import { withHistory } from "./read-history.ts";
import { textTable, wrapped } from "./table.ts";
import { foundSomethingWrong, note, outputColumns, printJson, printLines } from "./terminal.ts";

interface WhenOptions {
	readonly store?: string;
	readonly ignoreCase?: boolean;
	readonly limit: number;
	readonly json?: boolean;
}

/** `when`: at which requests a text could be read. */
export function addWhen(program: Command): void {
	program
		.command("when")
		.description(
			"tell at which requests a text could be read in the window: whole, in a clipped result, or in a brief",
		)
		.argument("<text>", "what is looked for, to the letter")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the second argument")
		.option("-i, --ignore-case", "capital and small letters are the same")
		.option("--limit <n>", "messages listed, 10 unless given", wholeNumber({ least: 0 }), 10)
		.option("--json", "one JSON object, with all of them")
		.action(runWhen);
}

function runWhen(text: string, where: string | undefined, options: WhenOptions): Promise<void> {
	if (text === "") throw new CliError("CLI_USAGE", "the text that is looked for is empty");
	const { ignoreCase = false, json, limit, store } = options;
	return withHistory(store ?? where, async ({ history, content }) => {
		const seen = await whenText(history, content, text, { ignoreCase });
		if (seen.unread > 0) noteUnread(seen.unread);
		if (seen.spans.length === 0) {
			const readable = seen.unread > 0 ? ", as far as they can be read" : "";
			note(`no window of ${count(history.requests.length, "request")} held this text${readable}`);
			foundSomethingWrong();
		}
		if (json) await printJson(seen);
		else if (seen.spans.length > 0) await printLines(whenLines(history, seen, limit));
	});
}

/** Says that a text may stand in more than what was found. */
export function noteUnread(contents: number): void {
	note(`${count(contents, "content")} could not be read: destroyed, damaged or left out`);
}

/** How something could be read, in a few words. */
export const SHOWN_AS: Readonly<Record<ShownAs, string>> = {
	whole: "whole",
	clip: "in part",
	brief: "in a brief",
	hidden: "no",
};

/** Requests in a row. */
function requestsOf({ from, to }: Pick<VisibilitySpan, "from" | "to">): string {
	return from === to ? `${from}` : `${from}–${to}`;
}

/** Runs of requests as a table. */
function spanTable(history: History, spans: readonly VisibilitySpan[]): string[] {
	return textTable(
		["requests", "readable", "in", "since"],
		spans.map((span) => [
			requestsOf(span),
			SHOWN_AS[span.as],
			span.as === "hidden" ? "" : (span.through ?? ""),
			causeName(history, span),
		]),
		outputColumns(),
	);
}

function whenLines(history: History, { spans, holders }: TextVisibility, limit: number): string[] {
	const messages = holders.filter(({ kind }) => kind === "entry").length;
	const texts = holders.length - messages;
	const ours = texts > 0 ? ` and ${count(texts, "text")} of ours` : "";
	const lines = [
		`It stands in ${count(messages, "message")}${ours}; the session made ${count(history.requests.length, "request")}.`,
		"",
		...spanTable(history, spans),
	];
	const listed = holders.slice(0, limit);
	for (const { kind, id, role, tool, time, around, spans: runs } of listed) {
		const what = kind === "entry" ? `${role}${tool === undefined ? "" : ` of ${tool}`}` : kind;
		const when = time === undefined ? [] : [timeOf(time)];
		const seen = oneByOne(runs).map((span) => `${requestsOf(span)} ${SHOWN_AS[span.as]}`);
		lines.push(
			"",
			[id, what, ...when].join("  "),
			...indented(seen.join(", ")),
			...indented(shownLine(around)),
		);
	}
	if (listed.length < holders.length)
		lines.push("", `… and ${count(holders.length - listed.length, "other")}; --limit shows more`);
	return lines;
}

function indented(text: string): string[] {
	return wrapped(text, outputColumns() - 4, "").map((line) => `    ${line}`);
}

/** Runs that differ in how a thing is shown, wherever it is read. */
function oneByOne(spans: readonly VisibilitySpan[]): VisibilitySpan[] {
	const found: VisibilitySpan[] = [];
	for (const span of spans) {
		const last = found.at(-1);
		if (last?.as === span.as) found[found.length - 1] = { ...last, to: span.to };
		else found.push(span);
	}
	return found;
}

function timeOf(at: number): string {
	return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at} ms`;
}
