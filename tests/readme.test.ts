import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_ERROR_CODES } from "../events/registry.ts";
import { CHOICE_KEYS, FLOOR_FACTORS, POLICY_OPTIONS } from "../src/adapters/pi/choices.ts";
import { OPTION_NAMES } from "../src/adapters/pi/options.ts";
import { OPTIONS_ERROR_CODES } from "../src/adapters/pi/options-error.ts";
import { quarantineReasons } from "../src/adapters/sessions/pi/report.ts";
import { sessionErrorCodes } from "../src/adapters/sessions/pi/session-error.ts";
import { replayErrorCodes } from "../src/adapters/sessions/replay-error.ts";
import { cliErrorCodes } from "../src/cli/cli-error.ts";
import { commandLine } from "../src/cli/main.ts";
import { COMMAND_ERROR_CODES } from "../src/commands/command-error.ts";
import { REGISTRY } from "../src/engine/store-journal.ts";
import { STORE_ERROR_CODES } from "../src/store/errors.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README lists every event type", () => {
	for (const { type } of REGISTRY.definitions) expect(readme).toContain(`| \`${type}\` |`);
});

test("the README lists every error code with its meaning", () => {
	const codes = {
		...STORE_ERROR_CODES,
		...EVENT_ERROR_CODES,
		...COMMAND_ERROR_CODES,
		...sessionErrorCodes,
		...replayErrorCodes,
		...OPTIONS_ERROR_CODES,
		...cliErrorCodes,
	};
	for (const code of Object.keys(codes)) expect(readme).toContain(`| \`${code}\` |`);
	for (const reason of Object.keys(quarantineReasons)) expect(readme).toContain(`\`${reason}\``);
});

test("the README lists every command and option", () => {
	for (const command of commandLine().commands) {
		expect(readme).toContain(`\`${command.name()} `);
		for (const { long } of command.options) if (long !== "--json") expect(readme).toContain(long);
	}
});

test("the README lists every option and setting of the extension, and every policy", () => {
	const [, settings = "", options = ""] = readme.split(/^\| (?:key|option) \| (?:default|is) \|/m).slice(-3);
	for (const key of CHOICE_KEYS) expect(settings).toContain(`\n| \`${key}\` |`);
	for (const name of OPTION_NAMES) expect(options).toContain(`\n| \`${name}\` |`);
	for (const policy of POLICY_OPTIONS) expect(options).toContain(`\`${policy}\``);
	for (const word of Object.keys(FLOOR_FACTORS)) expect(settings).toContain(`\`${word}\``);
});
