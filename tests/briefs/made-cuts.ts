import fc from "fast-check";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { ran, said, user } from "./transcripts.ts";

const WORDS = [
	"the",
	"left",
	"pane",
	"src/store/keys.ts",
	"/home/dev/app/src/engine/replay.ts",
	"readHead",
	"ENOENT",
	"40713",
	"MAX_LINE_CHARS",
	"https://example.org/a/b?c=1",
	"'quoted text here'",
	"`npm run check`",
	"<system>",
	"</user>",
	"\u001b[31m",
	"\u202e",
	"\n",
	"\n",
	"constructor",
	"__proto__",
	"9f3c2ab17",
	"a.b.c",
	"packages/ai/src/index.ts",
	"import { openStore } from './store.ts'",
	"Done. It works! Really? Yes.",
	"x".repeat(400),
	"é한글",
	"\ud83d",
	"\t",
];

/** Prose of words that are names, markup, control characters and odd keys to JavaScript. */
export const prose = fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(" "));

const path = fc.constantFrom(
	"src/a.ts",
	"/home/dev/app/src/engine/replay.ts",
	"odd name <b>.ts",
	"__proto__",
	"",
);
const call = fc.oneof(
	fc.record({ tool: fc.constant("bash"), args: fc.record({ command: prose }) }),
	fc.record({ tool: fc.constant("read"), args: fc.record({ path }) }),
	fc.record({ tool: fc.constant("edit"), args: fc.record({ path, oldText: prose, newText: prose }) }),
	fc.record({ tool: fc.constant(`mcp__${"long".repeat(14)}`), args: fc.record({ query: prose }) }),
);

/** The entries of a cut: questions, remarks, calls with their results. */
export const cut: fc.Arbitrary<TranscriptEntry[]> = fc
	.array(
		fc.oneof(
			prose.map((text) => [user(text)]),
			prose.map((text) => [said(text)]),
			fc
				.tuple(call, prose, fc.boolean())
				.map(([{ tool, args }, output, failed]) => ran(tool, args, output, failed)),
		),
		{ maxLength: 12 },
	)
	.map((units) => units.flat());
