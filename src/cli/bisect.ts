import type { Command } from "commander";
import { type Bisection, bisect, type Loss } from "../debug/bisect.ts";
import type { Content } from "../debug/content.ts";
import { deedSentence } from "../debug/decision-seen.ts";
import { causeName } from "../debug/decision-words.ts";
import type { History } from "../debug/history.ts";
import { shownLine } from "../debug/screen-text.ts";
import type { VisibilitySpan } from "../debug/visibility.ts";
import { clipped, whyAnswer } from "../debug/why-answer.ts";
import { inputWords } from "./amounts.ts";
import { unknownTo } from "./asked-id.ts";
import { CliError } from "./cli-error.ts";
import { WHERE } from "./place.ts";
import { withHistory } from "./read-history.ts";
import { textTable, wrapped } from "./table.ts";
import { outputColumns, printJson, printLines } from "./terminal.ts";
import { SHOWN_AS } from "./when.ts";

interface BisectOptions {
	readonly store?: string;
	readonly ignoreCase?: boolean;
	readonly json?: boolean;
}

/** `bisect`: the decision that hid something. */
export function addBisect(program: Command): void {
	program
		.command("bisect")
		.description("find the decision that hid a text, an entry, a call's result or what a fold stands for")
		.argument("<what>", "a text, or an id, which may be cut short")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the second argument")
		.option("-i, --ignore-case", "of a text: capital and small letters are the same")
		.option("--json", "one JSON object")
		.action(runBisect);
}

function runBisect(what: string, where: string | undefined, options: BisectOptions): Promise<void> {
	if (what === "") throw new CliError("CLI_USAGE", "what is looked for is an empty text");
	const { ignoreCase = false, json, store } = options;
	return withHistory(store ?? where, async ({ history, content }) => {
		const found = await bisect(history, content, what, { ignoreCase });
		if (!found) throw unknownTo(history, what);
		if (json) await printJson(found);
		else await printLines(await bisectLines(history, content, found, { ignoreCase }));
	});
}

async function bisectLines(
	history: History,
	content: Content,
	{ of, about, whole, losses, isWhole, spans }: Bisection,
	options: { readonly ignoreCase: boolean },
): Promise<string[]> {
	const what = about === "text" ? `"${shownLine(clipped(of))}"` : of;
	if (isWhole) return wrapped(`${nothingHides(what, whole)}${goneBefore(spans)}`, outputColumns());
	const seen =
		whole === undefined
			? `No request was sent all of ${what}.`
			: `Request ${whole} was the last that was sent all of ${what}.`;
	if (spans.length === 0) return [`${what} is known, and no request was made with it on its branch.`];
	const lines = wrapped(seen, outputColumns());
	for (const loss of losses) lines.push("", ...lossLines(history, loss));
	if (losses.length === 0) lines.push(`It came at request ${spans[0]?.from}, and not whole.`);
	const past = history.requests.at(-1);
	const now = past && (await whyAnswer(history, content, of, past, options));
	if (now && now.reach.length > 0) {
		const cells = now.reach.map(({ by, call }) => [`  ${by}`, call]);
		lines.push("", "to get at it now", ...textTable(["", ""], cells, outputColumns()).slice(1));
	}
	return lines;
}

function nothingHides(what: string, last: number | undefined): string {
	return `Nothing hides ${what}: the last request, ${last}, was sent all of it.`;
}

/** Where something that is whole again was not, in words; the last time. */
export function goneBefore(spans: readonly VisibilitySpan[]): string {
	const last = spans.findLastIndex(({ as }) => as !== "whole");
	const first = spans.slice(0, last + 1).findLastIndex(({ as }) => as === "whole") + 1;
	const [from, to] = [spans[first]?.from, spans[last]?.to];
	// what was never whole before came so, and was not lost
	if (from === undefined || to === undefined || first === 0) return "";
	return ` From request ${from} to ${to} it was not: why --at ${to} says by what.`;
}

function lossLines(
	history: History,
	{ last, request, before, after, decision, inputs, between }: Loss,
): string[] {
	const width = outputColumns();
	const cause = decision
		? deedSentence(decision, after.as === "hidden" ? " hid it" : " took it out")
		: `Behind it: ${causeName(history, after)}.`;
	const change = `${SHOWN_AS[before.as]} at request ${last}, ${after.as === "hidden" ? "not at all" : SHOWN_AS[after.as]} at request ${request}`;
	const through =
		after.as === "brief" && after.through !== undefined ? ` (the text of ${after.through})` : "";
	const from = inputs.map((input) => `${input.name} ${inputWords(input)}`).join(", ");
	const steps = between.map(({ kind, id = "", label }) => [`    ${kind}`, id, label]);
	return [
		...wrapped(`${change}${through}`, width),
		...wrapped(`  ${shownLine(cause)}`, width, "  "),
		...(from.length > 0 ? wrapped(`  from ${from}`, width, "  ") : []),
		...(steps.length > 0 ? ["  between the two", ...textTable(["", "", ""], steps, width).slice(1)] : []),
	];
}
