import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { storedContent } from "../../src/adapters/sessions/stored-content.ts";
import { triggerOf } from "../../src/commands/policy.ts";
import { bisect } from "../../src/debug/bisect.ts";
import type { Content } from "../../src/debug/content.ts";
import { History } from "../../src/debug/history.ts";
import { knownIds } from "../../src/debug/named.ts";
import { type WhyAnswer, whyAnswer } from "../../src/debug/why-answer.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { inside } from "../cli/inside.ts";
import { TIGHT, writeRecording } from "../cli/recording.ts";

/** Once it is on, policy and quote answer otherwise than when the session was recorded. */
const changed = vi.hoisted(() => ({ isOn: false }));
vi.mock(import("../../src/commands/policy.ts"), async (original) => {
	const real = await original();
	return { ...real, triggerOf: (...asked) => (changed.isOn ? "overflow" : real.triggerOf(...asked)) };
});
vi.mock(import("../../src/commands/quote.ts"), async (original) => {
	const real = await original();
	const quoteOtherwise: typeof real.quoteFor = (...asked) => {
		const quote = real.quoteFor(...asked);
		return changed.isOn ? { ...quote, cost: 1_000, held: 2_000, saves: 3_000 } : quote;
	};
	return { ...real, quoteFor: quoteOtherwise };
});

let home: string;
let store: Store;
let history: History;
let content: Content;

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-why-"));
	const { text } = await inside(home, "replay", writeRecording(home).path, ...TIGHT, "--json");
	store = await openStore({ directory: JSON.parse(text).store, registry: REGISTRY, readOnly: true });
	const [stream = ""] = store.streams();
	history = await History.read(store, stream);
	content = storedContent(store);
});
afterAll(async () => {
	await store.close();
	rmSync(home, { recursive: true, force: true });
});

async function why(id: string, request = history.requests.length): Promise<WhyAnswer> {
	const past = history.request(request) ?? expect.fail(`no request ${request}`);
	return (await whyAnswer(history, content, id, past)) ?? expect.fail(`nothing is called ${id}`);
}

test("what a decision wrote down is the answer, whatever policy and quote would say now", async () => {
	const commit = firstCommit();
	const asked = ["e2", "e3", "call-1", "Part 2 reads", commit.id, ...foldsOf(commit.through)];
	const told = async () => recordedAll(await Promise.all(asked.map((id) => why(id))));
	const before = await told();
	changed.isOn = true;
	expect(triggerOf(history.states.rules.settings, {} as never)).toBe("overflow");
	const after = await told();
	changed.isOn = false;
	expect(after).toEqual(before);
	const { quote, trigger, floor } = commit;
	for (const { decision, inputs } of before.filter((answer) => answer.decision?.id === commit.id)) {
		expect(decision).toMatchObject({ quote, trigger, floor });
		expect(inputs).toContainEqual({ name: "waiting had cost", value: quote.held, unit: "usd" });
		expect(inputs).toContainEqual({ name: "rewrite cost", value: quote.cost, unit: "usd" });
	}
	expect(before.filter(({ decision }) => decision !== undefined).length).toBeGreaterThan(3);
});

test("an entry is told of by the commit that took it out, also where a group stands for it since", async () => {
	const commit = firstCommit();
	const shown = commit.after;
	expect(await why("e3", shown)).toMatchObject({ visible: "whole", inputs: [], reach: [{ by: "pin" }] });
	const last = await why("e3");
	expect(last).toMatchObject({
		about: "entry",
		visible: "brief",
		since: shown + 1,
		decision: { id: commit.id },
	});
	expect(last.reach.map(({ by }) => by)).toEqual(["peek", "expand", "recall"]);
	expect(last.sentences.join(" ")).toMatch(
		new RegExp(
			`^e3 \\(.*was not in the window itself .*Commit ${commit.id} folded it: .*last at request ${shown}\\.`,
		),
	);
});

test("what else there was has the prices of then: one more request, and what a fold and an undo would cost", async () => {
	const commit = firstCommit();
	const { alternatives } = await why("e3", commit.after + 3);
	expect(alternatives[0]).toEqual({ what: "wait one more request", cost: commit.quote.saves, unit: "usd" });
	expect(alternatives[1]).toMatchObject({ cost: commit.quote.saves * 3 });
	for (const { cut, why: reason } of commit.refused)
		expect(alternatives).toContainEqual({ what: `fold ${cut} too`, refused: reason });
	const computed = alternatives.filter(({ isComputed }) => isComputed);
	expect(computed.map(({ what }) => what)).toEqual([
		expect.stringMatching(/^open [fg]\d/),
		`take back ${commit.id}`,
	]);
	for (const { cost } of computed) expect(cost).toBeGreaterThan(0);
});

test("before a decision was made it is still to come, and an entry that had not come was in no window yet", async () => {
	const commit = firstCommit();
	expect(await why(commit.id, 1)).toMatchObject({ about: "decision", visible: "not yet", reach: [] });
	expect(await why(commit.id, commit.after + 1)).toMatchObject({ visible: "whole", reach: [{ by: "undo" }] });
	expect(await why("e60", 1)).toMatchObject({ visible: "not yet", alternatives: [], reach: [] });
	// in force, whether or not it could be taken back there
	const later = await why(commit.id);
	expect(later.visible).toBe("whole");
	expect(later.sentences[1]).toBe(`It was made before request ${commit.after + 1}.`);
});

test("an id may be cut short where it is clear, and a text is what no id is", async () => {
	const { id } = firstCommit();
	expect((await why(id.slice(0, -1))).id).toMatch(/^c\d/);
	// ids of calls are told apart as all others are
	const ids = new Set(knownIds(history));
	for (const known of ["e2", "call-1", id]) expect(ids).toContain(known);
	expect((await why("helper4")).about).toBe("text");
	const past = history.requests.at(-1) ?? expect.fail("no request");
	expect(await whyAnswer(history, content, "stands nowhere at all", past)).toBeUndefined();
});

test("what came behind the last request is known, and was in no window", async () => {
	const { leaf } = history.states.tree;
	if (leaf === null) return expect.fail("nothing was recorded");
	expect(await why(leaf)).toMatchObject({ about: "entry", visible: "not yet" });
	expect(await bisect(history, content, leaf)).toMatchObject({ spans: [], losses: [], isWhole: false });
});

function firstCommit() {
	const found = history.decisions.find(({ event }) => event.type === "commit/applied");
	if (found?.event.type !== "commit/applied") return expect.fail("no commit");
	return { ...found.event.data, after: found.after };
}

function foldsOf(cut: string | null): string[] {
	return cut === null ? [] : [cut];
}

function recordedAll(answers: readonly WhyAnswer[]): WhyAnswer[] {
	return answers.map(({ alternatives, ...answer }) => ({
		...answer,
		alternatives: alternatives.filter(({ isComputed }) => !isComputed),
	}));
}
