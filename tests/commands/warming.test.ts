import { expect, test } from "vitest";
import type { Valuation } from "../../events/valuation.ts";
import type { Settings } from "../../projections/rules.ts";
import { letsCacheGo } from "../../src/commands/warming.ts";
import { fact, Given, line } from "./given.ts";

const request = { at: 270_000, leaf: "last", model: "test/model" };

/** A session of so many cuts of 8,000 tokens each, of which 1,000 tokens stay raw. */
function session(cuts: number, settings: Partial<Settings> = {}, prices: Partial<Valuation> = {}): Given {
	const given = new Given({ minFoldChars: 24_000, floorTokens: 1_000, ...settings }).valuation(prices);
	const turns = Array.from({ length: cuts }, (_, n) => fact(`u${n}`, "user", 24_000));
	return given.entries(line([...turns, fact("last", "user", 3_000)])).sent(0, "test/model");
}

/** What reading that window costs, dollars, and the host's chance that an idle user comes back in time. */
const idle = (cuts: number) => ({ cost: (8_000 * cuts + 1_000) / 1e6, probability: 0.15 });

test("where nothing is foldable the host decides", () => {
	expect(letsCacheGo(session(0).states, request, idle(9))).toBe(false);
	expect(letsCacheGo(session(0).states, { ...request, owed: "cold" }, idle(9))).toBe(false);
});

test("where a commit is due with the next request the cache it rewrites is let go", () => {
	const full = session(11, { policy: "band" });
	expect(letsCacheGo(full.states, request, idle(11))).toBe(true);
	expect(letsCacheGo(session(5, { policy: "band" }).states, request, idle(5))).toBe(false);
});

test("where a commit would be free of a cold cache, that is weighed against what warming costs", () => {
	const calm = session(8, { policy: "calm" });
	expect(letsCacheGo(calm.states, request, idle(8))).toBe(true);
	const dear = session(8, { policy: "calm" }, { write: 500 });
	expect(letsCacheGo(dear.states, request, idle(8))).toBe(false);
	expect(letsCacheGo(calm.states, request, { ...idle(8), cost: 0 })).toBe(true);
	const sure = { cost: 0.001, probability: 1 };
	expect(letsCacheGo(session(8, { policy: "calm", floorTokens: 50_000 }).states, request, sure)).toBe(false);
});

test("a model without prices is left to the host, and so are sessions in which no commit comes by itself", () => {
	expect(letsCacheGo(session(11, { policy: "band" }, { unit: "token" }).states, request, idle(11))).toBe(
		false,
	);
	expect(letsCacheGo(session(11, { policy: "off" }).states, request, idle(11))).toBe(false);
	expect(letsCacheGo(session(11, { observe: true }).states, request, idle(11))).toBe(false);
	const paused = session(11).event({ type: "engine/suspended", data: { mode: "pause", why: "" } });
	expect(letsCacheGo(paused.states, request, idle(11))).toBe(false);
});
