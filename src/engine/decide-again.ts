import type { DomainEvent } from "../../events/catalogue.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Item } from "../../projections/window-plan.ts";
import { CommandError } from "../commands/command-error.ts";
import { commitAgain } from "../commands/commit-again.ts";
import { decideCommand } from "../commands/window-command.ts";
import { commandIn, type DecisionNode } from "./decision-node.ts";
import type { Scribe } from "./scribe.ts";

/**
 * The decision of a node, made again at its place from the path alone; nothing where that does not give the window the
 * node tells of. `ordinal` numbers it in the log it is made for.
 */
export function decideAgain(
	states: SessionStates,
	scribe: Scribe,
	{ at, parent: leaf }: TranscriptEntry,
	node: DecisionNode,
	ordinal: number,
): readonly DomainEvent[] {
	const { cut, window, rules, expanded = [], clipped, notice = false, summary: workSummary } = node;
	const command = commandIn(node);
	if (!command) {
		const request = scribe.command(states, { at, leaf, model: states.rules.valuation?.model ?? "" });
		const said = { cut, window, expanded, clipped, postFoldNotice: notice, workSummary, ...rules };
		return commitAgain(states, request, said, (items) => scribe.proof(items));
	}
	let proven = "";
	const tools = scribe.tools(states, leaf, ordinal);
	const digest = (items: readonly Item[]) => {
		proven = scribe.proof(items);
		return tools.digest(items);
	};
	try {
		const events = decideCommand(states, command, { ...tools, digest, isAgain: true });
		return proven === window ? events : [];
	} catch (error) {
		if (error instanceof CommandError) return [];
		throw error;
	}
}
