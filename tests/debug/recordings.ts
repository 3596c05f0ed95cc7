import type { Valuation } from "../../events/valuation.ts";
import type { Block, ModelRef, TranscriptEntry, Usage } from "../../projections/transcript.ts";
import type { Recording } from "../../src/debug/trace.ts";

/** Prices of Claude Opus 4.5, with a window that small recordings fill. */
export const BREAKPOINT: Valuation = {
	model: "test/breakpoint",
	unit: "usd",
	input: 5,
	read: 0.5,
	write: 6.25,
	output: 25,
	tiers: [],
	lifetimeMs: 300_000,
	cache: "breakpoint",
	window: 20_000,
	reasoning: "keep",
	source: "test",
};

/** Prices with a tier, and a cache that matches the longest prefix. */
export const PREFIX: Valuation = {
	...BREAKPOINT,
	model: "test/prefix",
	write: 5,
	cache: "prefix",
	tiers: [{ above: 3_000, input: 10, read: 1, write: 10, output: 45 }],
};

/** One step of a small recording: what a tool returned, how long the user waited before, where it goes on from. */
export interface Step {
	readonly chars: number;
	readonly gapMs: number;
	/** begins a user turn */
	readonly asks: boolean;
	/** index of the step behind whose reply it goes on; the one before by default */
	readonly after?: number;
	/** prices of the model that answers, where it is another */
	readonly by?: Valuation;
}

/** A recording with one request a step. */
export function recordingOf(steps: readonly Step[], valuation: Valuation): Recording {
	const entries: TranscriptEntry[] = [];
	const tips: string[] = [];
	let at = 1_700_000_000_000;
	let parent: string | null = null;
	const add = (entry: Pick<TranscriptEntry, "role" | "blocks"> & Partial<TranscriptEntry>): void => {
		const id = `e${entries.length}`;
		const full = { id, parent, kind: "message" as const, at, line: entries.length + 1, ...entry };
		const bytes = new TextEncoder().encode(JSON.stringify({ id, blocks: entry.blocks }));
		entries.push({ bytes, ...full });
		parent = id;
	};
	const usage: Usage = { input: 0, output: 40, cacheRead: 0, cacheWrite: 0 };
	const priced = new Map([[valuation.model, valuation]]);
	for (const [index, { chars, gapMs, asks, after, by = valuation }] of steps.entries()) {
		priced.set(by.model, by);
		if (after !== undefined) parent = tips[after] ?? parent;
		at += gapMs;
		if (asks || index === 0) add({ role: "user", blocks: [text(`please look at step ${index}`)] });
		const callId = `call-${index}`;
		const call: Block = { type: "call", callId, tool: "read", args: { path: `src/file-${index}.ts` } };
		const model = { provider: "test", model: by.model };
		add({ role: "assistant", blocks: [call], stop: "toolUse", usage, model });
		add({ role: "result", answers: callId, tool: "read", blocks: [text(filler(index, chars))] });
		tips.push(parent as unknown as string);
	}
	const valuationOf = async ({ model }: ModelRef) => priced.get(model) ?? valuation;
	return { session: "test", format: "test", entries, valuation: valuationOf };
}

function text(content: string): Block {
	return { type: "text", text: content };
}

function filler(seed: number, chars: number): string {
	return `const value${seed} = ${seed * 7919};\n`.repeat(Math.ceil(chars / 24)).slice(0, chars);
}
