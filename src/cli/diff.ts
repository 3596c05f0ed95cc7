import type { Command } from "commander";
import { causeName } from "../debug/decision-words.ts";
import type { History } from "../debug/history.ts";
import { count, whole } from "../debug/numbers.ts";
import { type DiffRow, type WindowDiff, windowDiff } from "../debug/window-diff.ts";
import { CliError } from "./cli-error.ts";
import { wholeNumber } from "./numbers.ts";
import { WHERE } from "./place.ts";
import { noSuchRequest, withHistory } from "./read-history.ts";
import { textTable, wrapped } from "./table.ts";
import { outputColumns, printJson, printLines } from "./terminal.ts";

interface DiffOptions {
	readonly store?: string;
	readonly json?: boolean;
}

/** `diff`: what changed between the windows of two requests, and why. */
export function addDiff(program: Command): void {
	const request = wholeNumber({ least: 1 });
	program
		.command("diff")
		.description("compare the windows of two requests, message by message, with the cause of each change")
		.argument("<n>", "a request, from 1", request)
		.argument("<m>", "another; the earlier one counts as the first", request)
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the third argument")
		.option("--json", "one JSON object, with what did not change too")
		.action(runDiff);
}

function runDiff(n: number, m: number, where: string | undefined, options: DiffOptions): Promise<void> {
	return withHistory(options.store ?? where, async ({ history, content }) => {
		const diff = windowDiff(history, content, n, m);
		if (!diff) throw noSuchRequest(history.request(n) ? m : n, history.requests.length);
		const broken = diff.same.indexOf(false);
		if (broken !== -1) {
			const request = broken === 0 ? diff.from : diff.to;
			throw new CliError(
				"CLI_WINDOW_DIFFERS",
				`request ${request}: the window rebuilt is not ${diff.windows[broken]}, the one recorded`,
			);
		}
		if (options.json) await printJson(diff);
		else await printLines(diffLines(history, diff));
	});
}

function diffLines(history: History, { from, to, tokens, shared, rows, steps }: WindowDiff): string[] {
	const sizes = tokens.map(whole).join(" → ");
	const changed = rows.filter(({ change }) => change !== "same").length;
	const lines = [
		`request ${from} → ${to}: about ${sizes} tokens; both begin with the same ${count(shared, "message")}`,
	];
	if (changed === 0) lines.push("nothing changed");
	if (steps.length > 0) {
		const cells = steps.map(({ request, kind, id = "", label }) => [`  ${request}`, kind, id, label]);
		lines.push("", ...textTable(["  before", "what", "id", "how"], cells, outputColumns()));
	}
	for (const group of groupsOf(rows)) lines.push("", ...groupLines(history, group));
	return lines;
}

/** Neighbours that changed in the same way, for the same reason. */
function groupsOf(rows: readonly DiffRow[]): DiffRow[][] {
	const groups: DiffRow[][] = [];
	let key = "";
	for (const row of rows) {
		const next = [row.change, row.cause, row.decision, row.into].join(" ");
		if (next === key) groups.at(-1)?.push(row);
		else groups.push([row]);
		key = next;
	}
	return groups;
}

const SIGNS = { same: "=", added: "+", removed: "-", replaced: "~" } as const;

function groupLines(history: History, group: readonly DiffRow[]): string[] {
	const [first] = group as readonly [DiffRow, ...DiffRow[]];
	const { change } = first;
	const shown = group.flatMap(({ a, b }) => b ?? a ?? []);
	const tokens = whole(shown.reduce((sum, row) => sum + row.tokens, 0));
	const size = `${count(group.length, "message")}, ${tokens} tokens`;
	const sign = SIGNS[change];
	if (change === "same") return [`${sign} the same: ${size}`];
	const cells = group.map(({ a, b }) => {
		const row = b ?? a;
		const was = a && b ? `${whole(a.tokens)} → ` : "";
		const who = [row?.role, row?.tool].filter(Boolean).join(" ");
		return [`  ${sign} ${row?.id}`, who, was + whole(row?.tokens ?? 0), row?.title ?? ""];
	});
	return [
		...wrapped(`${sign} ${change}, ${reason(history, first)}: ${size}`, outputColumns()),
		...cut(textTable(["", "", "", ""], cells, Number.POSITIVE_INFINITY).slice(1)),
	];
}

function reason(history: History, { cause = "unknown", decision, into }: DiffRow): string {
	const stands = into === undefined ? "" : `; ${into} stands for it`;
	if (cause === "new") return "come since";
	if (cause === "answer") return "answered since";
	if (cause === "unknown") return "for no reason that is known";
	if (cause === "compaction") return "by a compaction of the host's";
	return `by ${causeName(history, { because: decision ?? cause })}${stands}`;
}

function cut(lines: readonly string[]): string[] {
	const width = outputColumns();
	return lines.map((line) => {
		const chars = Array.from(line);
		return chars.length <= width ? line : `${chars.slice(0, width - 1).join("")}…`;
	});
}
