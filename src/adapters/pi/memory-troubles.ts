import { isVisible } from "../../../projections/memory/list.ts";
import { isTerminal, type MemoryRecord } from "../../../projections/memory/record.ts";
import { count } from "../../debug/numbers.ts";
import type { LiveMemory } from "./live-memory.ts";
import { wordsOf } from "./say.ts";

/** Something that keeps memory from being known, proved or written. */
export interface MemoryTrouble {
	/** what it is about, so that it can be told once */
	readonly of: "folder" | "keys" | "texts" | "session";
	/** what is wrong, with its code, and what to do about it, in words */
	readonly words: string;
}

/** Ids named in words at most. */
const NAMED = 3;

/** What is done about a trouble, by its code; the message of any other says it. */
const REMEDIES: { readonly [code in string]?: (directory: string) => string } = {
	STORE_DAMAGED: (directory) => `palimpsest repair ${directory} keeps what still verifies`,
	STORE_CHAIN_BROKEN: (directory) => `palimpsest repair ${directory} keeps what still verifies`,
	STORE_UNAVAILABLE: (directory) => `${directory} has to be there to read and to write`,
	STORE_LOCKED: () => "it is tried again once the other process lets go of it",
	STORE_NEWER: () => "a newer release reads it",
	KEYRING_DAMAGED: () => "put back a copy of it; with a new one /memories trust vouches for what is yours",
};

/** What of memory cannot be known, proved or written now; empty where all is well. */
export function memoryTroubles(memory: LiveMemory): MemoryTrouble[] {
	const { workspace, session, keys } = memory;
	const ofKeys = keys.trouble;
	const ofFolder = workspace.trouble === ofKeys ? undefined : workspace.trouble;
	const isEmpty = workspace.memory.records.size === 0;
	const folder = isEmpty
		? "what is remembered for this folder cannot be read"
		: "not all that is remembered for this folder can be read or added to";
	const unproved = keys.hasNone ? unprovedIds(memory).length : 0;
	const unreadable = unreadableIn(memory).map(({ id }) => id);
	const said: (readonly [of: MemoryTrouble["of"], words: string | undefined])[] = [
		["folder", ofFolder && `${folder}: ${coded(ofFolder, workspace.directory)}`],
		["keys", ofKeys && `what is remembered cannot be proved to be yours: ${coded(ofKeys, keys.path)}`],
		["keys", unproved === 0 ? undefined : goneWords(unproved, keys.path)],
		["texts", unreadable.length === 0 ? undefined : unreadableWords(unreadable)],
		["session", session.trouble?.message],
	];
	return said.flatMap(([of, words]) => (words === undefined ? [] : [{ of, words }]));
}

/** That a keyring was begun beside records of another key, in words; `undefined` where none was. */
export function newKeyringWords(memory: LiveMemory): string | undefined {
	const unproved = memory.keys.isBegun ? unprovedIds(memory).length : 0;
	if (unproved === 0) return undefined;
	const what = `${count(unproved, "record")} of another key cannot be proved to be yours`;
	return `a new keyring was begun, ${memory.keys.path}; ${what}: /memories trust`;
}

/** Records that a user is said to have made or changed, and not proved to have, by their ids. */
export function unprovedIds({ workspace, session }: LiveMemory): string[] {
	const suspects = [...workspace.memory.suspects, ...session.memory.suspects];
	return [...new Set(suspects.flatMap(({ id, proof }) => (proof === "unverified" ? id : [])))];
}

/** Records in force whose text cannot be read, though nobody destroyed it. */
function unreadableIn(memory: LiveMemory): MemoryRecord[] {
	const { memories, text } = memory.view();
	return memories
		.flatMap(({ records }) => [...records.values()])
		.filter((record) => isVisible(record, memory.id) && !isTerminal(record) && !record.isShredded)
		.filter(({ body }) => text(body) === undefined);
}

function goneWords(unproved: number, path: string): string {
	const what = `${count(unproved, "record")} cannot be proved to be yours`;
	return `${what}, the keyring is gone: put ${path} back before the next session, or vouch by /memories trust`;
}

function unreadableWords(ids: readonly string[]): string {
	const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
	const what = `${ids.length === 1 ? "the text" : "the texts"} of ${ids.slice(0, NAMED).join(", ")}${more}`;
	return `STORE_BLOB_DAMAGED: ${what} cannot be read: /remember supersede:ID TEXT says it anew, /forget ID drops it`;
}

function coded(error: Error, place: string): string {
	const { code } = error as { readonly code?: unknown };
	if (typeof code !== "string") return wordsOf(error);
	const remedy = REMEDIES[code]?.(place);
	return `${code}: ${wordsOf(error)}${remedy === undefined ? "" : `; ${remedy}`}`;
}
