import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { EntryEvent } from "../../events/entry.ts";
import type { TextInView } from "../../projections/plans.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import { clippableBehind } from "../../src/commands/clippable.ts";
import { commitIfDue, commitNow, windowFits } from "../../src/commands/commit.ts";
import { candidateThrough, promptTokens } from "../../src/commands/commit-candidate.ts";
import { commitTo } from "../../src/commands/commit-made.ts";
import { commitTighter, type Excess } from "../../src/commands/commit-tighter.ts";
import { quoteFor } from "../../src/commands/quote.ts";
import { fact, Given, line } from "./given.ts";

type Facts = EntryEvent["data"];

const RECEIPT_CHARS = 40;

const request = (leaf: string | null) => ({
	at: 0,
	leaf,
	model: "test/model",
	clip: ({ role, weight }: { role: string | undefined; weight: { chars: number } }) => {
		const chars = role === "result" ? Math.min(600, weight.chars) : weight.chars + 100;
		return { text: `clip-${chars}`, chars };
	},
	receipt: () => ({ text: "receipt", chars: RECEIPT_CHARS }),
	digest: () => "window",
});

/** Three characters a token; a budget of 90,000 tokens. */
const given = (facts: readonly Facts[], settings = {}) =>
	new Given({ minFoldChars: 3_000, floorTokens: 20_000, toolFoldThreshold: 0, ...settings })
		.valuation()
		.entries(line(facts), 300);

const call = (id: string, ...opens: string[]) => fact(id, "assistant", 300, { opens });
const result = (id: string, answers: string, chars: number, more: Partial<Facts> = {}) =>
	fact(id, "result", chars, { answers, ...more });
const pictured = (id: string, answers: string, megabytes: number) =>
	result(id, answers, 90, { images: 1, bytes: 90 + megabytes * 1e6 });

/** An exchange of so many characters. */
const fetched = (n: number, chars: number) => [call(`a${n}`, `x${n}`), result(`r${n}`, `x${n}`, chars)];

const tokensAt = (log: Given, leaf: string) => promptTokens(log.states, leaf, planAt(log.states, leaf));

/** Makes the tighter commit at a leaf, and puts its node there; gives the node, or nothing where none was made. */
function tighten(log: Given, leaf: string, excess: Excess = "tokens"): string | undefined {
	const events = commitTighter(log.states, request(leaf), excess);
	return events.length > 0 ? decide(log, leaf, events) : undefined;
}

function decide(log: Given, leaf: string, events: readonly DomainEvent[]): string {
	for (const event of events) log.event(event);
	const position = [...log.states.plans.after.keys()].at(-1) ?? -1;
	const node = `n${position}`;
	log.entries([{ ...fact(node, undefined, 0, { decision: position }), parent: leaf }]);
	return node;
}

const clipsAt = (log: Given, leaf: string) => [...(planAt(log.states, leaf)?.clips.keys() ?? [])];

const applied = (events: readonly DomainEvent[]) =>
	events.flatMap((event) => (event.type === "commit/applied" ? [event.data] : []));

test("where a deeper cut does, nothing is clipped that the settings leave", () => {
	const log = given([fact("u", "user", 30), ...[1, 2, 3, 4, 5].flatMap((n) => fetched(n, 45_000))]);
	const before = tokensAt(log, "r5");
	const events = commitTighter(log.states, request("r5"), "tokens");
	expect(applied(events)).toMatchObject([{ trigger: "overflow" }]);
	expect(applied(events)[0]).not.toHaveProperty("emergency");
	expect(applied(events)[0]?.quote.after).toBeLessThanOrEqual(before * 0.6);
});

test("a single result larger than the budget is clipped where no cut holds it yet", () => {
	const log = given([fact("u", "user", 30), call("a", "x", "y"), result("r", "x", 900_000)]);
	expect(applied(commitTighter(log.states, request("r"), "tokens"))).toMatchObject([
		{ through: null, cut: 0, emergency: true },
	]);
	const node = tighten(log, "r") ?? "";
	expect(clipsAt(log, node)).toEqual(["r"]);
	expect(tokensAt(log, node)).toBeLessThan(1_000);
});

test("the result just returned is clipped, not folded away with its call, while that does", () => {
	const log = given([fact("u", "user", 30), ...fetched(1, 900_000)]);
	const node = tighten(log, "r1") ?? "";
	expect(planAt(log.states, node)).toMatchObject({ cut: 0, emergency: true });
	expect(clipsAt(log, node)).toEqual(["r1"]);
});

test("the largest are clipped first, and no more than brings the window under what it may hold", () => {
	const sizes = [6_000, 90_000, 30_000, 9_000];
	const facts = sizes.map((chars, n) => result(`r${n}`, `x${n}`, chars));
	const log = given([fact("u", "user", 30), call("a", "x0", "x1", "x2", "x3", "x4"), ...facts]);
	const node = tighten(log, "r3") ?? "";
	expect(clipsAt(log, node)).toEqual(["r1"]);
	expect(clipsAt(log, tighten(log, node) ?? "")).toEqual(["r1", "r2"]);
});

test("results beside thinking that stays are clipped only where the others do not do", () => {
	const turns = (chars: number) => [
		fact("u", "user", 30),
		call("a", "x", "y"),
		result("rx", "x", chars),
		result("ry", "y", 30),
		fact("v", "user", 30),
		fact("b", "assistant", 300, { thinking: 200, opens: ["z", "w"] }),
		result("rz", "z", 100_000),
	];
	const settings = { minFoldChars: 1_000_000 };
	const spared = given(turns(900_000), settings);
	expect(clipsAt(spared, tighten(spared, "rz") ?? "")).toEqual(["rx"]);
	const needed = given(turns(50_000), settings);
	expect(clipsAt(needed, tighten(needed, "rz") ?? "")).toEqual(["rx", "rz"]);
});

test("what is pinned or of a tool kept raw is not clipped even then", () => {
	const kept = given([
		fact("u", "user", 30),
		call("a", "x", "y"),
		result("r", "x", 900_000, { keptRaw: true }),
	]);
	expect(commitTighter(kept.states, request("r"), "tokens")).toEqual([]);
});

test("a window of images alone is brought down: those in results and earlier messages first, the user's last ones last", () => {
	const images = { images: 20, bytes: 100 };
	const log = given([
		fact("u", "user", 90, images),
		call("a", "x", "y"),
		result("r", "x", 0, images),
		fact("v", "user", 90, images),
	]);
	let node = tighten(log, "v") ?? "";
	expect(clipsAt(log, node)).not.toContain("v");
	for (let next = tighten(log, node); next; next = tighten(log, node)) node = next;
	expect(clipsAt(log, node)).toContain("v");
	expect(tokensAt(log, node)).toBeLessThan(1_000);
});

test("asked again at the same place, each commit goes further than the one before, until there is nothing more", () => {
	const facts = [fact("u", "user", 3_000), ...[1, 2, 3, 4, 5, 6].flatMap((n) => fetched(n, n * 20_000))];
	const log = given(facts);
	const sizes = [tokensAt(log, "r6")];
	for (let node = tighten(log, "r6"); node; node = tighten(log, node)) sizes.push(tokensAt(log, node));
	expect(sizes.length).toBeGreaterThan(2);
	for (const [n, size] of sizes.slice(1).entries()) expect(size).toBeLessThan((sizes[n] ?? 0) * 0.98);
	expect(sizes.at(-1)).toBeLessThan(3_000);
});

test("where hardly anything can be freed there is no commit", () => {
	expect(commitTighter(given([fact("u", "user", 900_000)]).states, request("u"), "tokens")).toEqual([]);
	expect(commitTighter(given([]).states, request(null), "tokens")).toEqual([]);
});

test("what an emergency clipped stays clipped through later commits, until it is folded", () => {
	const log = given([
		fact("u", "user", 30),
		...fetched(1, 9_000),
		call("a", "x", "y"),
		result("r", "x", 900_000),
	]);
	const node = tighten(log, "r") ?? "";
	log.entries(line([result("s", "y", 30), ...fetched(2, 9_000)], node), 300);
	expect(clippableBehind(log.states, "r2", undefined).map(({ id }) => id)).toEqual(["r"]);
	log.entries(
		line(
			[3, 4, 5, 6].flatMap((n) => fetched(n, 21_000)),
			"r2",
		),
		300,
	);
	expect(tokensAt(log, "r6")).toBeLessThan(35_000);
	const next = decide(log, "r6", commitNow(log.states, request("r6")));
	expect(planAt(log.states, next)).toMatchObject({ emergency: false, clips: new Map() });
});

test("what an emergency clipped is weighed as it was edited since, and clipped no more", () => {
	const log = given([fact("u", "user", 30), ...fetched(1, 9_000), call("a", "x"), result("r", "x", 900_000)]);
	const node = tighten(log, "r") ?? "";
	expect(clipsAt(log, node)).toEqual(["r"]);
	const edit = fact("e", undefined, 1_500, { kind: "contextEdit", target: "r" });
	log.entries(line([edit, ...fetched(2, 21_000)], node), 300);
	expect(clippableBehind(log.states, "r2", undefined)).toEqual([]);
	const again = candidateThrough(log.states, "r2", 1);
	if (!again) throw new TypeError("the first cut is not there");
	const quote = quoteFor(log.states, "r2", planAt(log.states, "r2"), again);
	expect(quote.before).toBe(tokensAt(log, "r2"));
	expect(quote.before - quote.after).toBeCloseTo(RECEIPT_CHARS / 3, 5);
});

test("a commit is no emergency for what it tried to clip and could not make shorter", () => {
	const log = given([fact("u", "user", 30), ...fetched(1, 9_000), ...fetched(2, 9_000)]);
	const candidate = candidateThrough(log.states, "r2", 1);
	const large = nodeOf(log.states.tree, "r2");
	if (!candidate || !large) throw new TypeError("nothing to commit");
	const made = (clip: () => TextInView | undefined) =>
		applied(commitTo(log.states, { ...request("r2"), clip }, undefined, candidate, "overflow", [large]))[0];
	expect(made(() => undefined)?.emergency).toBe(undefined);
	expect(made(() => ({ text: "clip", chars: 600 }))?.emergency).toBe(true);
});

test("an opened fold closes again where the window was refused", () => {
	const log = given([fact("u", "user", 30), ...[1, 2, 3].flatMap((n) => fetched(n, 45_000))]);
	const folded = decide(log, "r3", commitNow(log.states, request("r3")));
	const plan = planAt(log.states, folded);
	const opened = {
		type: "fold/expanded" as const,
		data: {
			id: "e1",
			parent: folded,
			on: plan?.position ?? null,
			window: "w",
			fold: "f1-r1",
			request: 0,
			fixed: { chars: 46_000, images: 0 },
			quote: applied(
				commitNow(
					given([fact("u", "user", 30), ...fetched(1, 90_000)], { floorTokens: 0 }).states,
					request("r1"),
				),
			)[0]?.quote,
		},
	};
	const open = decide(log, folded, [opened as DomainEvent]);
	expect(planAt(log.states, open)?.expanded.size).toBe(1);
	expect(planAt(log.states, tighten(log, open) ?? "")?.expanded.size).toBe(0);
});

const LIMIT = { requestBytes: 10_000_000 };

/** Twelve screenshots of a megabyte each, the last two not answered yet. */
function screenshots(settings = {}): Given {
	const shots = Array.from({ length: 10 }, (_, n) => [call(`a${n}`, `x${n}`), pictured(`r${n}`, `x${n}`, 1)]);
	const last = [call("b", "y", "z"), pictured("ry", "y", 1), pictured("rz", "z", 1)];
	const facts = line([fact("u", "user", 30), ...shots.flat(), ...last]);
	return new Given({ minFoldChars: 100_000, ...settings }).valuation(LIMIT).entries(facts);
}

test("images of more bytes than the provider takes force a commit before they are sent, those not seen yet left", () => {
	const log = screenshots();
	const events = commitIfDue(log.states, request("rz"));
	expect(applied(events)).toMatchObject([{ trigger: "budget", emergency: true }]);
	const clipped = events.flatMap((event) => (event.type === "fold/clipped" ? [event.data.entry] : []));
	expect(clipped.length).toBeGreaterThanOrEqual(7);
	expect(clipped).not.toContain("ry");
	expect(clipped).not.toContain("rz");
	expect(windowFits(log.states, request("rz"), true)).toBe(true);
	expect(commitIfDue(log.states, request("r4"))).toEqual([]);
});

test("no bytes force anything in a session that is off or paused, and its window does not fit then", () => {
	for (const mode of ["pause", "off"] as const) {
		const log = screenshots().event({ type: "engine/suspended", data: { mode, why: "the user" } });
		expect(commitIfDue(log.states, request("rz"))).toEqual([]);
		expect(windowFits(log.states, request("rz"), true)).toBe(false);
	}
	const off = screenshots({ policy: "off" });
	expect(commitIfDue(off.states, request("rz"))).toEqual([]);
	expect(windowFits(screenshots().states, request("rz"), false)).toBe(false);
});

test("a request refused for its bytes loses images, however few tokens it has, and again", () => {
	const log = screenshots();
	const node = tighten(log, "rz", "bytes") ?? "";
	const first = clipsAt(log, node).length;
	expect(first).toBeGreaterThanOrEqual(6);
	expect(clipsAt(log, tighten(log, node, "bytes") ?? "").length).toBeGreaterThan(first);
});

test("a window fits, too, where a commit over a refusal would make it fit, and not where even that would not", () => {
	const huge = (chars: number) => {
		const facts = line([fact("u", "user", 30_000), call("a", "x"), result("r", "x", chars)]);
		return new Given({ minFoldChars: 1_000 }).valuation({ window: 60_000 }).entries(facts);
	};
	const log = huge(400_000);
	expect(commitIfDue(log.states, request("r"))).toEqual([]);
	expect(windowFits(log.states, request("r"), true)).toBe(true);
	expect(windowFits(log.states, request("r"), false)).toBe(false);
	const prompt = new Given({ minFoldChars: 1_000 })
		.valuation({ window: 60_000 })
		.entries(line([fact("u", "user", 400_000)]));
	expect(windowFits(prompt.states, request("u"), true)).toBe(false);
});
