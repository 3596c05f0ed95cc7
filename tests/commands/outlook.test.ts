import { expect, test } from "vitest";
import type { Settings } from "../../projections/rules.ts";
import { prospectAt } from "../../src/commands/commit.ts";
import { type Outlook, outlookAt } from "../../src/commands/outlook.ts";
import { fact, Given, line } from "./given.ts";

const MODEL = "test/model";

/** A session with so many closed cuts of 7,000 tokens each before a raw tail, and a window sent just now. */
function session(
	policy: Settings["policy"],
	cuts: number,
	tail = 3_000,
	more: Partial<Settings> = {},
): Given {
	const given = new Given({ policy, minFoldChars: 21_000, floorTokens: 1_000, ...more }).valuation();
	const turns = Array.from({ length: cuts }, (_, n) => fact(`u${n}`, "user", 21_000));
	return given.entries(line([...turns, fact("last", "user", tail * 3)])).sent(0, MODEL);
}

function waits(policy: Settings["policy"], cuts: number, at = 1_000): Outlook {
	return outlookAt(session(policy, cuts).states, { at, leaf: "last", model: MODEL });
}

test("a commit that frees too little waits until more is foldable", () => {
	expect(waits("economic", 0)).toEqual({ waits: "foldable", freed: 0, least: 8_000 });
	expect(waits("economic", 1)).toMatchObject({ waits: "foldable" });
});

test("under economic it says after how many requests a commit pays, and these many it takes", () => {
	const given = session("economic", 3, 30_000);
	const request = { at: 1_000, leaf: "last", model: MODEL };
	const ask = () => outlookAt(given.states, request);
	const first = ask();
	if (first.waits !== "pays") throw new TypeError(first.waits);
	expect(first.requests).toBeGreaterThan(5);
	for (let left = first.requests; left > 0; left--) {
		expect(ask()).toEqual({ waits: "pays", requests: left });
		given.sent(0, MODEL, { holding: prospectAt(given.states, request)?.quote.saves ?? 0 });
	}
	expect(ask()).toEqual({ waits: "request", trigger: "economic" });
});

test("a cold cache brings it with the next request, and is what calm waits for", () => {
	expect(waits("calm", 3)).toEqual({ waits: "cold" });
	expect(waits("calm", 3, 400_000)).toEqual({ waits: "request", trigger: "cold" });
	expect(waits("economic", 3, 400_000)).toEqual({ waits: "request", trigger: "cold" });
});

test("band waits for a full window; off, a pause and watching for nothing", () => {
	expect(waits("band", 3)).toEqual({ waits: "full" });
	expect(waits("band", 11)).toEqual({ waits: "request", trigger: "budget" });
	expect(waits("off", 11)).toEqual({ waits: "off" });
	const paused = session("band", 11).event({ type: "engine/suspended", data: { mode: "pause", why: "" } });
	const request = { at: 0, leaf: "last", model: MODEL };
	expect(outlookAt(paused.states, request)).toEqual({ waits: "off" });
	expect(outlookAt(session("band", 11, 3_000, { observe: true }).states, request)).toEqual({ waits: "off" });
});
