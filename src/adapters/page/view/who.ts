import type { WindowRow } from "../../../debug/window-rows.ts";

type Who = Pick<WindowRow, "role" | "tool">;

/** Whose a row is, in the room of a word: a tool for what it gave out, with an arrow for a call of it. */
export function whoOf({ role, tool }: Who): string {
	if (tool === undefined) return role;
	return role === "assistant" ? `→ ${tool}` : tool;
}

/** The same as it is spoken, or told where there is room. */
export function whoInWords({ role, tool }: Who): string {
	if (tool === undefined) return role;
	return role === "assistant" ? `call of ${tool}` : `${tool} result`;
}
