import { type Static, Type } from "@sinclair/typebox";
import type { Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { rendererOf } from "./renderer.ts";

/** By what a path is cut: what of the settings the forest depends on. */
export const cuttingFields = {
	renderer: Type.String({ description: "name and version of what wrote the texts" }),
	minFoldChars: Type.Number(),
	consolidateAfter: Type.Number(),
	keepRaw: Type.Optional(Type.Array(Type.String())),
};

const Cutting = Type.Object(cuttingFields);

/** A stretch of a path that was cut by other rules than those a decision was made under. */
export const EarlierRules = Type.Object({
	through: Type.String({ description: "the last entry they were in force at" }),
	rules: Cutting,
});

/** By what a path is cut under some settings. */
export function cuttingOf(settings: Settings): Static<typeof Cutting> {
	const { minFoldChars, consolidateAfter, briefs, keepRaw } = settings;
	const { name: renderer } = rendererOf(briefs);
	return { renderer, minFoldChars, consolidateAfter, ...(keepRaw && { keepRaw: [...keepRaw] }) };
}

/** Settings under which a path is cut so, on top of others; `undefined` where nothing here writes its texts. */
export function settingsCutting(rules: Static<typeof Cutting>, others: Settings): Settings | undefined {
	const { renderer, minFoldChars, consolidateAfter, keepRaw } = rules;
	const briefs = (["index", "truncation"] as const).find((name) => rendererOf(name).name === renderer);
	if (!briefs) return undefined;
	const { keepRaw: _others, ...rest } = others;
	return { ...rest, minFoldChars, consolidateAfter, briefs, ...(keepRaw && { keepRaw }) };
}

/**
 * The stretches between a leaf and the last decision above it, oldest first, that were cut by other rules than those of
 * `settings`. None, as a rule. O(entries since that decision).
 */
export function earlierRules(
	{ tree, rules }: SessionStates,
	leaf: string | null,
	settings: Settings,
): Static<typeof EarlierRules>[] {
	const found: Static<typeof EarlierRules>[] = [];
	const now = JSON.stringify(cuttingOf(settings));
	let below = now;
	let node = nodeOf(tree, leaf);
	while (node) {
		const parent = nodeOf(tree, node.parent);
		const said = rules.said.get(node.ruled ?? -1);
		const cutting = said && cuttingOf(said);
		const key = cutting ? JSON.stringify(cutting) : now;
		if (cutting && key !== below) found.push({ through: node.id, rules: cutting });
		below = key;
		if (node.decision !== (parent?.decision ?? null)) break;
		node = parent;
	}
	return found.reverse();
}
