import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import { CommitApplied } from "../../events/commit.ts";
import { logLine } from "../../src/debug/log-lines.ts";
import { nearest } from "../../src/debug/near-ids.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";

test.each(REGISTRY.definitions.map(({ type, schema }) => ({ type, schema })))(
	"a $type has a line of its own, without its optional fields too",
	({ type, schema }: { type: string; schema: TSchema }) => {
		const line = logLine({ type, data: Value.Create(schema) } as DomainEvent);
		expect(line.trim()).not.toBe("");
		expect(line).not.toMatch(/undefined|NaN|\[object|\n/);
	},
);

test("numbers read the same everywhere: commas between thousands, a point before fractions", () => {
	const line = logLine({
		type: "request/measured",
		data: {
			request: 7,
			reply: "e1",
			model: "a/b",
			input: 1_234_567,
			output: 999,
			cacheRead: 0,
			cacheWrite: 1000,
			usd: 0.01234,
			chars: 0,
			images: 0,
			appended: true,
		},
	});
	expect(line).toBe("#7 in 1,234,567, read 0, written 1,000, out 999, $0.0123");
});

test("a commit's line tells what it excepted, and one without exceptions tells of none", () => {
	const plain = Value.Create(CommitApplied.schema);
	const data = { ...plain, emergency: true, dropped: ["f2-b"], reasoning: "strip" as const };
	const excepted = {
		...data,
		expanded: [{ fold: "f1-a", request: 0 }],
		held: [{ entry: "e", why: "pinned" }],
	};
	const line = (one: typeof plain) => logLine({ type: "commit/applied", data: one });
	expect(line(excepted)).toBe(
		`${line(plain)}, 1 held back, 1 left open, 1 withdrawn and folded for want of room, more clipped than usual, thinking stripped`,
	);
});

test("an id that was mistyped is offered: beginnings first, then a slip of one or two characters", () => {
	const known = ["abcd1234", "abcd9999", "zbcd1234", "__proto__", "constructor"];
	expect(nearest("abcd", known)).toEqual(["abcd1234", "abcd9999"]);
	expect(nearest("abcd1243", known)).toEqual(["abcd1234"]);
	expect(nearest("constructer", known)).toEqual(["constructor"]);
	expect(nearest("nothing-like-it", known)).toEqual([]);
});
