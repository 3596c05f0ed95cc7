import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readSettingsFile, writeSettingsFile } from "../../src/adapters/pi/settings-file.ts";

const root = mkdtempSync(join(tmpdir(), "palimpsest-settings-"));
let count = 0;
let home = "";
let path = "";

beforeEach(() => {
	home = join(root, `home-${++count}`);
	path = join(home, "settings.json");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Puts a text where the settings file lies. */
function lay(text: string): void {
	mkdirSync(home, { recursive: true });
	writeFileSync(path, text);
}

const written = () => JSON.parse(readFileSync(path, "utf8"));

test("what was chosen comes back, and nothing else is written", () => {
	const choices = {
		policy: "longer-memory",
		providerInputBudget: 120_000,
		toolFoldThreshold: 0,
		postFoldNotice: false,
		blacklistAutoFoldTools: new Set(["read", "bash"]),
	} as const;
	writeSettingsFile(path, choices, false);
	expect(written()).toEqual({ ...choices, blacklistAutoFoldTools: ["read", "bash"] });
	expect(readSettingsFile(path)).toEqual({ choices });
	writeSettingsFile(path, {}, false);
	expect(written()).toEqual({});
	expect(readdirSync(home)).toEqual(["settings.json"]);
});

test("one threshold is written alone: the others follow the defaults", () => {
	writeSettingsFile(path, { minTarget: 0.3 }, false);
	expect(written()).toEqual({ thresholds: { minTarget: 0.3 } });
	expect(readSettingsFile(path)).toEqual({ choices: { minTarget: 0.3 } });
});

test("a file that lacks thresholds is followed in those it has", () => {
	lay('\uFEFF{"thresholds": {"maxTarget": 0.5}, "toolFoldThreshold": 0.25}');
	expect(readSettingsFile(path)).toEqual({ choices: { maxTarget: 0.5, toolFoldThreshold: 0.25 } });
	lay('{"thresholds": {"maxTarget": 0.15}}');
	expect(readSettingsFile(path)).toEqual({
		choices: {},
		refused: "minTarget, 0.2, must be below maxTarget, 0.15",
	});
});

test.each<[text: string, reason: RegExp]>([
	["", /JSON/],
	['{"policy": "balanced"', /JSON/],
	["[]", /the file must be an object/],
	["null", /the file must be an object/],
	["3", /the file must be an object/],
	['{"polcy": "balanced"}', /^polcy is not known; there are thresholds, policy,/],
	['{"__proto__": {}}', /^__proto__ is not known/],
	['{"freshTail": 0.02}', /^freshTail is gone/],
	['{"policy": "cheap"}', /^policy must be one of lower-cost, balanced, longer-memory, economic/],
	['{"thresholds": {"maxTarget": 80}}', /^thresholds\.maxTarget must be a share/],
	['{"thresholds": {"maxTarget": null}}', /^thresholds\.maxTarget must be a share/],
	['{"blacklistAutoFoldTools": [3]}', /^blacklistAutoFoldTools must be names/],
	['{"blacklistAutoFoldTools": {}}', /^blacklistAutoFoldTools must be names/],
	['{"providerInputBudget": 1e999}', /^providerInputBudget must be a whole number/],
	[`{"policy": "${"x".repeat(70_000)}"}`, /no settings file/],
])("a file that holds %.40s is passed over with a reason", (text, reason) => {
	lay(text);
	const { choices, refused } = readSettingsFile(path);
	expect(choices).toEqual({});
	expect(refused).toMatch(reason);
});

test("a reason is one line without control characters, whatever the file holds", () => {
	for (const text of ['{\n\t"policy": \n\u001b[31m}', JSON.stringify({ "a\n\u001b[2Jb": 1 })]) {
		lay(text);
		expect(readSettingsFile(path).refused).toMatch(/^\P{Cc}+$/u);
	}
});

test("whatever lies there, reading does not throw", () => {
	expect(readSettingsFile(path)).toEqual({ choices: {} });
	expect(readSettingsFile(join(path, "deeper"))).toEqual({ choices: {} });
	mkdirSync(path, { recursive: true });
	expect(readSettingsFile(path)).toEqual({ choices: {}, refused: "it is no settings file" });
	rmSync(path, { recursive: true });
	fc.assert(
		fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
			lay(text);
			const { choices, refused } = readSettingsFile(path);
			if (refused !== undefined) expect(choices).toEqual({});
		}),
		{ numRuns: 50 },
	);
});

test("only its owner may read the file, and a link to another place stays one", () => {
	mkdirSync(join(home, "dotfiles"), { recursive: true });
	const kept = join(home, "dotfiles", "fold.json");
	writeFileSync(kept, "{}", { mode: 0o600 });
	symlinkSync(kept, path);
	writeSettingsFile(path, { policy: "balanced" }, false);
	expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({ policy: "balanced" });
	expect(readdirSync(home).sort()).toEqual(["dotfiles", "settings.json"]);
	expect(readdirSync(join(home, "dotfiles"))).toEqual(["fold.json"]);
	if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that is to be kept stands beside the new one", () => {
	lay("{ broken");
	writeSettingsFile(path, { policy: "balanced" }, true);
	expect(readFileSync(`${path}.refused`, "utf8")).toBe("{ broken");
	expect(written()).toEqual({ policy: "balanced" });
});

test("what cannot be written throws and leaves nothing behind", () => {
	mkdirSync(path, { recursive: true });
	expect(() => writeSettingsFile(path, { policy: "balanced" }, false)).toThrow();
	expect(readdirSync(home)).toEqual(["settings.json"]);
});
