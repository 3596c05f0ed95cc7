import { expect, test } from "vitest";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { accumulated } from "../../projections/work-summary/accumulate.ts";
import { evidenceOf } from "../../projections/work-summary/gather.ts";
import { evidenceLine } from "../../projections/work-summary/lines.ts";
import { ran } from "../briefs/transcripts.ts";
import { found } from "./given.ts";

const bash = (command: string, output: string, failed = false) => ran("bash", { command }, output, failed);

/** The errors of runs with the entry since which each is gone: of one stretch, and of one stretch a run. */
function errorsOf(...runs: readonly (readonly TranscriptEntry[])[]) {
	const told = (evidence: ReturnType<typeof evidenceOf>) =>
		evidence.flatMap(({ category, text, gone }) => (category === "error" ? [{ text, gone }] : []));
	const apart = told(
		accumulated(
			runs.map((run) => evidenceOf(run)),
			100,
		),
	);
	expect(told(evidenceOf(runs.flat()))).toEqual(apart);
	return apart;
}

test("an error goes when the same command passes, and the summary says since when", () => {
	const failed = bash("make", "Error: no rule", true);
	const passed = bash("make", "made");
	const gone = passed[1]?.id;
	expect(errorsOf(failed, passed)).toEqual([{ text: "Error: no rule", gone }]);
	const [error] = evidenceOf([...failed, ...passed]);
	expect(error && evidenceLine(error)).toBe(
		`[${failed[1]?.id}] Error: no rule (make), not seen since [${gone}]`,
	);
});

test("an error stays while nothing ran again, another command passes, or the same fails with it", () => {
	const failed = bash("make", "Error: no rule", true);
	const still = [{ text: "Error: no rule", gone: undefined }];
	expect(errorsOf(failed)).toEqual(still);
	expect(errorsOf(failed, bash("make check", "fine"))).toEqual(still);
	expect(errorsOf(failed, bash("make", "more\nError: no rule", true))).toEqual(still);
});

test("an error goes when the same command fails without it", () => {
	const second = bash("make", "Error: no space", true);
	expect(errorsOf(bash("make", "Error: no rule", true), second)).toEqual([
		{ text: "Error: no rule", gone: second[1]?.id },
		{ text: "Error: no space", gone: undefined },
	]);
});

test("an error that comes back is not gone, wherever its numbers moved", () => {
	const first = bash("make", "a.c:10: error: no semicolon", true);
	const last = bash("make", "a.c:12: error: no semicolon", true);
	expect(errorsOf(first, bash("make", "made"), last)).toEqual([
		{ text: "a.c:12: error: no semicolon", gone: undefined },
	]);
});

test("how the last of several commands ended says nothing of an error of the first", () => {
	const failed = bash("make | tee log", "Error: no rule");
	expect(errorsOf(failed, bash("make | tee log", "Error: no rule"))).toEqual([
		{ text: "Error: no rule", gone: undefined },
	]);
	const clean = bash("make | tee log", "made");
	expect(errorsOf(failed, clean)).toEqual([{ text: "Error: no rule", gone: clean[1]?.id }]);
});

test("a run seen through a shorter window proves nothing but by the tests it counts", () => {
	const failed = bash("npm test | tail -70", "AssertionError: 1 is not 2\nTests 1 failed | 3 passed");
	expect(errorsOf(failed, bash("npm test | tail -3", "bye"))).toMatchObject([{ gone: undefined }]);
	const passed = bash("npm test | tail -3", "Tests 4 passed");
	expect(errorsOf(failed, passed)).toMatchObject([{ gone: passed[1]?.id }]);
});

test("of a command that is piped on and on only the end is taken off, so that it takes no longer than it is long", () => {
	const digestOf = (command: string) => found("command", bash(command, "made"))[0]?.digest;
	expect(digestOf(`make${" | cat".repeat(8)}`)).toBe(digestOf("make"));
	expect(digestOf(`make${" | cat".repeat(50_000)}`)).not.toBe(digestOf("make"));
});

test("a failed edit is over when an edit of the same file goes well", () => {
	const edit = (path: string, output: string, failed = false) =>
		ran("edit", { path, oldText: "x", newText: "y" }, output, failed);
	const failed = edit("a.ts", "Could not find the text", true);
	expect(errorsOf(failed, edit("b.ts", "done"))).toMatchObject([{ gone: undefined }]);
	const done = edit("a.ts", "done");
	expect(errorsOf(failed, done)).toMatchObject([{ gone: done[0]?.id }]);
});
