import type { Block, TranscriptEntry } from "../../projections/transcript.ts";

/** An entry before it has a place. */
export type Made = Omit<TranscriptEntry, "parent" | "line" | "bytes">;

const START = Date.UTC(2026, 0, 1);

/** A user message of so many characters. */
export function user(id: string, chars = 10): Made {
	return { id, kind: "message", role: "user", at: START, blocks: [text(chars)] };
}

/** A reply that makes calls; `with` overrides the rest. */
export function reply(id: string, chars = 10, calls: readonly string[] = [], more: Partial<Made> = {}): Made {
	const made = calls.map((callId): Block => ({ type: "call", callId, tool: "run", args: {} }));
	const blocks = [text(chars), ...made];
	const model = { provider: "test", model: "prefix" };
	return { id, kind: "message", role: "assistant", at: START, stop: "stop", model, blocks, ...more };
}

/** A tool result of so many characters. */
export function result(id: string, answers: string, chars = 10): Made {
	return { id, kind: "message", role: "result", at: START, answers, tool: "run", blocks: [text(chars)] };
}

/** A system message of so many characters. */
export function system(id: string, chars = 10): Made {
	return { id, kind: "message", role: "system", at: START, blocks: [text(chars)] };
}

/** An entry no model sees. */
export function custom(id: string): Made {
	return { id, kind: "custom", at: START, blocks: [] };
}

/** An edit that omits its target, or puts blocks in place of what it said. */
export function edit(id: string, target: string, blocks?: readonly Block[]): Made {
	return { id, kind: "contextEdit", at: START, target, omits: blocks === undefined, blocks: blocks ?? [] };
}

/** A text block of so many characters. */
export function text(chars: number): Block {
	return { type: "text", text: "word ".repeat(Math.ceil(chars / 5)).slice(0, chars) };
}

/** Gives entries their places, each below the one before, the first below `parent`; a second apart. */
export function chain(made: readonly Made[], parent: string | null = null): TranscriptEntry[] {
	return made.map((entry, n) => {
		const above = n === 0 ? parent : (made[n - 1]?.id ?? null);
		const at = entry.at + n * 1000;
		const bytes = new TextEncoder().encode(JSON.stringify({ ...entry, at, parent: above }));
		return { ...entry, at, parent: above, line: n + 1, bytes };
	});
}
