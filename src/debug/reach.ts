import { RECALL_TOOL } from "../../projections/recall/document.ts";
import { FOLD_TOOL } from "../../projections/transcript.ts";
import type { VisibilitySpan } from "./visibility.ts";

/** A way to get at something that a window does not show whole. */
export interface Reach {
	readonly by: "peek" | "expand" | "recall" | "pin" | "undo";
	/** the call of a tool, for the model; or the command, for the user */
	readonly call: string;
}

/** How the model can get at an entry, or at what a fold stands for, that stands so; how it can keep what is in view. */
export function reachOf(
	id: string,
	kind: "entry" | "fold",
	{ as, because, through }: VisibilitySpan,
): Reach[] {
	if (as === "whole") return [{ by: "pin", call: callOf({ action: "pin", ids: [id] }) }];
	// what is on another branch, edited away or never sent is not the model's to read
	if (because === "leaf" || because === "edit" || because === "unsent") return [];
	const ways: Reach[] = [{ by: "peek", call: callOf({ action: "peek", id }) }];
	if (as === "brief" && through !== undefined)
		ways.push({ by: "expand", call: callOf({ action: "expand", id: through }) });
	if (kind === "entry") ways.push({ by: "recall", call: recallOf({ action: "read", entryIds: [id] }) });
	return ways;
}

/** How the model can find a text again. */
export function searchFor(text: string): Reach {
	return { by: "recall", call: recallOf({ query: `"${text.replaceAll('"', " ")}"` }) };
}

/** How the user takes a decision back. */
export function undoOf(id: string): Reach {
	return { by: "undo", call: `/fold undo ${id}` };
}

function callOf(given: object): string {
	return `${FOLD_TOOL} ${JSON.stringify(given)}`;
}

function recallOf(given: object): string {
	return `${RECALL_TOOL} ${JSON.stringify(given)}`;
}
