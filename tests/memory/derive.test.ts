import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftsOf } from "../../projections/memory/derive.ts";
import { spread } from "../../projections/memory/draft.ts";
import { hasAuthority } from "../../projections/memory/record.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { decideDerive } from "../../src/commands/memory/derive.ts";
import { ran, said, user } from "../briefs/transcripts.ts";
import { GivenMemory, hashText, SOMEBODY } from "./given.ts";

const deriving = { session: "s1", hashText };

function texts(...entries: readonly (TranscriptEntry | readonly TranscriptEntry[])[]): string[] {
	return draftsOf(entries.flat(), deriving).map(({ text }) => text);
}

describe("what rules find", () => {
	test("a file is found once, whether it was read or changed, and none of a call that failed", () => {
		const drafts = texts(
			ran("read", { path: "src/a.ts" }, "old"),
			ran("edit", { path: "src/a.ts", oldText: "x", newText: "y" }, "done"),
			ran("read", { path: "src/none.ts" }, "no such file", true),
			ran("grep", { path: "src", pattern: "x" }, "src/b.ts: x"),
		);
		expect(drafts).toEqual(["file: src/a.ts"]);
	});

	test("the agent's own commands are found with how they last ended, and what only looks is not", () => {
		const drafts = texts(
			ran("bash", { command: "npm run build" }, "failed\nCommand exited with code 2", true),
			ran("bash", { command: "ls -la src" }, "a.ts"),
			ran("bash", { command: "npm run build" }, "built"),
		);
		expect(drafts).toEqual(["command: npm run build exitCode=0"]);
	});

	test("tests are found with their counts, and what was not told is unknown", () => {
		expect(texts(ran("bash", { command: "npm test" }, "Tests  2 failed | 40 passed (42)", true))).toEqual(
			expect.arrayContaining(["tests: 40 passed, 2 failed"]),
		);
		expect(texts(ran("bash", { command: "npm test" }, "12 passed"))).toEqual([
			"command: npm test exitCode=0",
			"tests: 12 passed, unknown failed",
		]);
	});

	test("the user's lasting sentences are found one by one, and what the assistant says is not", () => {
		const entries = [
			user("Fix the parser. Always use tabs.\n- We use pnpm"),
			said("I will always use tabs."),
		];
		expect(draftsOf(entries, deriving)).toEqual([
			expect.objectContaining({ rule: "sentence", kind: "constraint", text: "Always use tabs." }),
			expect.objectContaining({
				rule: "sentence",
				kind: "decision",
				text: "We use pnpm",
				sources: [entries[0]?.id],
			}),
		]);
	});

	test("code between fences and what may hold a secret lay nothing down", () => {
		expect(texts(user("Look:\n```\nAlways use tabs.\n```"))).toEqual([]);
		expect(texts(user("Always use the password: hunter2 for it."))).toEqual([]);
		expect(
			texts(ran("bash", { command: "curl -H 'Authorization: Bearer abc123def456' x.org" }, "ok")),
		).toEqual([]);
	});

	test("what our own tools were called for is not found", () => {
		expect(texts(ran("pi_memory_propose", { path: "src/a.ts" }, "done"))).toEqual([]);
	});

	test("an id tells kind, text and session, and not where it was found", () => {
		const [one] = draftsOf([user("Always use tabs.")], deriving);
		const [again] = draftsOf([user("Well.  Always  use tabs.")], deriving);
		const [other] = draftsOf([user("Always use tabs.")], { ...deriving, session: "s2" });
		expect(one?.id).toMatch(/^mem_rule_[\da-f]{16}$/);
		expect(again?.id).toBe(one?.id);
		expect(other?.id).not.toBe(one?.id);
	});
});

const entry = fc.oneof(
	fc
		.constantFrom("Always use tabs.", "Never push.", "We use pnpm.", "Run it.", "I prefer short names.")
		.map(user),
	fc.nat(90).map((n) => ran("read", { path: `src/f${n}.ts` }, "text")),
	fc.nat(90).map((n) => ran("bash", { command: `make t${n}` }, `${n} passed`, n % 7 === 0)),
);

test("no derived record ever has authority, deriving twice adds nothing, and none goes beyond a run", () => {
	fc.assert(
		fc.property(fc.array(entry, { maxLength: 120 }), (runs) => {
			const drafts = draftsOf(runs.flat(), deriving);
			const given = new GivenMemory();
			const decision = decideDerive(given, drafts, SOMEBODY);
			expect(decision.events.length).toBe(Math.min(50, drafts.length));
			given.write(decision, "rule");
			for (const record of given.memory.records.values()) {
				expect(record).toMatchObject({
					status: "provisional",
					author: "rule",
					priority: "low",
					scope: "session",
				});
				expect(hasAuthority(record)).toBe(false);
			}
			const again = decideDerive(given, drafts, SOMEBODY);
			expect(again.events.length).toBe(Math.min(50, drafts.length - decision.events.length));
			const known = [...given.memory.records.keys()];
			for (const { data } of again.events) expect(known).not.toContain((data as { id: string }).id);
		}),
		{ numRuns: 40 },
	);
});

test("drafts are spread so that each rule has its newest, in the order they were found", () => {
	const drafts = draftsOf(
		[
			user("Always use tabs."),
			...Array.from({ length: 80 }, (_, n) => ran("read", { path: `f${n}.ts` }, "x")).flat(),
			...ran("bash", { command: "npm test" }, "3 passed"),
		],
		deriving,
	);
	const taken = spread(drafts);
	expect(taken).toHaveLength(50);
	expect(taken[0]?.text).toBe("Always use tabs.");
	expect(taken.slice(-2).map(({ rule }) => rule)).toEqual(["command", "tests"]);
	expect(taken[1]?.text).toBe("file: f33.ts");
	expect(spread(taken)).toEqual(taken);
});
