import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Static, Type } from "@sinclair/typebox";
import { FOLD_TOOL } from "../../../projections/transcript.ts";
import { CommandError } from "../../commands/command-error.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import type { ReportDetail } from "../../debug/fold-report.ts";
import { aboutDollars, whole } from "../../debug/numbers.ts";
import type { PageOf } from "../../debug/pages.ts";
import { BeyondEnd, type ReadBack, type Slice } from "../../debug/read-back.ts";
import { type Decision, quoteOf } from "../../engine/decision.ts";
import { outputLines } from "./output-words.ts";
import { NoNewFolds } from "./store-trouble.ts";

/** Bytes of originals in one answer, as in pi-fold; what is out of reach is the nearest that is not. */
const BYTES = { otherwise: 16_000, least: 1_024, most: 200_000 };

/** Rows of a list in one answer, as in pi-fold. */
const ROWS = { otherwise: 40, least: 1, most: 100 };

/** Edited messages named at most. */
const NAMED = 10;

const actions = [
	"status",
	"peek",
	"brief",
	"expand",
	"refold",
	"pin",
	"unpin",
	"reboundary",
	"unmark",
] as const;

const details = ["tree", "folds", "objects", "fold_candidates"] as const;

/** One of some words, as the plain `enum` every provider takes. */
function oneOf<const Words extends readonly string[]>(words: Words) {
	return Type.Unsafe<Words[number]>({ type: "string", enum: [...words] });
}

const Parameters = Type.Object({
	action: oneOf(actions),
	id: Type.Optional(Type.String({ description: "fold, message or call" })),
	ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 64 })),
	brief: Type.Optional(Type.String({ maxLength: 600 })),
	offset: Type.Optional(Type.Integer()),
	bytes: Type.Optional(Type.Integer()),
	ephemeral: Type.Optional(Type.Boolean()),
	limit: Type.Optional(Type.Integer()),
	detail: Type.Optional(oneOf(details)),
});

type Arguments = Static<typeof Parameters>;
type Action = (typeof actions)[number];

const DESCRIPTION = `The runtime folds older parts of this conversation: a short text stands for them and names what they held; nothing is lost.
peek {id, offset?, bytes?}: originals, exact; do this before you answer from memory about folded parts. Released at the next commit, unless ephemeral is false.
status {detail?, offset?, limit?}: window, folds, marks (what the next commit folds).
pin/unpin {ids}: keep messages raw (a quarter of the budget at most).
brief {id, brief}: a sentence that a mark says, word for word, once folded.
unmark {ids}: leave marks raw at the next commit. reboundary {ids}: merge marks, or cut from first to last message named; {id}: back to raw at the next commit.
expand/refold {id}: open a fold in place from the next request on, at a price. Prefer peek.`;

/** What the tool asks of the session it is called in. */
export interface FoldContext {
	readonly read: (
		ctx: ExtensionContext,
		id: string,
		slice: Slice,
		asked: { readonly call: string; readonly ephemeral: boolean },
	) => Promise<ReadBack | undefined>;
	readonly report: (ctx: ExtensionContext, detail: ReportDetail | undefined, page: PageOf) => Promise<object>;
	/** Throws `CommandError`, and an `Error` where this session decides nothing. */
	readonly decide: (
		ctx: ExtensionContext,
		command: WindowCommand,
		call: string,
	) => Promise<Decision | undefined>;
	/** whether the user had a fold made, by `/fold` */
	readonly isUsersFold: (ctx: ExtensionContext, fold: string) => Promise<boolean>;
}

/** Gives the model the tool by which it reads folds back and has a say in what is folded. */
export function registerFoldTool(pi: ExtensionAPI, context: FoldContext): void {
	pi.registerTool({
		name: FOLD_TOOL,
		label: "Fold context",
		description: DESCRIPTION,
		parameters: Parameters,
		execute: async (call, given: Arguments, _signal, _update, ctx) => {
			const text =
				given.action === "peek"
					? await peek(context, ctx, call, given)
					: given.action === "status"
						? await status(context, ctx, given)
						: await decided(context, ctx, call, given);
			return { content: [{ type: "text", text }], details: { action: given.action, id: given.id } };
		},
	});
}

async function peek(
	context: FoldContext,
	ctx: ExtensionContext,
	call: string,
	given: Arguments,
): Promise<string> {
	const { ephemeral = true } = given;
	const offset = Math.max(0, given.offset ?? 0);
	const bytes = within(given.bytes, BYTES);
	const id = required(given, "id");
	const found = await context
		.read(ctx, id, { offset, bytes }, { call, ephemeral })
		.catch((error: unknown) => {
			if (!(error instanceof BeyondEnd)) throw error;
			const instead = JSON.stringify({ action: "peek", id });
			throw new Error(`OFFSET_BEYOND_END: ${error.message}; what works: ${FOLD_TOOL} ${instead}`);
		});
	if (found) return originals(found);
	throw new Error(
		`FOLD_UNKNOWN: nothing here is called ${id}; ids stand in the texts of folds and clipped results, and in ${FOLD_TOOL} {"action":"status","detail":"tree"}`,
	);
}

async function status(
	context: FoldContext,
	ctx: ExtensionContext,
	{ detail, offset = 0, limit }: Arguments,
): Promise<string> {
	const page = { offset: Math.max(0, offset), limit: within(limit, ROWS) };
	return JSON.stringify(await context.report(ctx, detail, page));
}

function within(value: number | undefined, { otherwise, least, most }: typeof ROWS): number {
	return Math.min(Math.max(value ?? otherwise, least), most);
}

async function decided(
	context: FoldContext,
	ctx: ExtensionContext,
	call: string,
	given: Arguments,
): Promise<string> {
	try {
		const command = commandOf(given.action, given);
		const decision = await context.decide(ctx, command, call);
		if (!decision) return "Nothing to do: it stands so already.";
		const [fold = ""] = command.do === "toRaw" ? command.ids : [];
		const against =
			fold !== "" && (await context.isUsersFold(ctx, fold)) ? ", though the user had it folded" : "";
		return effectOf(given.action, decision, against);
	} catch (error) {
		if (error instanceof NoNewFolds)
			throw new Error(`${error.message}; nothing is decided meanwhile${READABLE}`);
		if (!(error instanceof CommandError)) throw error;
		const instead = error.instead ? `; what works: ${FOLD_TOOL} ${JSON.stringify(error.instead)}` : "";
		throw new Error(`${error.code}: ${error.message}${instead}`);
	}
}

/** What the model may still do where nothing can be decided. */
const READABLE = `; what works: ${FOLD_TOOL} {"action":"peek","id":"<fold, message or call>"} and {"action":"status"}`;

function commandOf(action: Action, given: Arguments): WindowCommand {
	switch (action) {
		case "expand":
		case "refold":
			return { do: action, fold: required(given, "id") };
		case "brief":
			return { do: "brief", fold: required(given, "id"), text: required(given, "brief") };
		case "pin":
		case "unpin":
		case "unmark":
			return { do: action, ids: given.ids ?? [required(given, "ids", given.id)] };
		case "reboundary":
			return given.ids ? { do: "recut", ids: given.ids } : { do: "toRaw", ids: [required(given, "id")] };
		case "peek":
		case "status":
			throw new RangeError(`${action} decides nothing`);
		default:
			return action satisfies never;
	}
}

/** An argument an action cannot do without. Throws an `Error` that says so, with the call in short. */
function required(
	given: Arguments,
	name: "id" | "ids" | "brief",
	value = name === "ids" ? undefined : given[name],
): string {
	if (value !== undefined) return value;
	throw new Error(
		`ARGUMENT_MISSING: ${given.action} needs ${name}, as in ${FOLD_TOOL} ${EXAMPLES[given.action]}`,
	);
}

const EXAMPLES: { readonly [A in Action]?: string } = {
	peek: '{"action":"peek","id":"<fold, message or call>"}',
	brief: '{"action":"brief","id":"<mark>","brief":"<one sentence>"}',
	expand: '{"action":"expand","id":"<fold>"}',
	refold: '{"action":"refold","id":"<fold>"}',
	pin: '{"action":"pin","ids":["<message>"]}',
	unpin: '{"action":"unpin","ids":["<message>"]}',
	unmark: '{"action":"unmark","ids":["<mark>"]}',
	reboundary: '{"action":"reboundary","ids":["<first>","<last>"]}, or an id alone',
};

const EFFECTS: { readonly [A in Action]?: string } = {
	expand: "it stands open from the next request on",
	refold: "its text stands again from the next request on",
	pin: "they stay raw until unpinned, from the next request on",
	unpin: "the next commit may fold them",
	brief: "the sentence stands in its text once it is folded",
	unmark: "the next commit leaves them raw, for eight requests at least",
	reboundary: "the next commit heeds it",
};

function effectOf(action: Action, decision: Decision, against: string): string {
	const { id, event } = decision;
	const quote = quoteOf(decision);
	const moves = quote && Math.round(quote.before) !== Math.round(quote.after);
	const made =
		event.type === "mark/recut" ? ` Cuts now: ${event.data.cuts.map((cut) => cut.id).join(" ")}.` : "";
	const price =
		moves || action === "expand" || action === "refold"
			? ` The window goes from about ${whole(quote?.before ?? 0)} to ${whole(quote?.after ?? 0)} tokens, and the provider takes about ${whole(quote?.rewritten ?? 0)} in again${quote?.unit === "usd" ? `, for ${aboutDollars(Math.max(0, quote.cost))}` : ""}.`
			: "";
	return `Done (${id}): ${EFFECTS[action]}${against}.${price}${made}`;
}

/** What was read, with what it is before it and what is left out last. */
function originals(found: ReadBack): string {
	const { id, entries, children, edited, total, offset, text, missing, next } = found;
	const lines = [`${id}: ${entries} messages, ${total} bytes, from byte ${offset}`, ...outputLines(found)];
	if (children.length > 0) lines.push(`folds below it: ${children.join(" ")}`);
	if (edited.length > 0)
		lines.push(`edited since, read as the edits left them: ${edited.slice(0, NAMED).join(" ")}`);
	lines.push(text);
	if (missing !== undefined) lines.push(`[${missing}]`);
	if (next !== undefined) {
		const call = JSON.stringify({ action: "peek", id, offset: next });
		lines.push(`[${total - next} bytes are left: ${FOLD_TOOL} ${call}]`);
	}
	return lines.join("\n");
}
