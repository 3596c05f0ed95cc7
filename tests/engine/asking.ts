import { standingParts } from "../../projections/forest.ts";
import { planAt } from "../../projections/window-plan.ts";
import { pendingCuts } from "../../src/commands/fold-path.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Engine } from "../../src/engine/engine.ts";

/** What someone may ask of a window, beside a commit. */
export const ASKS = ["open", "close", "pin", "unpin", "raw", "merge", "brief", "undo"] as const;

/** One of them. */
export type Asking = (typeof ASKS)[number];

/** The command that asks it of the oldest thing at a leaf of which it can be asked; nothing where none can be. */
export function commandOf(
	{ states }: Engine,
	leaf: string | null,
	asking: Asking,
): WindowCommand | undefined {
	const plan = planAt(states, leaf);
	const closed = standingParts(states.forest, plan?.through ?? null, plan).find(({ isOpen }) => !isOpen);
	const [open] = plan?.expanded.keys() ?? [];
	const [pinned] = plan?.pins ?? [];
	const [mark, next] = pendingCuts(states, leaf, plan);
	const fold = closed?.text.fold;
	switch (asking) {
		case "open":
			return fold === undefined ? undefined : { do: "expand", fold };
		case "close":
			return open === undefined ? undefined : { do: "refold", fold: open };
		case "pin":
			return closed && { do: "pin", ids: [closed.cut.to] };
		case "unpin":
			return pinned === undefined ? undefined : { do: "unpin", ids: [pinned] };
		case "raw":
			return fold === undefined ? undefined : { do: "toRaw", ids: [fold] };
		case "merge":
			return mark && next && { do: "recut", ids: [mark.id, next.id] };
		case "brief":
			return mark && { do: "brief", fold: mark.id, text: `what matters of ${mark.id}` };
		case "undo":
			return plan && { do: "undo", ids: [plan.id] };
		default:
			return asking satisfies never;
	}
}
