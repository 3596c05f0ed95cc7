import type { EntryKind } from "../../../../projections/transcript.ts";

/** A JSON object as it stands in a session file: foreign data, of which only `type` is known to be a string. */
export interface RawEntry {
	readonly type: string;
	readonly [field: string]: unknown;
}

/** What the entry types of Pi are to us, all versions together. `session` is the file's header and no entry. */
export const kindOfType: ReadonlyMap<string, EntryKind> = new Map<string, EntryKind>([
	["message", "message"],
	["custom_message", "note"],
	["compaction", "compaction"],
	["branch_summary", "branchSummary"],
	["context_edit", "contextEdit"],
	["custom", "custom"],
	["label", "label"],
	["model_change", "model"],
	["thinking_level_change", "thinkingLevel"],
	["usage", "usage"],
	["session_info", "info"],
]);

/** A record with string keys, of whatever values. */
export function asRecord(value: unknown): { readonly [field: string]: unknown } | undefined {
	return typeof value === "object" && value !== null && !Array.isArray(value)
		? (value as { readonly [field: string]: unknown })
		: undefined;
}

/** The value where it is a string. */
export function asString(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

/** The value as an entry or header, where it is an object that names its type. */
export function asRawEntry(value: unknown): RawEntry | undefined {
	const record = asRecord(value);
	return record !== undefined && typeof record.type === "string" ? (record as RawEntry) : undefined;
}

/**
 * Whether an object found inside a broken line may count as an entry or header. Arguments and details of tools hold
 * objects with a `type` too, so more is asked here than of an object that has a line to itself; ids, where the format
 * has them (`withIds`).
 */
export function looksLikeEntry(raw: RawEntry, withIds: boolean): boolean {
	if (typeof raw.timestamp !== "string" && typeof raw.timestamp !== "number") return false;
	if (raw.type === "session") return typeof raw.id === "string";
	if (!kindOfType.has(raw.type)) return false;
	if (withIds && (typeof raw.id !== "string" || !("parentId" in raw))) return false;
	return raw.type !== "message" || typeof asRecord(raw.message)?.role === "string";
}
