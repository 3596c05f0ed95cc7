import { type Static, Type } from "@sinclair/typebox";
import { planAfter } from "../../projections/plans.ts";
import { type Settings, settingsAt } from "../../projections/rules.ts";
import type { SessionStates } from "../../projections/states.ts";
import { windowItems } from "../../projections/window-plan.ts";
import { type PortableCommand, portable } from "../commands/window-command.ts";
import { schemaCheck } from "../store/schema-check.ts";
import { cuttingFields, cuttingOf, EarlierRules, earlierRules, settingsCutting } from "./cutting-rules.ts";
import type { Decision } from "./decision.ts";
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
		...cuttingFields,
		toolFoldThreshold: Type.Number(),
		reasoning: Type.Union([Type.Literal("keep"), Type.Literal("strip")]),
	}),
	earlier: Type.Optional(
		Type.Array(EarlierRules, {
			description: "stretches since the decision above that were cut by other rules, oldest first",
		}),
	),
	expanded: Type.Optional(Type.Array(Type.String(), { description: "commit: folds it left open" })),
	clipped: Type.Optional(
		Type.Array(Type.String(), {
			description: "commit: entries it clipped, where the settings do not say which",
		}),
	),
	notice: Type.Optional(Type.Boolean({ description: "commit: its receipt asked for briefs" })),
	summary: Type.Optional(
		Type.Object(
			{ maxChars: Type.Number(), maxEvidence: Type.Number() },
			{ description: "commit: how long a work summary its receipt carried" },
		),
	),
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
	const settings = settingsAt(states.rules, position);
	const { renderer, minFoldChars, consolidateAfter, keepRaw } = cuttingOf(settings);
	const earlier = earlierRules(states, plan.leaf, settings);
	return {
		v: 1,
		decision: event.type === "commit/applied" ? "commit" : "change",
		position,
		hash,
		cut: plan.cut,
		window: proofOf(windowItems(states, plan.leaf, plan), hashText),
		rules: {
			renderer,
			minFoldChars,
			consolidateAfter,
			toolFoldThreshold: settings.toolFoldThreshold,
			reasoning: plan.reasoning,
			...(keepRaw && { keepRaw }),
		},
		...(earlier.length > 0 && { earlier }),
		...(event.type === "commit/applied"
			? {
					...(plan.expanded.size > 0 && { expanded: [...plan.expanded.keys()] }),
					...(event.data.emergency && { clipped: [...plan.clips.keys()] }),
					...(settings.postFoldNotice && { notice: true }),
					...(settings.workSummary && { summary: { ...settings.workSummary } }),
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

/** The settings a node's decision was made under, on top of others; `undefined` where nothing here writes its texts. */
export function settingsOf({ rules }: DecisionNode, others: Settings): Settings | undefined {
	const { toolFoldThreshold } = rules;
	return settingsCutting(rules, { ...others, toolFoldThreshold });
}
