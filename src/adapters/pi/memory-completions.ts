import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { listed } from "../../../projections/memory/list.ts";
import type { MemoryRecord, MemoryStatus } from "../../../projections/memory/record.ts";
import { shownLine } from "../../debug/screen-text.ts";
import { isMemoryOn, type MemoryContext } from "./memory-at.ts";
import { KINDS, PRIORITIES, SCOPES, STATUSES } from "./memory-words.ts";

/** What the host asks a command for. */
type Completions = NonNullable<Parameters<ExtensionAPI["registerCommand"]>[1]["getArgumentCompletions"]>;

/** Something that may stand at the end of what was typed. */
interface Offered {
	readonly word: string;
	readonly description: string;
}

/** Characters of a text beside its id. */
const PREVIEW_CHARS = 60;

const KIND_WORDS = KINDS.map((kind) => ({ word: `kind:${kind}`, description: "what it is" }));

/** What can be completed of `/remember`, as long as its text has not begun. */
export function rememberCompletions(pi: ExtensionAPI, context: MemoryContext): Completions {
	const records = recordsHere(pi, context);
	return completing((before) => {
		if (!/^\s*(?:(?:pin|[A-Za-z]+:\S+)\s+)*$/.test(before)) return [];
		return [
			{ word: "pin", description: "always told to the model" },
			...KIND_WORDS,
			...SCOPES.map((scope) => ({ word: `scope:${scope}`, description: "where it holds" })),
			...PRIORITIES.map((priority) => ({ word: `priority:${priority}`, description: "how much it matters" })),
			{ word: "file:", description: "told when this file is touched" },
			{ word: "confirm:", description: "makes a proposal yours" },
			...idsOf(records(["provisional"]), "confirm:"),
			...idsOf(records(["pinned"]), "unpin:"),
			...idsOf(records(["pinned", "active", "provisional"]), "supersede:"),
		];
	});
}

/** What can be completed of `/memories`. */
export function memoriesCompletions(pi: ExtensionAPI, context: MemoryContext): Completions {
	const records = recordsHere(pi, context);
	return completing((before) => [
		...STATUSES.map((status) => ({ word: `status:${status}`, description: "how it stands" })),
		...KIND_WORDS,
		...(before.trim() === ""
			? [{ word: "trust", description: "review what is not proved to be yours" }]
			: []),
		...(before.trim() === "" ? idsOf(records(STATUSES), "") : []),
	]);
}

/** What can be completed of `/forget`. */
export function forgetCompletions(pi: ExtensionAPI, context: MemoryContext): Completions {
	const records = recordsHere(pi, context);
	return completing(() => [
		...idsOf(records(["pinned", "active", "provisional"]), ""),
		...idsOf(records(["resolved"]), "undo:"),
		...idsOf(records(STATUSES), "shred:"),
	]);
}

/**
 * Completes the last word once it has begun, and nothing where all is typed: Enter takes what is offered first, and is to
 * run what was typed instead.
 */
function completing(offered: (before: string) => readonly Offered[]): Completions {
	return (prefix) => {
		const [, before = "", word = ""] = /^(.*?)(\S*)$/s.exec(prefix) ?? [];
		if (word === "") return null;
		const found = offered(before).filter((one) => one.word.startsWith(word) && one.word !== word);
		if (found.length === 0) return null;
		return found.map((one) => ({
			value: `${before}${one.word}`,
			label: one.word,
			description: one.description,
		}));
	};
}

function idsOf(records: readonly (readonly [MemoryRecord, string])[], before: string): Offered[] {
	return records.map(([{ id, status }, text]) => ({
		word: `${before}${id}`,
		description: `${status}: ${shownLine(text.slice(0, PREVIEW_CHARS))}`,
	}));
}

/** The records of some statuses where completions are asked for, of which the host says nothing, with their texts. */
function recordsHere(
	pi: ExtensionAPI,
	context: MemoryContext,
): (statuses: readonly MemoryStatus[]) => (readonly [MemoryRecord, string])[] {
	let here: ExtensionContext | undefined;
	pi.on("session_start", (_event, ctx) => {
		here = ctx;
	});
	return (statuses) => {
		try {
			const memory = here && isMemoryOn(here, context) ? context.memoryIn(here) : undefined;
			if (!memory) return [];
			const { memories, text } = memory.view();
			const viewing = { session: memory.id, now: Date.now() };
			return statuses
				.flatMap((status) => listed(memories, viewing, { status }))
				.map((record) => [record, text(record.body) ?? ""]);
		} catch {
			// the host may have dropped the session
			return [];
		}
	};
}
