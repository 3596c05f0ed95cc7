import { type Static, Type } from "@sinclair/typebox";
import type { Settings } from "../../projections/rules.ts";
import type { SessionStates } from "../../projections/states.ts";
import { windowItems } from "../../projections/window-plan.ts";
import { schemaCheck } from "../store/schema-check.ts";
import { rendererOf } from "./renderer.ts";
import { proofOf, type Sha256Text } from "./window-chain.ts";

/** What the host calls the entries that carry our decisions. */
export const NODE_TYPE = "palimpsest";

/**
 * What a decision's own entry in the session tree says: where its event stands, and enough to make it again from the
 * path alone, where that event is not at hand. It is in force at a leaf only if its node is on the path to it.
 */
const Node = Type.Object({
	v: Type.Literal(1),
	decision: Type.Literal("commit"),
	position: Type.Integer({ description: "of the deciding event, in the stream it was first written to" }),
	hash: Type.String({ description: "hex SHA-256 of that event as stored" }),
	cut: Type.Integer({ description: "number of the last cut folded" }),
	window: Type.String({ description: "hex SHA-256 of the window it made: entries by id, texts by digest" }),
	rules: Type.Object({
		renderer: Type.String({ description: "name and version of what wrote the texts" }),
		minFoldChars: Type.Number(),
		consolidateAfter: Type.Number(),
		toolFoldThreshold: Type.Number(),
		reasoning: Type.Union([Type.Literal("keep"), Type.Literal("strip")]),
	}),
});

/** The content of a decision's node. */
export type DecisionNode = Static<typeof Node>;

/** The content of a node, or `undefined` where this release cannot read it. */
export function readNode(data: unknown): DecisionNode | undefined {
	return schemaCheck(Node)(data) === undefined ? (data as DecisionNode) : undefined;
}

/** What the node of a commit says, given the hash of its event. */
export function decisionNode(
	states: SessionStates,
	{ commit: id, position }: { readonly commit: string; readonly position: number },
	hash: string,
	hashText: Sha256Text,
): DecisionNode {
	const commit = states.commits.byId.get(id);
	if (!commit) throw new RangeError(`no commit ${id} in this stream`);
	const { minFoldChars, consolidateAfter, toolFoldThreshold, briefs } = states.rules.settings;
	return {
		v: 1,
		decision: "commit",
		position,
		hash,
		cut: commit.cut,
		window: proofOf(windowItems(states, commit.parent, commit), hashText),
		rules: {
			renderer: rendererOf(briefs).name,
			minFoldChars,
			consolidateAfter,
			toolFoldThreshold,
			reasoning: commit.reasoning,
		},
	};
}

/** The settings under which a node's path was cut, on top of others; `undefined` where nothing here writes its texts. */
export function settingsOf(node: DecisionNode, others: Settings): Settings | undefined {
	const { renderer, minFoldChars, consolidateAfter, toolFoldThreshold } = node.rules;
	const briefs = (["index", "truncation"] as const).find((name) => rendererOf(name).name === renderer);
	return briefs && { ...others, minFoldChars, consolidateAfter, toolFoldThreshold, briefs };
}
