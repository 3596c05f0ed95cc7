import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test, vi } from "vitest";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { registerSettingsCommand } from "../../src/adapters/pi/settings-command.ts";
import { SettingsInForce } from "../../src/adapters/pi/settings-in-force.ts";
import { SettingsScreen } from "../../src/adapters/pi/settings-screen.ts";
import { CHECKOUT, Program } from "./program.ts";
import { BILLED, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold } from "./shared.ts";

type Command = Parameters<ExtensionAPI["registerCommand"]>[1];

/** The command as a host gets it, and the choices behind it. */
function command(sandbox: Sandbox): { settings: SettingsInForce; command: Command } {
	const settings = new SettingsInForce({}, () => join(sandbox.home, "settings.json"));
	let registered: Command | undefined;
	const pi = {
		on: () => {},
		registerCommand: (_name: string, given: Command) => {
			registered = given;
		},
	};
	registerSettingsCommand(pi as unknown as ExtensionAPI, settings);
	if (!registered) throw new Error("no command was registered");
	return { settings, command: registered };
}

test("a choice made in a running session is in force from its next request on, and in the next session", async () => {
	await using sandbox = new Sandbox();
	const options = { models: BILLED, engine: (pi: ExtensionAPI) => registerPalimpsest(pi) };
	const host = await sandbox.create(options);
	await host.session.prompt("/fold-settings policy off");
	for (let turn = 0; turn < 10; turn++) await host.work(`topic-${turn}`, 3, 4_000);
	expect(host.requests.some((sent) => sent.some(isFold))).toBe(false);
	await host.session.prompt("/fold-settings policy band");
	expect(host.said.at(-1)).toBe("Palimpsest: policy band; in force from the next request on");
	expect((await host.ask("and now?")).some(isFold)).toBe(true);
	await host.session.prompt("/fold-settings maxTarget 90%");
	await host.ask("and then?");
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const rules = events.filter(({ type }) => type === "session/settingsChanged").map(({ data }) => data);
	expect(rules.map(({ policy, maxTarget }) => [policy, maxTarget])).toEqual([
		["off", 0.8],
		["band", 0.8],
		["band", 0.9],
	]);
	const commits = events.filter(({ type }) => type === "commit/applied");
	expect(commits).toHaveLength(1);

	const next = await sandbox.create(options);
	await next.session.prompt("/fold-settings policy");
	expect(next.said.at(-1)).toMatch(/^Palimpsest: policy band\. Folds only when the window is full/);
});

test("what the embedding program fixed is told of as that, and stays", async () => {
	await using sandbox = new Sandbox();
	const fixed = { policy: "calm", providerInputBudget: 20_000 } as const;
	const host = await sandbox.create({ models: BILLED, engine: (pi) => registerPalimpsest(pi, fixed) });
	await host.session.prompt("/fold-settings policy off");
	expect(host.said.at(-1)).toBe("Palimpsest: policy is fixed by the program that runs Palimpsest");
	await host.session.prompt("/fold-settings");
	expect(host.said.at(-1)).toContain("  policy calm (fixed by the host)\n");
	expect(host.said.at(-1)).toContain("  providerInputBudget set · 20,000 tokens (fixed by the host)\n");
	await host.ask("hello");
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	expect(events.find(({ type }) => type === "session/settingsChanged")?.data).toMatchObject({
		policy: "calm",
		inputBudget: 20_000,
	});
	expect(existsSync(join(sandbox.home, "settings.json"))).toBe(false);
});

test("a broken settings file is said once at the start, and the session folds by the defaults", async () => {
	await using sandbox = new Sandbox();
	mkdirSync(sandbox.home);
	writeFileSync(join(sandbox.home, "settings.json"), '{"policy": "off",');
	const host = await sandbox.create({ models: BILLED, engine: (pi) => registerPalimpsest(pi) });
	expect(host.said).toEqual([expect.stringMatching(/^Palimpsest: .*settings\.json is not followed: .*JSON/)]);
	await host.ask("hello");
	await host.session.prompt("/fold-settings");
	expect(host.said.at(-1)).toMatch(/\n {2}policy lower cost\n.*\nThe settings file is not followed: /s);
	expect(host.said).toHaveLength(2);
	await host.session.prompt("/fold-settings policy much");
	expect(host.said.at(-1)).not.toContain("kept as");
	await host.session.prompt("/fold-settings policy band");
	expect(host.said.at(-1)).toMatch(
		/^Palimpsest: policy band; in force .*\. The settings file that was there could not be followed, and is kept as (.*settings\.json\.refused): .*JSON/,
	);
	expect(host.said.at(-1)).toContain(join(sandbox.home, "settings.json.refused"));
	expect(readFileSync(join(sandbox.home, "settings.json.refused"), "utf8")).toBe('{"policy": "off",');
	await host.session.prompt("/fold-settings policy off");
	expect(host.said.at(-1)).toBe("Palimpsest: policy off; in force from the next request on");
	expect(host.errors).toEqual([]);
});

test("the host's own program starts over a broken file, tells of it, and keeps what is chosen then", async () => {
	using pi = new Program();
	const home = join(pi.agent, "palimpsest");
	mkdirSync(home, { recursive: true });
	writeFileSync(join(home, "settings.json"), '{"polcy": "off"}');
	const choice = "/fold-settings policy longer memory";
	const first = await pi.run(["-e", CHECKOUT, ...pi.answered, "-p", "hello", choice]);
	expect(first.code).toBe(0);
	expect(first.stderr).toMatch(/^Palimpsest: .*settings\.json is not followed: polcy is not known/);
	expect(first.stderr).toMatch(
		/\nPalimpsest: policy longer memory; in force from the next request on\. The settings file .* is kept as .*settings\.json\.refused: polcy is not known.*\n$/,
	);
	expect(readdirSync(home).sort()).toEqual(["sessions", "settings.json", "settings.json.refused"]);
	const second = await pi.run(["-e", CHECKOUT, ...pi.answered, "-p", "/fold-settings policy"]);
	expect(second).toMatchObject({
		code: 0,
		stderr: expect.stringMatching(/^Palimpsest: policy longer memory\./),
	});
});

test("what cannot be meant is answered with what could be", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ engine: (pi) => registerPalimpsest(pi) });
	const answers = async (text: string) => {
		await host.session.prompt(`/fold-settings ${text}`);
		return host.said.at(-1);
	};
	expect(await answers("speed 3")).toMatch(/no setting is called speed; there are policy, maxTarget/);
	expect(await answers("maxTarget much")).toBe("Palimpsest: maxTarget takes 80 %; not much");
	expect(await answers("policy cheap")).toMatch(/policy must be one of lower-cost, balanced/);
	expect(await answers("MINTARGET 85")).toMatch(/minTarget, 0.85, must be below maxTarget, 0.8/);
	expect(existsSync(join(sandbox.home, "settings.json"))).toBe(false);
	expect(await answers("policy longer memory")).toMatch(/policy longer memory; in force/);
	expect(await answers("policy default")).toMatch(/policy lower cost; in force/);
});

test("arguments are completed with keys, and then with the values that can be chosen", async () => {
	await using sandbox = new Sandbox();
	const { settings, command: registered } = command(sandbox);
	const completed = async (prefix: string) =>
		((await registered.getArgumentCompletions?.(prefix)) ?? []).map(({ value }) => value);
	expect(await completed("")).toHaveLength(9);
	expect(await completed("m")).toEqual(["maxTarget ", "minTarget ", "minFoldChars "]);
	expect(await completed("policy b")).toEqual(["policy balanced", "policy band"]);
	expect(await completed("postFoldNotice ")).toEqual([
		"postFoldNotice off",
		"postFoldNotice on",
		"postFoldNotice default",
	]);
	settings.choose("maxTarget", 0.4);
	expect((await completed("minTarget ")).slice(-2)).toEqual(["minTarget 35%", "minTarget default"]);
	// what is a value already is not made another by Enter
	expect(await completed("minTarget 4")).toEqual([]);
	expect(await completed("consolidateAfter 1")).toEqual([]);
	expect(await completed("nothing ")).toEqual([]);
});

test("without a key the terminal shows the screen, with the host's theme and keys", async () => {
	await using sandbox = new Sandbox();
	const { settings, command: registered } = command(sandbox);
	const requestRender = vi.fn();
	const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
	const keybindings = {
		matches: (data: string, key: string) =>
			({ r: "tui.editor.cursorRight", q: "tui.select.cancel" })[data] === key,
		getKeys: () => ["x"],
	};
	const custom = async (factory: (...args: unknown[]) => SettingsScreen) =>
		new Promise<void>((done) => {
			const screen = factory({ requestRender }, theme, keybindings, done);
			expect(screen).toBeInstanceOf(SettingsScreen);
			screen.handleInput("r");
			screen.handleInput("q");
		});
	await registered.handler("", { mode: "tui", ui: { custom } } as never);
	expect(settings.choices.policy).toBe("balanced");
	expect(requestRender).toHaveBeenCalled();
});
