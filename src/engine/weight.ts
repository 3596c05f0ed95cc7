import type { EntryEvent } from "../../events/entry.ts";
import { askerOf, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import {
	type Block,
	FOLD_TOOL,
	type MemoryNote,
	type TranscriptEntry,
} from "../../projections/transcript.ts";

/** What the log keeps of an entry beside what it says itself. */
interface FactOptions {
	/** position of the decision it is the node of */
	readonly decision?: number | undefined;
	/** whether a compaction of the host's takes what it summarises out of the windows */
	readonly heedsCompactions?: boolean | undefined;
	/** whether it belongs to a tool the settings never fold nor clip */
	readonly keptRaw?: boolean | undefined;
}

/** What the log keeps of an entry: its place, its size and what it calls or answers; never its text. */
export function entryFacts(
	entry: TranscriptEntry,
	digest: string,
	{ decision, heedsCompactions = false, keptRaw = false }: FactOptions = {},
): EntryEvent["data"] {
	const calls = entry.blocks.filter((block) => block.type === "call");
	const opens = calls.map((block) => storable(block.callId));
	const peeks = calls.filter(isPeek).map((block) => storable(block.callId));
	return {
		id: entry.id,
		parent: entry.parent,
		kind: entry.kind,
		...(entry.role !== undefined && { role: entry.role }),
		// a time before the epoch by less than a millisecond is no -0, which nothing stored can be
		at: entry.at + 0,
		digest,
		bytes: entry.bytes.length,
		...sizeOf(entry.blocks),
		...(opens.length > 0 && { opens }),
		...(entry.answers !== undefined && { answers: storable(entry.answers) }),
		...(entry.stop !== undefined && { stop: entry.stop }),
		...(entry.hidden === true && { hidden: true }),
		...(entry.target !== undefined && { target: entry.target }),
		...(entry.omits === true && { omits: true }),
		...(heedsCompactions && entry.kind === "compaction" && { firstKept: entry.firstKept ?? null }),
		...(keptRaw && { keptRaw }),
		...(peeks.length > 0 && { peeks }),
		...(entry.memory && { memory: fieldsOf(entry.memory) }),
		...(decision !== undefined && { decision }),
	};
}

function fieldsOf({ block, told, gone, lines }: MemoryNote): NonNullable<EntryEvent["data"]["memory"]> {
	return {
		...(block && { block: [...block] }),
		...(told && { told: [...told] }),
		...(gone && { gone: [...gone] }),
		...(lines && { lines: [...lines] }),
	};
}

/** A provider's id as an event can hold it: half a character is written out. */
function storable(id: string): string {
	if (id.isWellFormed()) return id;
	return id.replaceAll(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/** Whether an entry belongs to a tool the settings keep raw, by the calls it makes or the reply it answers. */
export function isKeptRaw(
	{ tree, rules }: Pick<SessionStates, "tree" | "rules">,
	entry: TranscriptEntry,
): boolean {
	const { keepRaw = [] } = rules.settings;
	if (entry.role !== "result")
		return entry.blocks.some((block) => block.type === "call" && keepRaw.includes(block.tool));
	// whatever the settings are by now, a result goes with its call
	return askerOf(tree, nodeOf(tree, entry.parent), storable(entry.answers ?? ""))?.isKeptRaw ?? false;
}

/** Whether a call reads originals back for the moment. */
function isPeek({ tool, args }: Extract<Block, { type: "call" }>): boolean {
	if (tool !== FOLD_TOOL || typeof args !== "object" || args === null || Array.isArray(args)) return false;
	const { action, ephemeral } = args as { readonly [key: string]: unknown };
	return action === "peek" && ephemeral !== false;
}

/** Characters the model is sent, how many of them are thinking, and images. */
function sizeOf(blocks: readonly Block[]): { chars: number; thinking: number; images: number } {
	let chars = 0;
	let thinking = 0;
	let images = 0;
	for (const block of blocks) {
		if (block.type === "image") images += 1;
		else if (block.type === "call") chars += block.tool.length + JSON.stringify(block.args).length;
		else chars += block.text.length;
		if (block.type === "thinking") thinking += block.text.length;
	}
	return { chars, thinking, images };
}
