/** A feature the scripted model adds: a module, its test, the mistake in the first draft and its repair. */
export interface Feature {
	readonly path: string;
	readonly draft: string;
	readonly testPath: string;
	readonly test: string;
	/** what the first test run shows to be wrong */
	readonly repair: { readonly oldText: string; readonly newText: string };
	readonly diagnosis: string;
	/** what the compiler finds left over once the repair is made */
	readonly leftovers: readonly { readonly oldText: string; readonly newText: string }[];
}

/** Counts of a transcript by kind and tool. The draft counts a call's result under the tool that answered last. */
export const shapeFeature: Feature = {
	path: "src/debug/session-shape.ts",
	draft: `import type { TranscriptEntry } from "../../projections/transcript.ts";

/** How much of a transcript is what: entries by kind, calls and characters by tool. */
export interface SessionShape {
	readonly entries: Readonly<Record<string, number>>;
	/** calls made, by tool */
	readonly calls: Readonly<Record<string, number>>;
	/** characters of results, by tool */
	readonly resultCharacters: Readonly<Record<string, number>>;
	readonly failures: number;
}

/** The parts of an entry the shape needs. */
type ShapeEntry = Pick<TranscriptEntry, "kind" | "blocks" | "tool" | "failed" | "role">;

/** Takes the shape of a path, in one pass. */
export function shapeOf(path: readonly ShapeEntry[]): SessionShape {
	const entries: Record<string, number> = {};
	const calls: Record<string, number> = {};
	const resultCharacters: Record<string, number> = {};
	let failures = 0;
	let latestTool = "none";
	for (const entry of path) {
		add(entries, entry.kind, 1);
		if (entry.failed) failures++;
		for (const block of entry.blocks) {
			if (block.type === "call") {
				latestTool = block.tool;
				add(calls, block.tool, 1);
			}
			if (block.type === "text" && entry.role === "result") add(resultCharacters, latestTool, block.text.length);
		}
	}
	return { entries, calls, resultCharacters, failures };
}

function add(counts: Record<string, number>, key: string, n: number): void {
	counts[key] = (counts[key] ?? 0) + n;
}
`,
	testPath: "tests/session-shape.test.ts",
	test: `import { expect, test } from "vitest";
import { shapeOf } from "../src/debug/session-shape.ts";

const text = (value: string) => [{ type: "text" as const, text: value }];
const call = (tool: string, callId: string) => ({ type: "call" as const, callId, tool, args: {} });

const path = [
	{ kind: "message" as const, role: "user" as const, blocks: text("go") },
	{ kind: "message" as const, role: "assistant" as const, blocks: [call("read", "c1"), call("bash", "c2")] },
	{ kind: "message" as const, role: "result" as const, tool: "read", blocks: text("12345678") },
	{ kind: "message" as const, role: "result" as const, tool: "bash", failed: true, blocks: text("boom") },
	{ kind: "label" as const, blocks: [] },
];

test("entries are counted by kind", () => {
	expect(shapeOf(path).entries).toEqual({ message: 4, label: 1 });
});

test("a result counts for the tool that gave it, also in a batch", () => {
	expect(shapeOf(path).resultCharacters).toEqual({ read: 8, bash: 4 });
});

test("calls and failures are counted apart", () => {
	expect(shapeOf(path).calls).toEqual({ read: 1, bash: 1 });
	expect(shapeOf(path).failures).toBe(1);
});

test("an empty path has an empty shape", () => {
	expect(shapeOf([])).toEqual({ entries: {}, calls: {}, resultCharacters: {}, failures: 0 });
});
`,
	repair: {
		oldText: `if (block.type === "text" && entry.role === "result") add(resultCharacters, latestTool, block.text.length);`,
		newText: `if (block.type === "text" && entry.role === "result") {
				add(resultCharacters, entry.tool ?? "none", block.text.length);
			}`,
	},
	diagnosis:
		"`latestTool` is the last call of the batch, so in a parallel batch every result lands on it. The entry names its own tool.",
	leftovers: [
		{ oldText: `	let latestTool = "none";\n`, newText: "" },
		{
			oldText: `			if (block.type === "call") {
				latestTool = block.tool;
				add(calls, block.tool, 1);
			}
`,
			newText: `			if (block.type === "call") add(calls, block.tool, 1);
`,
		},
	],
};
