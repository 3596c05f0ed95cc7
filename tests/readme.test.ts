import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, onTestFinished, test } from "vitest";
import { EVENT_ERROR_CODES } from "../events/registry.ts";
import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { PAGE_ERROR_CODES } from "../src/adapters/page/page-error.ts";
import { CHOICE_KEYS, FLOOR_FACTORS, POLICY_OPTIONS } from "../src/adapters/pi/choices.ts";
import { OPTION_NAMES } from "../src/adapters/pi/options.ts";
import { OPTIONS_ERROR_CODES } from "../src/adapters/pi/options-error.ts";
import { registerEngine } from "../src/adapters/pi/register.ts";
import { quarantineReasons } from "../src/adapters/sessions/pi/report.ts";
import { sessionErrorCodes } from "../src/adapters/sessions/pi/session-error.ts";
import { replayErrorCodes } from "../src/adapters/sessions/replay-error.ts";
import { cliErrorCodes } from "../src/cli/cli-error.ts";
import { commandLine } from "../src/cli/main.ts";
import { COMMAND_ERROR_CODES } from "../src/commands/command-error.ts";
import { MEMORY_ERROR_CODES } from "../src/commands/memory/memory-error.ts";
import { RECALL_ERROR_CODES } from "../src/debug/recall/recall-error.ts";
import { KEYRING_ERROR_CODES } from "../src/engine/memory/keyring-error.ts";
import { MEMORY_LOG_ERROR_CODES } from "../src/engine/memory/memory-log.ts";
import { REGISTRY } from "../src/engine/store-journal.ts";
import { BUNDLE_ERROR_CODES } from "../src/store/bundle/bundle-error.ts";
import { STORE_ERROR_CODES } from "../src/store/errors.ts";
import { inside } from "./cli/inside.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README lists every event type", () => {
	for (const { type } of REGISTRY.definitions) expect(readme).toContain(`| \`${type}\` |`);
});

test("the README lists every error code with its meaning", () => {
	const codes = {
		...STORE_ERROR_CODES,
		...BUNDLE_ERROR_CODES,
		...EVENT_ERROR_CODES,
		...KEYRING_ERROR_CODES,
		...MEMORY_LOG_ERROR_CODES,
		...COMMAND_ERROR_CODES,
		...MEMORY_ERROR_CODES,
		...RECALL_ERROR_CODES,
		...sessionErrorCodes,
		...replayErrorCodes,
		...OPTIONS_ERROR_CODES,
		...cliErrorCodes,
		...PAGE_ERROR_CODES,
	};
	for (const code of Object.keys(codes)) expect(readme).toContain(`| \`${code}\` |`);
	for (const reason of Object.keys(quarantineReasons)) expect(readme).toContain(`\`${reason}\``);
});

test("the README lists every command and option", () => {
	for (const command of commandLine().commands) {
		expect(readme).toContain(`\`${command.name()} `);
		for (const sub of command.commands)
			expect(readme).toMatch(new RegExp(`^\\| \`${command.name()} ${sub.name()}[\` ]`, "m"));
		for (const { long } of [command, ...command.commands].flatMap(({ options }) => options))
			if (long !== "--json") expect(readme).toContain(long);
	}
});

test("the README lists every option and setting of the extension, and every policy", () => {
	const [, settings = "", options = ""] = readme.split(/^\| (?:key|option) \| (?:default|is) \|/m).slice(-3);
	for (const key of CHOICE_KEYS) expect(settings).toContain(`\n| \`${key}\` |`);
	for (const name of OPTION_NAMES) expect(options).toContain(`\n| \`${name}\` |`);
	for (const policy of POLICY_OPTIONS) expect(options).toContain(`\`${policy}\``);
	for (const word of Object.keys(FLOOR_FACTORS)) expect(settings).toContain(`\`${word}\``);
});

test("the README lists every command and word of the extension, and every action of its tool", () => {
	const words: string[] = [];
	const tools: string[] = [];
	const actions: string[] = [];
	const host = {
		on: () => {},
		registerCommand: (name: string, command: Parameters<ExtensionAPI["registerCommand"]>[1]) => {
			words.push(name);
			// what may stand before a text is told with it
			if (name === "remember") return;
			for (const { value } of completionsOf(command))
				if (value !== "commit" && !value.includes(":")) words.push(`${name} ${value}`);
		},
		registerTool: ({ name, parameters }: { name: string; parameters: ToolParameters }) => {
			tools.push(name);
			actions.push(...(parameters.properties.action?.enum ?? []));
		},
	};
	registerEngine(host as unknown as ExtensionAPI, () => DEFAULT_SETTINGS);
	expect(words).toContain("fold pause");
	for (const word of words) expect(readme).toMatch(new RegExp(`^\\| \`/${word}[\` ]`, "m"));
	expect(tools.length).toBeGreaterThan(2);
	for (const tool of tools) expect(readme).toContain(`\`${tool}\``);
	expect(actions).toHaveLength(16);
	const listed = [...readme.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \|/gm)].map(([, names]) => names).join();
	for (const action of actions) expect(listed).toContain(`\`${action}\``);
});

test("the README lists every bench", () => {
	const source = readFileSync(new URL("../bench/run.ts", import.meta.url), "utf8");
	const names = [...source.matchAll(/^\t"?([a-z-]+)"?: \(\) => import/gm)].map(([, name]) => name);
	expect(names.length).toBeGreaterThan(5);
	for (const name of names) expect(readme).toContain(`\n| \`${name}\` |`);
});

interface ToolParameters {
	readonly properties: { readonly action?: { readonly enum: string[] } };
}

function completionsOf({ getArgumentCompletions }: Parameters<ExtensionAPI["registerCommand"]>[1]) {
	return (getArgumentCompletions?.("") ?? []) as readonly { value: string }[];
}

test("the README's worked example is what the command line answers", async () => {
	const home = mkdtempSync(join(tmpdir(), "palimpsest-readme-"));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	await inside(home, "replay", fileURLToPath(new URL("sessions/recorded.jsonl", import.meta.url)), "--quiet");
	const [, section = ""] = readme.split("## What did the model see, and why?");
	const examples = [...section.matchAll(/```\n\$ palimpsest (.*)\n([^`]*)```/g)];
	expect(examples).toHaveLength(3);
	for (const [, typed = "", shown = ""] of examples) {
		const args = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
		const { text } = await inside(home, ...args);
		// what is left out stands as an ellipsis on a line of its own
		for (const part of shown.split("…\n")) expect(text).toContain(part);
	}
});
