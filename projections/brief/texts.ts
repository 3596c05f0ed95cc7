import type { JsonValue, TranscriptEntry } from "../transcript.ts";

/** Calls `visit` with every string and number inside call arguments, in their order; keys belong to the tool. */
export function eachArgument(args: JsonValue, visit: (text: string, key: string) => void, key = ""): void {
	if (typeof args === "string") visit(args, key);
	else if (typeof args === "number") visit(String(args), key);
	else if (Array.isArray(args))
		for (const item of args as readonly JsonValue[]) eachArgument(item, visit, key);
	else if (args !== null && typeof args === "object")
		for (const [name, value] of Object.entries(args)) eachArgument(value, visit, name);
}

/** Whether a request ever carries the entry: not what the host keeps to itself, nor a reply that was cut off. */
export function isSent(entry: TranscriptEntry): boolean {
	if (entry.role === undefined || entry.hidden === true) return false;
	return entry.stop !== "aborted" && entry.stop !== "error";
}

/** Calls `visit` with each text an entry shows the model: prose, thinking, argument values. */
export function eachText(entry: TranscriptEntry, visit: (text: string) => void): void {
	for (const block of entry.blocks) {
		if (block.type === "text" || block.type === "thinking") visit(block.text);
		else if (block.type === "call") eachArgument(block.args, visit);
	}
}
