import { type Static, Type } from "@sinclair/typebox";
import { planAfter } from "../../projections/plans.ts";
import type { Settings } from "../../projections/rules.ts";
import type { SessionStates } from "../../projections/states.ts";
import { windowItems } from "../../projections/window-plan.ts";
import { type PortableCommand, portable } from "../commands/window-command.ts";
import { schemaCheck } from "../store/schema-check.ts";
import type { Decision } from "./decision.ts";
import { rendererOf } from "./renderer.ts";
import { proofOf, type Sha256Text } from "./window-chain.ts";

/** What the host calls the entries that carry our decisions. */
export const NODE_TYPE = "palimpsest";

const names = Type.Array(Type.String());
const span = Type.Object({ from: Type.String(), to: Type.String() });

const Command = Type.Union([
	Type.Object({ do: Type.Union([Type.Literal("expand"), Type.Literal("refold")]), fold: Type.String() }),
	Type.Object({
		do: Type.Union([
			Type.Literal("pin"),
			Type.Literal("unpin"),
			Type.Literal("unmark"),
			Type.Literal("toRaw"),
		]),
		ids: names,
	}),
	Type.Object({ do: Type.Literal("recutTo"), spans: Type.Array(span), mark: Type.String() }),
	Type.Object({ do: Type.Literal("undoLast"), count: Type.Integer({ minimum: 1 }) }),
	Type.Object({ do: Type.Literal("brief"), fold: Type.String(), text: Type.String() }),
]);

/**
 * What a decision's own entry in the session tree says: where its event stands, and enough to make it again from the
 * path alone, where that event is not at hand. It is in force at a leaf only if its node is on the path to it.
 */
const Node = Type.Object({
	v: Type.Literal(1),
	decision: Type.Union([Type.Literal("commit"), Type.Literal("change")]),
	position: Type.Integer({ description: "of the deciding event, in the stream it was first written to" }),
	hash: Type.String({ description: "hex SHA-256 of that event as stored" }),
	cut: Type.Integer({ description: "number of the last cut folded; 0 for none" }),
	window: Type.String({ description: "hex SHA-256 of the window it made: entries by id, texts by digest" }),
	rules: Type.Object({
		renderer: Type.String({ description: "name and version of what wrote the texts" }),
		minFoldChars: Type.Number(),
		consolidateAfter: Type.Number(),
		toolFoldThreshold: Type.Number(),
		reasoning: Type.Union([Type.Literal("keep"), Type.Literal("strip")]),
		keepRaw: Type.Optional(names),
	}),
	expanded: Type.Optional(Type.Array(Type.String(), { description: "commit: folds it left open" })),
	clipped: Type.Optional(
		Type.Array(Type.String(), {
			description: "commit: entries it clipped, where the settings do not say which",
		}),
	),
	notice: Type.Optional(Type.Boolean({ description: "commit: its receipt asked for briefs" })),
	command: Type.Optional(Command),
});

/** The content of a decision's node. */
export type DecisionNode = Static<typeof Node>;

/** The content of a node, or `undefined` where this release cannot read it. */
export function readNode(data: unknown): DecisionNode | undefined {
	return schemaCheck(Node)(data) === undefined ? (data as DecisionNode) : undefined;
}

/** What the node of a decision says, given the hash of its event and what a brief supplies. */
export function decisionNode(
	states: SessionStates,
	{ position, event }: Decision,
	hash: string,
	{ hashText, supplied }: { readonly hashText: Sha256Text; readonly supplied: string },
): DecisionNode {
	const plan = planAfter(states.plans, position);
	if (!plan) throw new RangeError(`no decision at position ${position} of this stream`);
	const { minFoldChars, consolidateAfter, toolFoldThreshold, briefs, keepRaw, postFoldNotice } =
		states.rules.settings;
	return {
		v: 1,
		decision: event.type === "commit/applied" ? "commit" : "change",
		position,
		hash,
		cut: plan.cut,
		window: proofOf(windowItems(states, plan.leaf, plan), hashText),
		rules: {
			renderer: rendererOf(briefs).name,
			minFoldChars,
			consolidateAfter,
			toolFoldThreshold,
			reasoning: plan.reasoning,
			...(keepRaw && { keepRaw: [...keepRaw] }),
		},
		...(event.type === "commit/applied"
			? {
					...(plan.expanded.size > 0 && { expanded: [...plan.expanded.keys()] }),
					...(event.data.emergency && { clipped: [...plan.clips.keys()] }),
					...(postFoldNotice && { notice: true }),
				}
			: { command: commandFor(event, supplied) }),
	};
}

function commandFor(event: Decision["event"], supplied: string): NonNullable<DecisionNode["command"]> {
	return structuredClone(portable(event, supplied)) as NonNullable<DecisionNode["command"]>;
}

/** The command a node carries; `undefined` for a commit. */
export function commandIn({ command }: DecisionNode): PortableCommand | undefined {
	return command as PortableCommand | undefined;
}

/** The settings under which a node's path was cut, on top of others; `undefined` where nothing here writes its texts. */
export function settingsOf(node: DecisionNode, others: Settings): Settings | undefined {
	const { renderer, minFoldChars, consolidateAfter, toolFoldThreshold, keepRaw } = node.rules;
	const briefs = (["index", "truncation"] as const).find((name) => rendererOf(name).name === renderer);
	if (!briefs) return undefined;
	const { keepRaw: _others, ...rest } = others;
	return { ...rest, minFoldChars, consolidateAfter, toolFoldThreshold, briefs, ...(keepRaw && { keepRaw }) };
}
