import fc from "fast-check";
import { expect, test } from "vitest";
import { cutOf, standingParts } from "../../projections/forest.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { chain, reply } from "../engine/made-entries.ts";

/** Closes cuts one by one under groups of `base`; `changes` sets another base from a cut on. */
async function grown(count: number, base: number, changes: ReadonlyMap<number, number> = new Map()) {
	const entries = chain(Array.from({ length: count }, (_, n) => reply(`a${n + 1}`, 100)));
	const engine = new Engine({
		journal: forgetfulJournal(),
		hash: sha256Node,
		decode: () => {
			throw new TypeError("all entries are recent");
		},
		driver: "replay",
	});
	const settings = {
		...DEFAULT_SETTINGS,
		minFoldChars: 100,
		consolidateAfter: base,
		briefs: "index" as const,
	};
	await engine.note([{ type: "session/settingsChanged", data: settings }], 0, "host");
	for (const [n, entry] of entries.entries()) {
		const other = changes.get(n + 1);
		if (other) await engine.settle({ ...settings, consolidateAfter: other }, 0, "user");
		await engine.record(entry);
	}
	return engine;
}

function standing({ states }: Engine, leaf: string): string[] {
	return standingParts(states.forest, nodeOf(states.tree, leaf)?.cut ?? null).map(({ text }) => text.fold);
}

test("the fewest complete groups stand for a path: a counter of cuts", async () => {
	const engine = await grown(14, 3);
	expect(standing(engine, "a2")).toEqual(["f1-a1", "f2-a2"]);
	expect(standing(engine, "a3")).toEqual(["g1-a3"]);
	expect(standing(engine, "a8")).toEqual(["g1-a3", "g1-a6", "f7-a7", "f8-a8"]);
	expect(standing(engine, "a9")).toEqual(["g2-a9"]);
	expect(standing(engine, "a14")).toEqual(["g2-a9", "g1-a12", "f13-a13", "f14-a14"]);
});

/** Messages a fold's stored brief counts. */
function messagesOf(engine: Engine, brief: string): number {
	const bytes = engine.content(brief) ?? new Uint8Array();
	return (JSON.parse(new TextDecoder().decode(bytes)) as { entries: number }).entries;
}

test("whatever groups were counted in before, every cut is named by exactly one standing text", async () => {
	const changed = fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 5 })), {
		maxLength: 3,
	});
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 2, max: 5 }), changed, async (base, changes) => {
			const engine = await grown(40, base, new Map(changes));
			for (let n = 1; n <= 40; n++) {
				const { states } = engine;
				const texts = standingParts(states.forest, cutOf(states.forest, `f${n}-a${n}`)?.id ?? null);
				let messages = 0;
				for (const { text } of texts) messages += messagesOf(engine, text.brief);
				expect(messages).toBe(n);
			}
		}),
		{ seed: 3, numRuns: 40, interruptAfterTimeLimit: 40_000 },
	);
});
