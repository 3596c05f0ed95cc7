import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkedOptions, OPTION_NAMES } from "../../src/adapters/pi/options.ts";
import { OptionsError } from "../../src/adapters/pi/options-error.ts";
import { registerPalimpsest, registerPiFold } from "../../src/index.ts";

const THRESHOLDS = { maxTarget: 0.8, minTarget: 0.2, consolidateAfter: 10, minFoldChars: 8_000 };

/** What registering with some options throws, and what it asked the host for before that. */
function refused(options: unknown): { error: OptionsError; asked: string[] } {
	const asked: string[] = [];
	const pi = new Proxy({} as ExtensionAPI, {
		get: (_, name) => {
			asked.push(String(name));
			return () => {};
		},
	});
	try {
		registerPalimpsest(pi, options as never);
	} catch (error) {
		if (error instanceof OptionsError) return { error, asked };
		throw error;
	}
	throw new Error(`nothing was refused of ${JSON.stringify(options)}`);
}

test.each<[code: string, option: string, options: unknown]>([
	["OPTION_INVALID", "options", null],
	["OPTION_INVALID", "options", ["policy"]],
	["OPTION_INVALID", "options", "calm"],
	["OPTION_UNKNOWN", "colour", { colour: "red" }],
	["OPTION_UNKNOWN", "maxTarget", { maxTarget: 0.8 }],
	["OPTION_UNKNOWN", "settings", { settings: {} }],
	["OPTION_UNKNOWN", "__proto__", JSON.parse('{"__proto__": 1}')],
	["OPTION_RETIRED", "guidance", { guidance: {} }],
	["OPTION_RETIRED", "readOnlyTools", { readOnlyTools: new Set() }],
	["OPTION_RETIRED", "providerTotalWindow", { providerTotalWindow: 200_000 }],
	["OPTION_RETIRED", "thresholds.freshTail", { thresholds: { ...THRESHOLDS, freshTail: 0.02 } }],
	["OPTION_INVALID", "thresholds", { thresholds: 3 }],
	["OPTION_UNKNOWN", "thresholds.target", { thresholds: { ...THRESHOLDS, target: 1 } }],
	["OPTION_INCOMPLETE", "thresholds", { thresholds: { maxTarget: 0.9, minTarget: 0.2 } }],
	["OPTION_INCOMPLETE", "thresholds", { thresholds: {} }],
	["OPTION_INVALID", "thresholds.maxTarget", { thresholds: { ...THRESHOLDS, maxTarget: 1 } }],
	["OPTION_INVALID", "thresholds.maxTarget", { thresholds: { ...THRESHOLDS, maxTarget: Number.NaN } }],
	["OPTION_INVALID", "thresholds.minTarget", { thresholds: { ...THRESHOLDS, minTarget: 0 } }],
	["OPTION_INVALID", "thresholds.minTarget", { thresholds: { ...THRESHOLDS, minTarget: "0.2" } }],
	["OPTION_CONTRADICTORY", "thresholds.minTarget", { thresholds: { ...THRESHOLDS, minTarget: 0.8 } }],
	["OPTION_INVALID", "thresholds.consolidateAfter", { thresholds: { ...THRESHOLDS, consolidateAfter: 1 } }],
	["OPTION_INVALID", "thresholds.consolidateAfter", { thresholds: { ...THRESHOLDS, consolidateAfter: 2.5 } }],
	["OPTION_INVALID", "thresholds.minFoldChars", { thresholds: { ...THRESHOLDS, minFoldChars: 1_999 } }],
	["OPTION_INVALID", "providerInputBudget", { providerInputBudget: 9_999 }],
	["OPTION_INVALID", "providerInputBudget", { providerInputBudget: 2 ** 53 }],
	["OPTION_INVALID", "providerInputBudget", { providerInputBudget: 10_000.5 }],
	[
		"OPTION_CONTRADICTORY",
		"thresholds.minFoldChars",
		{ providerInputBudget: 10_000, thresholds: { ...THRESHOLDS, minFoldChars: 24_001 } },
	],
	["OPTION_INVALID", "blacklistAutoFoldTools", { blacklistAutoFoldTools: ["read"] }],
	["OPTION_INVALID", "blacklistAutoFoldTools", { blacklistAutoFoldTools: new Set(["read", ""]) }],
	["OPTION_INVALID", "blacklistAutoFoldTools", { blacklistAutoFoldTools: new Map([["read", 1]]) }],
	["OPTION_INVALID", "toolFoldThreshold", { toolFoldThreshold: 1 }],
	["OPTION_INVALID", "toolFoldThreshold", { toolFoldThreshold: -0.1 }],
	["OPTION_INVALID", "postFoldNotice", { postFoldNotice: "off" }],
	["OPTION_INVALID", "policy", { policy: "eager" }],
	["OPTION_INVALID", "policy", { policy: "balanced" }],
	["OPTION_INVALID", "policy", { policy: "toString" }],
])("%s names %s, and nothing was asked of the host by then", (code, option, options) => {
	const { error, asked } = refused(options);
	expect(error).toBeInstanceOf(TypeError);
	expect(error).toMatchObject({ code, option });
	expect(error.message).toContain(option.split(".").at(-1));
	expect(asked).toEqual([]);
});

test("a threshold out of its order is never moved to where it would do", () => {
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	fc.assert(
		fc.property(share, share, (maxTarget, minTarget) => {
			const thresholds = { ...THRESHOLDS, maxTarget, minTarget };
			const isInOrder = minTarget > 0 && minTarget < maxTarget && maxTarget < 1;
			if (isInOrder) expect(checkedOptions({ thresholds })).toEqual(thresholds);
			else expect(() => checkedOptions({ thresholds })).toThrow(OptionsError);
		}),
	);
});

test("every option may be given at once, left out, or be undefined", () => {
	const options = {
		thresholds: THRESHOLDS,
		providerInputBudget: 10_000,
		blacklistAutoFoldTools: new Set(["read"]),
		toolFoldThreshold: 0,
		postFoldNotice: true,
		policy: "observe",
	};
	expect(Object.keys(options).sort()).toEqual([...OPTION_NAMES].sort());
	const { thresholds, ...rest } = options;
	expect(checkedOptions(options)).toEqual({ ...thresholds, ...rest });
	expect(checkedOptions(Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined])))).toEqual({});
	expect(checkedOptions(undefined)).toEqual({});
});

test("what the program changes in its options afterwards changes nothing", () => {
	const blacklistAutoFoldTools = new Set(["read"]);
	const choices = checkedOptions({ blacklistAutoFoldTools });
	blacklistAutoFoldTools.add("bash");
	expect(choices.blacklistAutoFoldTools).toEqual(new Set(["read"]));
});

test("it is registered under pi-fold's name too", () => {
	expect(registerPiFold).toBe(registerPalimpsest);
});
