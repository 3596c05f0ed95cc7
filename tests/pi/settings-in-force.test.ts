import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { CHOICE_KEYS, type Choices } from "../../src/adapters/pi/choices.ts";
import { nextStep, ROWS } from "../../src/adapters/pi/setting-rows.ts";
import { explanation, shownOf, valueText } from "../../src/adapters/pi/setting-texts.ts";
import { type ModelInUse, SettingsInForce } from "../../src/adapters/pi/settings-in-force.ts";

const root = mkdtempSync(join(tmpdir(), "palimpsest-in-force-"));
const path = join(root, "settings.json");
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => rmSync(path, { force: true }));

const settings = (fixed: Choices = {}) => new SettingsInForce(fixed, () => path);
const model = (cost = 3): ModelInUse =>
	({
		provider: "p",
		id: "m",
		api: "anthropic-messages",
		contextWindow: 200_000,
		cost: { input: cost, output: cost * 5, cacheRead: cost / 10, cacheWrite: cost },
	}) as ModelInUse;

test("without a choice the engine's defaults stand, and a model without a price is folded calmly", () => {
	expect(settings().engine(model())).toEqual(DEFAULT_SETTINGS);
	expect(settings().engine(undefined)).toEqual(DEFAULT_SETTINGS);
	expect(settings().engine(model(0))).toEqual({ ...DEFAULT_SETTINGS, policy: "calm" });
	expect(settings({ policy: "economic" }).engine(model(0)).policy).toBe("economic");
});

test("the user's words are a floor, and when to commit follows from the price", () => {
	const chosen = settings();
	expect(chosen.choose("policy", "balanced")).toBeUndefined();
	expect(chosen.engine(model())).toEqual({ ...DEFAULT_SETTINGS, floorFactor: 1.5 });
	chosen.choose("policy", "longer-memory");
	expect(chosen.engine(model(0))).toEqual({ ...DEFAULT_SETTINGS, policy: "calm", floorFactor: 2.5 });
	chosen.choose("policy", "band");
	expect(chosen.engine(model())).toEqual({ ...DEFAULT_SETTINGS, policy: "band" });
});

test("what the host fixed wins over the file, that over the defaults", () => {
	writeFileSync(path, '{"thresholds": {"minTarget": 0.3}, "providerInputBudget": 50000, "policy": "off"}');
	const mixed = settings({ providerInputBudget: 90_000 });
	expect(mixed.engine(model())).toEqual({
		...DEFAULT_SETTINGS,
		policy: "off",
		minTarget: 0.3,
		inputBudget: 90_000,
	});
	expect(CHOICE_KEYS.filter((key) => mixed.isFixed(key))).toEqual(["providerInputBudget"]);
});

test("a choice that is fixed, out of its range or against another is not made", () => {
	const fixed = settings({ toolFoldThreshold: 0 });
	expect(fixed.choose("toolFoldThreshold", 0.5)).toMatch(/fixed by the program/);
	expect(fixed.choose("toolFoldThreshold", undefined)).toMatch(/fixed by the program/);
	expect(fixed.choose("consolidateAfter", 1)).toMatch(/must be a whole number from 2/);
	expect(fixed.choose("minTarget", 0.8)).toMatch(/must be below/);
	expect(fixed.choose("maxTarget", 0.2)).toMatch(/must be below/);
	expect(existsSync(path)).toBe(false);
});

test("taking a threshold back is refused where its default would not do beside the others", () => {
	const chosen = settings();
	chosen.choose("maxTarget", 0.9);
	chosen.choose("minTarget", 0.85);
	expect(chosen.choose("maxTarget", undefined)).toMatch(/must be below/);
	expect(chosen.choose("minTarget", undefined)).toBeUndefined();
	expect(chosen.choices).toMatchObject({ maxTarget: 0.9, minTarget: 0.2 });
});

test("one threshold taken back leaves none of the others pinned", () => {
	const chosen = settings();
	chosen.choose("minTarget", 0.3);
	chosen.choose("minTarget", undefined);
	expect(readFileSync(path, "utf8")).toBe("{}\n");
	chosen.choose("minTarget", 0.3);
	chosen.choose("maxTarget", 0.9);
	chosen.choose("minTarget", undefined);
	expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ thresholds: { maxTarget: 0.9 } });
});

test("a choice leaves those another process made meanwhile as they are", () => {
	const mine = settings();
	const theirs = settings();
	expect(mine.choices.policy).toBe("lower-cost");
	theirs.choose("policy", "balanced");
	mine.choose("postFoldNotice", true);
	expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ policy: "balanced", postFoldNotice: true });
	mine.choose("policy", undefined);
	expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ postFoldNotice: true });
});

test("a file that cannot be followed is passed over, told of, and put aside by the next choice", () => {
	writeFileSync(path, '{"policy": "off", "speed": 3}');
	const broken = settings();
	expect(broken.refused).toMatch(/^speed is not known/);
	expect(broken.engine(model())).toEqual(DEFAULT_SETTINGS);
	expect(broken.choose("policy", "balanced")).toBeUndefined();
	expect(broken.refused).toBeUndefined();
	expect(readFileSync(`${path}.refused`, "utf8")).toBe('{"policy": "off", "speed": 3}');
});

test("a file that contradicts what the host fixed is passed over", () => {
	writeFileSync(path, '{"thresholds": {"minFoldChars": 32000}}');
	const mixed = settings({ providerInputBudget: 10_000 });
	expect(mixed.refused).toMatch(/^beside what is fixed: minFoldChars, 32000, is about 8000 tokens/);
	expect(mixed.choices.minFoldChars).toBe(8_000);
	expect(mixed.choices.providerInputBudget).toBe(10_000);
});

test("a choice that cannot be saved is not made", () => {
	const nowhere = new SettingsInForce({}, () => join(path, "settings.json"));
	writeFileSync(path, "{}");
	expect(nowhere.choose("policy", "balanced")).toMatch(/^it could not be saved/);
	expect(nowhere.choices.policy).toBe("lower-cost");
});

test("every step can be chosen, and steps end where the next would not do", () => {
	for (const key of CHOICE_KEYS) {
		rmSync(path, { force: true });
		const stepped = settings();
		for (const direction of [1, -1] as const) {
			const seen: unknown[] = [];
			for (let step = nextStep(stepped, key, direction); step; step = nextStep(stepped, key, direction)) {
				expect(stepped.choose(key, step.value)).toBeUndefined();
				expect(seen).not.toContain(step.value);
				seen.push(step.value);
			}
			expect(seen.length).toBeLessThanOrEqual(ROWS[key].steps.length);
		}
	}
	const targets = settings();
	targets.choose("maxTarget", 0.4);
	targets.choose("minTarget", 0.35);
	expect(nextStep(targets, "minTarget", 1)).toBeUndefined();
	expect(nextStep(targets, "maxTarget", -1)).toBeUndefined();
	expect(nextStep(targets, "maxTarget", 1)).toEqual({ value: 0.45 });
});

test("from a value between two steps the next one is stepped to", () => {
	const between = settings();
	between.choose("maxTarget", 0.62);
	expect(nextStep(between, "maxTarget", 1)).toEqual({ value: 0.65 });
	expect(nextStep(between, "maxTarget", -1)).toEqual({ value: 0.6 });
	between.choose("providerInputBudget", 50_000);
	expect(nextStep(between, "providerInputBudget", -1)).toEqual({ value: undefined });
});

test.each([
	["maxTarget", "80", 0.8],
	["maxTarget", " 80 % ", 0.8],
	["maxTarget", "0.8", 0.8],
	["maxTarget", ".8", 0.8],
	["maxTarget", "12.5%", 0.125],
	["maxTarget", "a lot", undefined],
	["toolFoldThreshold", "off", 0],
	["minFoldChars", "8,000", 8_000],
	["minFoldChars", "8k", 8_000],
	["minFoldChars", "2.5k characters", 2_500],
	["minFoldChars", "-3", undefined],
	["providerInputBudget", "180_000 tokens", 180_000],
	["postFoldNotice", "On", true],
	["postFoldNotice", "no", false],
	["postFoldNotice", "maybe", undefined],
	["policy", "Longer  Memory", "longer-memory"],
	["blacklistAutoFoldTools", "read, bash", new Set(["read", "bash"])],
	["blacklistAutoFoldTools", "none", new Set()],
] as const)("%s understands “%s”", (key, text, value) => {
	expect(ROWS[key].parse(text)).toEqual(value);
});

test("shares are told with the tokens they come to, where a model gives a budget", () => {
	const chosen = settings();
	expect(valueText("maxTarget", shownOf(chosen, model()))).toBe("80 % · 146,892 tokens");
	expect(valueText("minTarget", shownOf(chosen, model()))).toBe("20 % · 36,723 tokens");
	expect(valueText("maxTarget", shownOf(chosen, undefined))).toBe("80 %");
	chosen.choose("policy", "balanced");
	expect(valueText("minTarget", shownOf(chosen, model()))).toBe("20 %, raised to 55,084 tokens");
	expect(explanation("minTarget", shownOf(chosen, model()))).toBe(
		"A commit leaves about 55,084 tokens raw. The policy raised it from 36,723.",
	);
	expect(explanation("policy", shownOf(chosen, model()))).toMatch(/55,084 tokens raw, 1.5 × what lower cost/);
	expect(explanation("policy", shownOf(chosen, model(0)))).toMatch(
		/cold anyway, .* \(this model has no price\)/,
	);
	chosen.choose("minTarget", 0.6);
	chosen.choose("policy", "lower-cost");
	expect(explanation("minTarget", shownOf(chosen, model()))).toMatch(
		/about 54,400 .* the whole share, 110,169/,
	);
	expect(valueText("minTarget", shownOf(chosen, model()))).toBe("60 %, held to 54,400 tokens");
	chosen.choose("minTarget", 0.2);
	chosen.choose("providerInputBudget", 12_000);
	expect(valueText("minTarget", shownOf(chosen, model()))).toBe("20 %, raised to 6,000 tokens");
	expect(explanation("minTarget", shownOf(chosen, model()))).toBe(
		"A commit leaves about 6,000 tokens raw; the share alone, 2,400, is too few, and half of so small a budget is left.",
	);
	chosen.choose("providerInputBudget", 40_000);
	expect(explanation("minTarget", shownOf(chosen, model()))).toBe(
		"A commit leaves about 16,000 tokens raw; the share alone, 8,000, is too few.",
	);
	chosen.choose("providerInputBudget", 300_000);
	expect(explanation("providerInputBudget", shownOf(chosen, model()))).toMatch(
		/more than the 200,000 that m takes/,
	);
	for (const key of CHOICE_KEYS)
		for (const using of [model(), model(0), undefined])
			expect(explanation(key, shownOf(chosen, using))).not.toMatch(/undefined|NaN/);
});
