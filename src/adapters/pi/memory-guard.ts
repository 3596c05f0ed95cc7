import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { keyringPath } from "../../engine/memory/keyring.ts";
import { agentDirectory, homeDirectory } from "../../store/identity.ts";
import { globReaches, isWithin } from "./glob-reach.ts";
import { type NamedPath, pathsNamed, realOf, unquoted, wordsOf } from "./named-paths.ts";
import { isSweeping } from "./sweeping.ts";

/** Arguments that hold what is written or looked for, not where. */
const CONTENT = new Set(["content", "newText", "oldText", "text", "pattern", "query"]);

/** Deepest nesting of arguments, and longest text of one that is looked into, characters. */
const DEEPEST = 6;
const LONGEST = 100_000;
/** Longest path, characters. */
const LONGEST_PATH = 4_096;

/** A tool call, as far as it is looked at. */
export interface GuardedCall {
	readonly toolName: string;
	readonly input: unknown;
}

/**
 * Refuses tool calls that lead to the keyring or the stores, with a reason. It keeps the model from reading or changing
 * them by mistake or because a text told it to; it does not stop a program that runs as the user.
 */
export function registerMemoryGuard(pi: ExtensionAPI): void {
	pi.on("tool_call", (call, { cwd }) => {
		const what = guardedIn(call, cwd);
		return what === undefined
			? undefined
			: { block: true, reason: `MEMORY_GUARDED: this call leads to ${what}. It was not run.` };
	});
}

const KEYS = "the keys that prove who wrote what is remembered";
const STORES =
	"Palimpsest's own stores; pi_compact_recall, pi_fold_context and pi_memory_search read from them";

/** What a tool call leads to that is not for the model, in words; `undefined` where it leads to nothing of it. */
export function guardedIn({ toolName, input }: GuardedCall, cwd: string): string | undefined {
	const texts = textsIn(input).filter((text) => text.length <= LONGEST);
	const agent = agentDirectory();
	const keyring = keyringPath(agent);
	const name = basename(keyring);
	if (texts.some((text) => unquoted(text).toLowerCase().includes(name))) return KEYS;
	const known: Readonly<Record<string, string>> = {
		HOME: homedir(),
		PWD: cwd,
		PI_CODING_AGENT_DIR: agent,
		PALIMPSEST_HOME: homeDirectory(),
	};
	const variables = (variable: string) => known[variable] ?? process.env[variable];
	let places: Places | undefined;
	for (const text of texts) {
		const words = wordsOf(text);
		// a whole argument may be a path with blanks in it
		const isWhole = words.length > 1 && text.length <= LONGEST_PATH && !text.includes("\n");
		const named = pathsNamed(isWhole ? [...words, text] : words, cwd, variables);
		if (named.length === 0) continue;
		places ??= placesOf(cwd);
		const sweep = toolName === "grep" ? "reads" : isSweeping(words);
		for (const path of named) {
			const what = reached(path, sweep, places);
			if (what !== undefined) return what;
		}
		if (words.some((word) => /palimpsest|keyring/i.test(word) && globReaches(word, name))) return KEYS;
	}
	return undefined;
}

/** Where what is guarded lies, links followed. */
interface Places {
	readonly cwd: string;
	readonly agent: string;
	readonly keyring: string;
	readonly stores: readonly string[];
}

function placesOf(cwd: string): Places {
	const keyring = realOf(keyringPath(agentDirectory()));
	const home = realOf(homeDirectory());
	const here = realOf(cwd);
	// a home that holds the working folder too is no reason to refuse all that lies there
	const stores = isWithin(here, home) ? [join(home, "sessions"), join(home, "workspaces")] : [home];
	return { cwd: here, agent: dirname(keyring), keyring, stores };
}

function reached(
	{ paths, glob }: NamedPath,
	sweep: "deletes" | "reads" | undefined,
	places: Places,
): string | undefined {
	const { keyring, stores } = places;
	const isSwept = (path: string) => sweep === "deletes" || (sweep === "reads" && isOfAgent(path, places));
	for (const path of paths) {
		if (path === keyring || (isWithin(keyring, path) && isSwept(path))) return KEYS;
		if (stores.some((store) => isWithin(path, store) || (isWithin(store, path) && isSwept(path))))
			return STORES;
	}
	if (glob === undefined) return undefined;
	const isRecursive = sweep !== undefined;
	if (globReaches(glob, keyring, isRecursive)) return KEYS;
	return stores.some((store) => globReaches(glob, store, isRecursive, true)) ? STORES : undefined;
}

/** Whether a folder is the agent's, or above it and yet not one that holds the work or the user's whole home. */
function isOfAgent(path: string, { agent, cwd }: Places): boolean {
	return (
		path === agent || (isWithin(agent, path) && ![cwd, realOf(homedir())].some((at) => isWithin(at, path)))
	);
}

function textsIn(input: unknown, depth = 0): string[] {
	if (typeof input === "string") return [input];
	if (typeof input !== "object" || input === null || depth > DEEPEST) return [];
	return Object.entries(input).flatMap(([name, value]) =>
		CONTENT.has(name) || (name === "edits" && typeof value === "string") ? [] : textsIn(value, depth + 1),
	);
}
