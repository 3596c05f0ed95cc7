import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RecallBlock, recallPage } from "../../src/debug/recall/blocks.ts";
import { rawEntries, rawEntry } from "../../src/debug/recall/raw.ts";

/** Texts that grow when they are escaped, and characters of two code units. */
const said = fc
	.array(fc.constantFrom('"', "\\", "\n", "\u0001", "plain words ", "日本語", "😀", "ä", "\ud83d"), {
		maxLength: 60,
	})
	.map((parts) => parts.join(""));
const entry = fc
	.record({ id: fc.string({ minLength: 1, maxLength: 12 }), text: said })
	.map(({ id, text }) => ({
		id,
		json: JSON.stringify({ type: "message", id, message: { role: "user", content: text } }),
	}));
const budget = fc.oneof(fc.nat(300), fc.nat(3_000));
const slice = fc.option(
	fc.record({ offset: fc.nat(400), limit: fc.integer({ min: 1, max: 400 }) }, { requiredKeys: ["offset"] }),
	{ nil: undefined },
);

/** Valid JSON or nothing at all, within the budget. */
function expectSound(text: string, budget: number): void {
	expect(text.length).toBeLessThanOrEqual(budget);
	if (text !== "") JSON.parse(text);
}

describe("one entry", () => {
	test("whatever it holds and whatever is asked for, the answer is valid JSON within the budget", () => {
		fc.assert(
			fc.property(entry, slice, budget, (one, part, most) => {
				const { text, truncated, nextOffset } = rawEntry(one, part, most);
				expectSound(text, most);
				expect(truncated || nextOffset === undefined).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	test("bodies one behind the other are the whole, whatever the budget, and each goes on", () => {
		fc.assert(
			fc.property(entry, fc.integer({ min: 200, max: 700 }), (one, most) => {
				let whole = "";
				for (let offset: number | undefined = 0; offset !== undefined; ) {
					const { text, nextOffset } = rawEntry(one, { offset }, most);
					const { body, totalChars } = JSON.parse(text);
					expect(totalChars).toBe(one.json.length);
					expect(nextOffset ?? one.json.length).toBeGreaterThan(offset);
					whole += body;
					offset = nextOffset;
				}
				expect(whole).toBe(one.json);
			}),
		);
	});

	test("as much is given as there is room for", () => {
		fc.assert(
			fc.property(entry, fc.integer({ min: 200, max: 400 }), (one, most) => {
				const { text, nextOffset } = rawEntry(one, { offset: 0 }, most);
				if (nextOffset === undefined) return;
				// the next character, escaped, and what a longer number takes
				expect(text.length).toBeGreaterThan(most - 16);
			}),
		);
	});

	test("it is whole where it fits and no slice is asked for", () => {
		const one = { id: "a", json: '{"id":"a"}' };
		expect(rawEntry(one, undefined, 10)).toEqual({ text: one.json, count: 1, truncated: false });
	});

	test("no character is cut in two", () => {
		const one = { id: "a", json: JSON.stringify({ text: "😀😀😀" }) };
		for (let limit = 1; limit < one.json.length; limit++) {
			const { body } = JSON.parse(rawEntry(one, { offset: 0, limit }, 1_000).text);
			expect(body.isWellFormed()).toBe(true);
		}
	});

	test("without room it says so, in less and less", () => {
		const one = { id: "some-entry", json: JSON.stringify("x".repeat(500)) };
		const said = [60, 30, 2, 1].map((most) => rawEntry(one, undefined, most).text);
		expect(said).toEqual([
			'{"error":"RECALL_NO_ROOM","entryId":"some-entry"}',
			'{"error":"RECALL_NO_ROOM"}',
			"{}",
			"",
		]);
	});
});

describe("several entries", () => {
	test("whatever they hold, the answer is valid JSON within the budget, and names each of them once", () => {
		fc.assert(
			fc.property(fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 8 }), budget, (all, most) => {
				const { text, count, truncated } = rawEntries(all, most);
				expectSound(text, most);
				if (!text.startsWith('{"entries"')) return;
				const { entries, omitted } = JSON.parse(text);
				const told = [...entries.map(({ id }: { id: string }) => id), ...omitted];
				expect(told.sort()).toEqual(all.map(({ id }) => id).sort());
				expect({ count, truncated }).toEqual({ count: entries.length, truncated: omitted.length > 0 });
			}),
			{ numRuns: 500 },
		);
	});

	test("one that is too large is left out, and those behind it are not", () => {
		const all = ["a", "b", "c"].map((id) => ({
			id,
			json: JSON.stringify({ id, text: "x".repeat(id === "b" ? 500 : 5) }),
		}));
		const { text } = rawEntries(all, 200);
		expect(JSON.parse(text)).toMatchObject({ entries: [{ id: "a" }, { id: "c" }], omitted: ["b"] });
	});
});

describe("blocks", () => {
	const blockOf = (n: number): RecallBlock => ({
		id: `e${n}`,
		at: 0,
		kinds: ["user"],
		tools: [],
		sourceClass: "primary",
		files: [],
		text: `text ${n} ${"x".repeat(80 * n)}`,
	});
	const blocks = Array.from({ length: 6 }, (_, n) => blockOf(n));

	test("each is whole, within any budget, and what is left out is named", () => {
		for (let most = 0; most < 2_000; most += 7) {
			const { text, count, truncated } = recallPage(
				{ head: "6 entries", more: "more on page 2" },
				blocks,
				most,
			);
			expect(text.length).toBeLessThanOrEqual(most);
			expect(truncated).toBe(count < blocks.length);
			for (const block of blocks.slice(0, count)) expect(text).toContain(`${block.text.trimEnd()}\n`);
			if (text.includes("no room")) for (const { id } of blocks) expect(text).toContain(id);
		}
	});

	test("where the first has no room, none is included, and that is said", () => {
		const { text } = recallPage({ head: "6 entries" }, blocks.slice(5), 60);
		expect(text).toBe("6 entries\n\n[0 included, no room for e5]");
	});

	test("a block tells what it is of: kinds, tools, source class, fold and files", () => {
		const block: RecallBlock = {
			...blockOf(9),
			tools: ["edit"],
			sourceClass: "derived",
			fold: "f1-00000000",
			files: Array.from({ length: 10 }, (_, n) => `src/${n}.ts`),
		};
		expect(recallPage({ head: "1 entry" }, [block], 1_000).text).toContain(
			"[entry e9] 1970-01-01T00:00:00.000Z kinds=user tools=edit sourceClass=derived fold=f1-00000000 files=src/0.ts, src/1.ts, src/2.ts, src/3.ts, src/4.ts, src/5.ts, src/6.ts, src/7.ts and 2 more\n",
		);
	});
});
