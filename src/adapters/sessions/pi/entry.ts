import {
	MEMORY_NOTE,
	type ModelRef,
	type StopReason,
	type TranscriptEntry,
	type Usage,
} from "../../../../projections/transcript.ts";
import { blocksOf, type NoteUnknown, systemBlocks, textBlock } from "./blocks.ts";
import { bashText, branchSummaryText, compactionText } from "./host-text.ts";
import type { Place } from "./lineage.ts";
import { memoryNoteIn } from "./memory-note.ts";
import { asRecord, asString, kindOfType, type RawEntry } from "./raw-entry.ts";

type Fields = { readonly [field: string]: unknown };
type Draft = { -readonly [K in keyof TranscriptEntry]: TranscriptEntry[K] };

const STOPS: ReadonlySet<unknown> = new Set<StopReason>(["stop", "toolUse", "length", "aborted", "error"]);

/**
 * An entry's time in ms since the epoch: its own `timestamp`, which orders the file; where that is missing or no time,
 * its message's; `undefined` where neither is there.
 */
export function timeOf(raw: RawEntry): number | undefined {
	for (const stamp of [raw.timestamp, asRecord(raw.message)?.timestamp]) {
		const time = typeof stamp === "string" ? Date.parse(stamp) : stamp;
		if (typeof time === "number" && Number.isFinite(time)) return time;
	}
	return undefined;
}

/**
 * Reads an entry of any version. Types and roles that are not known give an entry no model sees, as with the host.
 * `bytes` is kept, not copied.
 */
export function entryOf(
	raw: RawEntry,
	place: Place,
	source: { readonly line: number; readonly at: number; readonly bytes: Uint8Array },
	note: NoteUnknown,
): TranscriptEntry {
	const kind = kindOfType.get(raw.type);
	if (kind === undefined) note(`type:${raw.type}`);
	const { line, at, bytes } = source;
	const entry: Draft = {
		id: place.id,
		parent: place.parent,
		kind: kind ?? "info",
		at,
		line,
		bytes,
		blocks: [],
	};
	if (place.firstKept !== undefined) entry.firstKept = place.firstKept;
	switch (kind) {
		case "message":
			readMessage(entry, asRecord(raw.message) ?? {}, note);
			break;
		case "note":
			entry.role = "note";
			entry.blocks = blocksOf(raw.content, note);
			setNoteType(entry, raw.customType);
			setMemory(entry, raw.details);
			break;
		case "compaction":
			entry.role = "summary";
			entry.blocks = [textBlock(compactionText(String(raw.summary)))];
			setUsage(entry, raw.usage, note);
			break;
		case "branchSummary":
			setUsage(entry, raw.usage, note);
			if (!raw.summary) break;
			entry.role = "summary";
			entry.blocks = [textBlock(branchSummaryText(String(raw.summary)))];
			break;
		case "contextEdit": {
			const target = asString(raw.targetId);
			if (target !== undefined) entry.target = target;
			const replacement = asRecord(raw.replacement);
			entry.omits = replacement === undefined;
			entry.blocks = blocksOf(replacement?.content, note);
			break;
		}
		case "model":
			setModel(entry, modelOf(raw));
			break;
		case "usage":
			setUsage(entry, raw.usage, note);
			setModel(entry, modelOf(raw));
			break;
		case "custom":
		case "label":
		case "thinkingLevel":
		case "info":
		case undefined:
			break;
		default:
			kind satisfies never;
	}
	return entry;
}

function readMessage(entry: Draft, message: Fields, note: NoteUnknown): void {
	const { role } = message;
	switch (role) {
		case "user":
			entry.role = "user";
			entry.blocks = blocksOf(message.content, note);
			return;
		case "assistant":
			entry.role = "assistant";
			entry.blocks = blocksOf(message.content, note);
			setUsage(entry, message.usage, note);
			setModel(entry, modelOf(message));
			if (typeof message.timestamp === "number") entry.sentAt = message.timestamp;
			if (STOPS.has(message.stopReason)) entry.stop = message.stopReason as StopReason;
			else if (message.stopReason !== undefined) note(`stop:${message.stopReason}`);
			return;
		case "toolResult": {
			entry.role = "result";
			entry.blocks = blocksOf(message.content, note);
			const answers = asString(message.toolCallId);
			if (answers !== undefined) entry.answers = answers;
			const tool = asString(message.toolName);
			if (tool !== undefined) entry.tool = tool;
			entry.failed = message.isError === true;
			return;
		}
		case "bashExecution":
			entry.role = "bash";
			entry.failed = message.cancelled === true || (message.exitCode ?? 0) !== 0;
			entry.hidden = Boolean(message.excludeFromContext);
			if (!entry.hidden) entry.blocks = [textBlock(bashText(message))];
			return;
		case "system":
			entry.role = "system";
			entry.blocks = systemBlocks(message, note);
			return;
		// Versions 1 and 2 say `hookMessage`; the host's migration to 3 renames the role and nothing else.
		case "custom":
		case "hookMessage":
			entry.kind = "note";
			entry.role = "note";
			entry.blocks = blocksOf(message.content, note);
			setNoteType(entry, message.customType);
			setMemory(entry, message.details);
			return;
		case "branchSummary":
			entry.role = "summary";
			entry.blocks = [textBlock(branchSummaryText(String(message.summary)))];
			return;
		case "compactionSummary":
			entry.role = "summary";
			entry.blocks = [textBlock(compactionText(String(message.summary)))];
			return;
		default:
			note(`role:${asString(role) ?? typeof role}`);
	}
}

/** What a note says of a usage no request can have; see {@link entryOf}. */
export const IMPOSSIBLE_USAGE = "usage:impossible";

/** Tokens or dollars beyond which a figure is none: a thousand million times what one request ever took. */
const MOST = 1e12;

/** One figure below 0 or beyond reason makes the whole usage worth nothing: it counts as absent. */
function setUsage(entry: Draft, value: unknown, note: NoteUnknown): void {
	const raw = asRecord(value);
	if (raw === undefined) return;
	const usage: { -readonly [K in keyof Usage]: Usage[K] } = {
		input: asCount(raw.input),
		output: asCount(raw.output),
		cacheRead: asCount(raw.cacheRead),
		cacheWrite: asCount(raw.cacheWrite),
	};
	const usd = asRecord(raw.cost)?.total;
	if (typeof usd === "number") usage.usd = usd;
	if (Object.values(usage).every((figure) => figure >= 0 && figure <= MOST)) entry.usage = usage;
	else note(IMPOSSIBLE_USAGE);
}

function asCount(value: unknown): number {
	return typeof value === "number" ? value : 0;
}

function setNoteType(entry: Draft, value: unknown): void {
	const type = asString(value);
	if (type !== undefined) entry.noteType = type;
}

function setMemory(entry: Draft, details: unknown): void {
	const memory = entry.noteType === MEMORY_NOTE ? memoryNoteIn(details) : undefined;
	if (memory) entry.memory = memory;
}

function setModel(entry: Draft, model: ModelRef | undefined): void {
	if (model !== undefined) entry.model = model;
}

/** The host writes `provider` with `modelId` or `model`; a dialect writes `provider/id` in `model` alone. */
function modelOf(fields: Fields): ModelRef | undefined {
	const model = asString(fields.modelId) ?? asString(fields.model);
	if (model === undefined) return undefined;
	const api = asString(fields.api);
	const slash = model.indexOf("/");
	const provider = asString(fields.provider) ?? (slash === -1 ? "" : model.slice(0, slash));
	const id = fields.provider === undefined ? model.slice(slash + 1) : model;
	return { provider, model: id, ...(api !== undefined && { api }) };
}
