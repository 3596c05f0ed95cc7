import { expect, test } from "vitest";
import { recordEntry } from "../../src/commands/record-entry.ts";
import { fact, Given, line } from "./given.ts";

const given = () => new Given({ minFoldChars: 100 });
const below = (parent: string | null, entry: ReturnType<typeof fact>) => ({ ...entry, parent });

test("an entry already known stays quiet", () => {
	const log = given().entries([fact("u", "user", 500)]);
	expect(recordEntry(log.states, fact("u", "user", 900))).toEqual([]);
});

test("a stretch shorter than the least marks nothing, and joins the next", () => {
	const log = given();
	expect(log.marks(fact("u", "user", 99))).toEqual([]);
	log.entries([fact("u", "user", 99)]);
	expect(log.marks(below("u", fact("v", "user", 1)))).toEqual(["f1-v: u..v 100"]);
});

test("cuts are numbered along their path, and two branches name theirs apart", () => {
	const log = given().entries(line([fact("u", "user", 100)]));
	expect(log.marks(below("u", fact("a", "assistant", 100)))).toEqual(["f2-a: a..a 100"]);
	log.entries([below("u", fact("a", "assistant", 100))]);
	expect(log.marks(below("u", fact("b", "assistant", 120)))).toEqual(["f2-b: b..b 120"]);
	expect(log.marks(fact("other root", "user", 100))).toEqual(["f1-other root: other root..other root 100"]);
});

test("no cut closes while a call waits; it closes with the last result, in whatever order they come", () => {
	const log = given().entries(line([fact("a", "assistant", 200, { opens: ["x", "y"] })]));
	expect(log.marks(below("a", fact("ry", "result", 200, { answers: "y" })))).toEqual([]);
	log.entries([below("a", fact("ry", "result", 200, { answers: "y" }))]);
	expect(log.marks(below("ry", fact("rx", "result", 5, { answers: "x" })))).toEqual(["f1-rx: a..rx 405"]);
});

test("who speaks while a call waits closes the stretch before, and what he says begins the next", () => {
	const log = given().entries(line([fact("a", "assistant", 200, { opens: ["x"] }), fact("c", undefined)]));
	expect(log.marks(below("c", fact("u", "user", 10)))).toEqual(["f1-a: a..a 200"]);
	expect(log.marks(below("c", fact("u", "user", 300)))).toEqual(["f1-a: a..a 200", "f2-u: u..u 300"]);
});

test("a result that comes too late, or twice, weighs nothing and closes nothing", () => {
	const called = fact("a", "assistant", 50, { opens: ["x"] });
	const log = given().entries(line([called, fact("r", "result", 10, { answers: "x" })]));
	expect(log.marks(below("r", fact("again", "result", 900, { answers: "x" })))).toEqual([]);
	log.entries([below("r", fact("again", "result", 900, { answers: "x" }))]);
	expect(log.marks(below("again", fact("u", "user", 40)))).toEqual(["f1-u: a..u 100"]);
});

test("replies cut off, private runs and the host's summaries weigh nothing", () => {
	const log = given().entries(
		line([
			fact("failed", "assistant", 900, { stop: "error", opens: ["x"] }),
			fact("aborted", "assistant", 900, { stop: "aborted" }),
			fact("private", "bash", 900, { hidden: true }),
			fact("summary", "summary", 900, { kind: "compaction" }),
			fact("u", "user", 99),
		]),
	);
	expect(log.marks(below("u", fact("v", "user", 1)))).toEqual(["f1-v: failed..v 100"]);
});

test("a system message belongs to no stretch", () => {
	const log = given().entries(line([fact("u", "user", 60), fact("s", "system", 900)]));
	expect(log.marks(below("s", fact("v", "user", 40)))).toEqual(["f1-v: u..v 100"]);
});

test("a cut ends with an entry of its stretch, not with a summary of the host's that came after", () => {
	const called = fact("a", "assistant", 200, { opens: ["x"] });
	const log = given().entries(line([called, fact("summary", "summary", 900, { kind: "compaction" })]));
	expect(log.marks(below("summary", fact("u", "user", 10)))).toEqual(["f1-a: a..a 200"]);
});
