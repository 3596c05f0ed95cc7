import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { type Static, Type } from "@sinclair/typebox";
import { RECALL_ACTIONS } from "../../../projections/recall/actions.ts";
import { RECALL_TOOL } from "../../../projections/recall/document.ts";
import { foldsOver } from "../../debug/fold-rows.ts";
import { RecallError } from "../../debug/recall/recall-error.ts";
import { requestOf } from "../../debug/recall/request.ts";
import { wholeIn } from "../../debug/recall/whole-in.ts";
import type { Measures } from "./measures.ts";
import { argumentsOf, callerOf, promptAt } from "./recall-entries.ts";
import { measuredRecall } from "./recall-measured.ts";
import type { RecallConfig, RecallSession } from "./recall-session.ts";

/** One of some words, as the plain `enum` every provider takes. */
function oneOf<const Words extends readonly string[]>(words: Words) {
	return Type.Optional(Type.Unsafe<Words[number]>({ type: "string", enum: [...words] }));
}

const CLASSES = ["primary", "derived", "all"] as const;

const text = Type.Optional(Type.String());
const number = Type.Optional(Type.Integer());

const Parameters = Type.Object({
	action: oneOf(RECALL_ACTIONS),
	query: text,
	entryIds: Type.Optional(Type.Array(Type.String())),
	file: text,
	kind: text,
	sourceClass: text,
	page: number,
	limit: number,
	raw: Type.Optional(Type.Boolean()),
	offset: number,
	rawLimit: number,
});

type Arguments = Static<typeof Parameters>;

const DESCRIPTION = `Finds what was said and done on this branch, also what is folded, clipped or compacted. Look here before you say it was not, or ask or do it again.
search (default) {query}: words, "exact phrases", filters file: kind: (user, assistant, tool_call, tool_result, bash, custom) tool: role: since: until: thinking:true; best first.
list: newest first, same filters. read {entryIds}: by id. summary, summary_search {query}: excerpts of the work so far. raw: exact JSON; of one entry from offset, rawLimit characters.
pi_fold_context peeks at a fold=.`;

/** How recall gets at a session. */
export interface RecallContext {
	readonly sessionIn: (ctx: ExtensionContext) => Promise<RecallSession>;
	/** how much it may tell where a session runs */
	readonly config: (ctx: ExtensionContext) => RecallConfig;
	readonly measures: Measures;
}

/** Gives the model the tool by which it finds again what was said. It stays on its branch, whatever it asks for. */
export function registerRecallTool(pi: ExtensionAPI, { sessionIn, config, measures }: RecallContext): void {
	pi.registerTool({
		name: RECALL_TOOL,
		label: "Recall",
		description: DESCRIPTION,
		parameters: Parameters,
		prepareArguments: lenient,
		execute: async (call, given: Arguments, _signal, _update, ctx) => {
			const asked = await sessionIn(ctx);
			const { sessionManager } = ctx;
			const caller = callerOf(sessionManager, call);
			// the call itself holds what it looks for
			const leaf = caller ? caller.parentId : sessionManager.getLeafId();
			const request = requestOf(given);
			const except = request.action === "search" ? promptInView(asked, leaf) : undefined;
			const reach = { scope: "model", leaf, ...(except !== undefined && { except }) } as const;
			// what was left out for the host's sake is told as it came
			const { unheeded } = requestOf(argumentsOf(caller, call) ?? given);
			const { text, details } = await measuredRecall(
				measures,
				"model",
				asked,
				request,
				reach,
				config(ctx),
			).catch((error: unknown) => {
				throw error instanceof RecallError ? new Error([refusalOf(error), ...unheeded].join("\n")) : error;
			});
			const beside = unheeded.length > 0 ? [{ type: "text" as const, text: unheeded.join("\n") }] : [];
			return { content: [{ type: "text", text }, ...beside], details };
		},
	});
}

function refusalOf({ code, message, instead }: RecallError): string {
	return `${code}: ${message}; what works: ${RECALL_TOOL} ${JSON.stringify(instead)}`;
}

/** The prompt of the turn, unless a fold took it out of the window. */
function promptInView({ session, engine }: RecallSession, leaf: string | null): string | undefined {
	const prompt = promptAt(session, leaf);
	if (prompt === undefined || !engine) return prompt;
	return foldsOver(engine.states, leaf, [prompt]).has(prompt) ? undefined : prompt;
}

/** The arguments that can be followed: the rest are the defaults, for the host refuses a call for one that is wrong. */
function lenient(given: unknown): Arguments {
	const fields = (typeof given === "object" && given !== null ? given : {}) as {
		readonly [field: string]: unknown;
	};
	const args: { [field: string]: unknown } = {};
	for (const [field, value] of Object.entries(fields)) {
		const taken = taker(field)(value);
		if (taken !== undefined) args[field] = taken;
	}
	return args as Arguments;
}

function taker(field: string): (value: unknown) => unknown {
	switch (field) {
		case "action":
			return among(RECALL_ACTIONS);
		case "sourceClass":
			return among(CLASSES);
		case "query":
		case "file":
		case "kind":
			return (value) => (typeof value === "string" ? value : undefined);
		case "entryIds":
			return (value) => [value].flat().filter((id) => typeof id === "string");
		case "raw":
			return (value) => value === true || value === "true";
		case "page":
		case "limit":
		case "offset":
		case "rawLimit":
			return (value) => {
				const number = wholeIn(value, { otherwise: -1, least: 0 });
				return number === -1 ? undefined : number;
			};
		default:
			return () => undefined;
	}
}

function among(words: readonly string[]): (value: unknown) => unknown {
	return (value) => words.find((word) => word === value);
}
