import type { Command } from "commander";
import type { Alternative } from "../debug/alternatives.ts";
import { count } from "../debug/numbers.ts";
import { shownLine } from "../debug/screen-text.ts";
import { type WhyAnswer, whyAnswer } from "../debug/why-answer.ts";
import { inputWords, priceWords } from "./amounts.ts";
import { unknownTo } from "./asked-id.ts";
import { CliError } from "./cli-error.ts";
import { wholeNumber } from "./numbers.ts";
import { WHERE } from "./place.ts";
import { noSuchRequest, withHistory } from "./read-history.ts";
import { textTable, wrapped } from "./table.ts";
import { outputColumns, printJson, printLines } from "./terminal.ts";
import { noteUnread } from "./when.ts";

interface WhyOptions {
	readonly store?: string;
	readonly at?: number;
	readonly ignoreCase?: boolean;
	readonly json?: boolean;
}

/** `why`: why something stood in a window as it did. */
export function addWhy(program: Command): void {
	program
		.command("why")
		.description(
			"say why something stood in the window of a request as it did: by which decision, from what, and what else could have been done",
		)
		.argument("<what>", "an entry, a call, a fold, a decision, or a text; an id may be cut short")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the second argument")
		.option("--at <n>", "which request, from 1; the last unless given", wholeNumber({ least: 1 }))
		.option("-i, --ignore-case", "of a text: capital and small letters are the same")
		.option("--json", "one JSON object")
		.action(runWhy);
}

function runWhy(what: string, where: string | undefined, options: WhyOptions): Promise<void> {
	if (what === "") throw new CliError("CLI_USAGE", "what is asked about is an empty text");
	const { at, ignoreCase = false, json, store } = options;
	return withHistory(store ?? where, async ({ history, content }) => {
		const past = at === undefined ? history.requests.at(-1) : history.request(at);
		if (!past) throw noSuchRequest(at ?? 1, history.requests.length);
		const answer = await whyAnswer(history, content, what, past, { ignoreCase });
		if (!answer) throw unknownTo(history, what);
		if (answer.unread !== undefined) noteUnread(answer.unread);
		if (json) await printJson(answer);
		else await printLines(whyLines(answer));
	});
}

function whyLines({ visible, sentences, inputs, alternatives, reach }: WhyAnswer): string[] {
	const width = outputColumns();
	const lines = sentences.flatMap((sentence) => wrapped(shownLine(sentence), width, "  "));
	const section = (title: string, table: readonly string[]) => {
		if (table.length > 0) lines.push("", title, ...table);
	};
	const table = (cells: readonly (readonly string[])[], heads: readonly string[]) =>
		cells.length === 0 ? [] : textTable(heads, cells, width).slice(1);
	section(
		"decided from (as it was written down then)",
		table(
			inputs.map((input) => [`  ${input.name}`, inputWords(input)]),
			["", ""],
		),
	);
	section("what else there was", table(gathered(alternatives).map(alternativeCells), ["", ""]));
	section(
		visible === "whole" ? "to keep it in view" : "to get at it",
		table(
			reach.map(({ by, call }) => [`  ${by}`, call]),
			["", ""],
		),
	);
	return lines;
}

/** Alternatives, those together that were refused for one reason. */
function gathered(alternatives: readonly Alternative[]): Alternative[] {
	const found: Alternative[] = [];
	const reasons = new Map<string, Alternative[]>();
	for (const one of alternatives) {
		const alike = one.refused === undefined ? undefined : reasons.get(one.refused);
		if (alike) alike.push(one);
		else found.push(one);
		if (one.refused !== undefined && !alike) reasons.set(one.refused, [one]);
	}
	return found.map((one) => {
		const others = (reasons.get(one.refused ?? "")?.length ?? 1) - 1;
		return others > 0 ? { ...one, what: `${one.what}, or ${count(others, "other")}` } : one;
	});
}

function alternativeCells({ what, cost, saves, refused, unit = "token", isComputed }: Alternative): string[] {
	if (refused !== undefined) return [`  ${what}`, `not done: ${refused}`];
	const parts = [
		...(cost === undefined ? [] : [`costs ${priceWords(cost, unit)}`]),
		...(saves === undefined || saves === 0
			? []
			: [
					saves > 0
						? `then saves ${priceWords(saves, unit)} a request`
						: `then ${priceWords(-saves, unit)} more a request`,
				]),
	];
	return [`  ${what}`, `${parts.join(", ")}${isComputed ? " (worked out now)" : ""}`];
}
