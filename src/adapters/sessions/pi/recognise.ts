import { asRawEntry, asRecord, kindOfType, looksLikeEntry, type RawEntry } from "./raw-entry.ts";

/** What the first whole JSON value of a file says about the file. */
export type Recognised =
	| { readonly is: "pi"; readonly raw: RawEntry }
	| { readonly is: "foreign"; readonly name: string }
	| { readonly is: "unknown" };

const CODEX: ReadonlySet<unknown> = new Set([
	"session_meta",
	"response_item",
	"event_msg",
	"turn_context",
	"compacted",
	"world_state",
]);

const CLAUDE_CODE: ReadonlySet<unknown> = new Set([
	"file-history-snapshot",
	"queue-operation",
	"permission-mode",
	"summary",
	"progress",
	"last-prompt",
	"custom-title",
	"ai-title",
]);

/** Tells a Pi session from those of other programs by one whole JSON value. */
export function recognise(value: unknown): Recognised {
	const record = asRecord(value);
	if (record === undefined) return { is: "unknown" };
	const raw = asRawEntry(record);
	if (raw !== undefined) {
		if (raw.type === "session" || (kindOfType.has(raw.type) && looksLikeEntry(raw, false)))
			return { is: "pi", raw };
		if ("id" in raw && "parentId" in raw && "timestamp" in raw) return { is: "pi", raw };
	}
	if (CODEX.has(record.type) && asRecord(record.payload)) return { is: "foreign", name: "Codex" };
	if ("instructions" in record && "timestamp" in record && !("type" in record)) {
		return { is: "foreign", name: "Codex" };
	}
	if ("parentUuid" in record || "isSidechain" in record) return { is: "foreign", name: "Claude Code" };
	if (
		CLAUDE_CODE.has(record.type) &&
		("sessionId" in record || "leafUuid" in record || "messageId" in record)
	) {
		return { is: "foreign", name: "Claude Code" };
	}
	return { is: "unknown" };
}
