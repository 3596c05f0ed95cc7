import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { registerEngine } from "../src/adapters/pi/register.ts";
import { atMost, type Row } from "./row.ts";

/** Tokens all our tools together may add to every prompt. */
const ALLOWED = 1_600;

/** Characters a token takes where it takes fewest: 2.6, Claude's on code. */
const CHARS_PER_TOKEN = 2.6;

/** What our tools add to every prompt: name, description and schema of each, as providers are sent them. */
export async function run(): Promise<readonly Row[]> {
	const tools: { name: string; description: string; parameters: unknown }[] = [];
	const host = {
		on: () => {},
		registerCommand: () => {},
		registerTool: (tool: (typeof tools)[number]) => void tools.push(tool),
	};
	registerEngine(host as unknown as ExtensionAPI, () => DEFAULT_SETTINGS);
	const chars = tools
		.map(({ name, description, parameters }) => JSON.stringify({ name, description, parameters }).length)
		.reduce((sum, length) => sum + length, 0);
	const names = tools.map(({ name }) => name).join(", ");
	return [
		atMost(1, {
			name: `tools in a prompt: ${names}`,
			value: Math.round(chars / CHARS_PER_TOKEN),
			unit: "tokens",
			against: "what they may take",
			limit: ALLOWED,
		}),
	];
}
