import type { DecisionEvent } from "../../projections/plans.ts";
import { expandFold, refoldFold } from "./expand.ts";
import { nowCalled } from "./fold-path.ts";
import { liftPin, placePin } from "./pin.ts";
import type { QuoteState } from "./quote.ts";
import { type DrawCommand, type Reach, recut, recutTo } from "./recut.ts";
import { type BriefCommand, supplyBrief } from "./supply-brief.ts";
import { decisionsInForce, type UndoCommand, undoDecisions } from "./undo.ts";
import { toRaw, withdrawMarks } from "./withdraw.ts";

/** What may be asked of a window beside a commit. Ids name folds, marks, entries, calls or decisions. */
export type WindowCommand =
	| { readonly do: "expand" | "refold"; readonly fold: string }
	| { readonly do: "pin" | "unpin" | "unmark" | "toRaw" | "recut" | "undo"; readonly ids: readonly string[] }
	| { readonly do: "brief"; readonly fold: string; readonly text: string };

/** A command as a decision's node carries it: it means the same on every path that holds the same entries. */
export type PortableCommand =
	| Exclude<WindowCommand, { readonly do: "recut" | "undo" }>
	| { readonly do: "pin" | "unpin" | "unmark" | "toRaw"; readonly ids: readonly string[] }
	| {
			readonly do: "recutTo";
			readonly spans: readonly Reach[];
			readonly mark: string;
	  }
	/** takes back the newest decisions in force, so many of them */
	| { readonly do: "undoLast"; readonly count: number };

/** What the deciders need beside the command. */
export type CommandTools = DrawCommand & Pick<BriefCommand, "write"> & Pick<UndoCommand, "regroup">;

/**
 * The decision a command comes to; nothing where all stands as asked. A name that a mark had before others were drawn
 * anew means what it is called now. Throws `CommandError`.
 */
export function decideCommand(
	state: QuoteState,
	asked: WindowCommand | PortableCommand,
	tools: CommandTools,
): DecisionEvent[] {
	const command = renamed(state, tools.leaf, asked);
	switch (command.do) {
		case "expand":
			return expandFold(state, { ...tools, fold: command.fold });
		case "refold":
			return refoldFold(state, { ...tools, fold: command.fold });
		case "pin":
			return placePin(state, { ...tools, ids: command.ids });
		case "unpin":
			return liftPin(state, { ...tools, ids: command.ids });
		case "unmark":
			return withdrawMarks(state, { ...tools, ids: command.ids });
		case "toRaw":
			return toRaw(state, { ...tools, ids: command.ids });
		case "recut":
			return recut(state, { ...tools, ids: command.ids });
		case "recutTo":
			return recutTo(state, tools, command.spans, command.mark);
		case "undo":
			return undoDecisions(state, { ...tools, ids: command.ids });
		case "undoLast":
			return undoDecisions(state, { ...tools, ids: lastDecisions(state, tools.leaf, command.count) });
		case "brief":
			return supplyBrief(state, { ...tools, fold: command.fold, text: command.text });
		default:
			return command satisfies never;
	}
}

/** The command behind a decision, for its node; `supplied` is what a brief says. */
export function portable(event: DecisionEvent, supplied: string): PortableCommand {
	switch (event.type) {
		case "fold/expanded":
			return { do: "expand", fold: event.data.fold };
		case "fold/refolded":
			return { do: "refold", fold: event.data.fold };
		case "pin/placed":
			return { do: "pin", ids: event.data.entries };
		case "pin/lifted":
			return { do: "unpin", ids: event.data.entries };
		case "mark/withdrawn":
			return { do: "toRaw", ids: event.data.cuts };
		case "mark/recut":
			return {
				do: "recutTo",
				spans: event.data.cuts.map(({ from, to }) => ({ from, to })),
				mark: event.data.mark,
			};
		case "brief/supplied":
			return { do: "brief", fold: event.data.fold, text: supplied };
		case "commit/undone":
			return { do: "undoLast", count: event.data.decisions.length };
		case "commit/applied":
			throw new RangeError("a commit has a node of its own");
		default:
			return event satisfies never;
	}
}

function renamed(
	state: QuoteState,
	leaf: string | null,
	command: WindowCommand | PortableCommand,
): WindowCommand | PortableCommand {
	if ("fold" in command) return { ...command, fold: nowCalled(state, leaf, command.fold) };
	if (!("ids" in command)) return command;
	return { ...command, ids: command.ids.map((id) => nowCalled(state, leaf, id)) };
}

function lastDecisions(state: QuoteState, leaf: string | null, count: number): string[] {
	return decisionsInForce(state, leaf)
		.slice(0, count)
		.map(({ id }) => id);
}
