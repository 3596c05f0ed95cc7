/**
 * What a session's transcript is made of, whatever host wrote it. An adapter reads its own format into these shapes;
 * everything else in the project sees nothing but them.
 */

/** The tool of ours by which a model reads folds back and has a say in what is folded. */
export const FOLD_TOOL = "pi_fold_context";

/** What our messages to the model about memory are called in the host's session. */
export const MEMORY_NOTE = "pi-palimpsest-memory";

/** Whether a tool is one of ours by which a model reads and proposes what is remembered. */
export function isMemoryTool(tool: string): boolean {
	return tool.startsWith("pi_memory_");
}

/** What a message of ours tells the model of what is remembered, by records' ids. */
export interface MemoryNote {
	/** everything that is to be told at this time, in a block that takes the place of all before */
	readonly block?: readonly string[];
	/** what came since the block */
	readonly told?: readonly string[];
	/** what holds no more since the block */
	readonly gone?: readonly string[];
	/** what was told because a file it is about was touched */
	readonly lines?: readonly string[];
}

/** One part of a message, in the order the model sees it. */
export type Block =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "thinking"; readonly text: string; readonly signed: boolean }
	| { readonly type: "call"; readonly callId: string; readonly tool: string; readonly args: JsonValue }
	| { readonly type: "image"; readonly mime: string; readonly bytes: number };

/** Any JSON value; arguments and details are foreign data and stay as they came. */
export type JsonValue =
	| null
	| boolean
	| number
	| string
	| readonly JsonValue[]
	| { readonly [key: string]: JsonValue };

/**
 * What an entry is. `message` carries a role; `compaction` and `branchSummary` carry a summary as text;
 * `contextEdit` replaces or omits another entry; `custom` is extension state no model sees; `note` is an extension's
 * message the model does see; the rest steers the host and is never sent.
 */
export type EntryKind =
	| "message"
	| "note"
	| "compaction"
	| "branchSummary"
	| "contextEdit"
	| "custom"
	| "label"
	| "model"
	| "thinkingLevel"
	| "usage"
	| "info";

/**
 * Who speaks in an entry the model can see. `bash` is a command the user ran in the host, `system` a prompt or tool
 * patch.
 */
export type Role = "user" | "assistant" | "result" | "bash" | "system" | "summary" | "note";

/** How a reply ended, in the host's words. */
export type StopReason = "stop" | "toolUse" | "length" | "aborted" | "error";

/** Tokens a provider billed for one request. `input` excludes what was read from or written to the cache. */
export interface Usage {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** dollars, as the host computed them; absent where it did not */
	readonly usd?: number;
}

/** The model behind a reply. */
export interface ModelRef {
	readonly provider: string;
	readonly model: string;
	readonly api?: string;
}

/** One entry of a session, decoded, beside the exact bytes it was decoded from. */
export interface TranscriptEntry {
	/** the host's id; for formats without ids `line-<number>` */
	readonly id: string;
	/** the parent's id; `null` at a root */
	readonly parent: string | null;
	readonly kind: EntryKind;
	/** absent where no model ever sees the entry */
	readonly role?: Role;
	/** ms since the epoch */
	readonly at: number;
	/** 1-based line of the source it stands in */
	readonly line: number;
	/** the entry's JSON exactly as the source holds it, without its line end */
	readonly bytes: Uint8Array;
	/** what the model would be shown */
	readonly blocks: readonly Block[];
	/** `result`: the call it answers */
	readonly answers?: string;
	/** `note`: what the extension behind it calls such messages */
	readonly noteType?: string;
	/** `note`: what it tells of memory, where it is ours */
	readonly memory?: MemoryNote;
	/** `result`: the tool that ran */
	readonly tool?: string;
	/** `result` or `bash`: whether it failed */
	readonly failed?: boolean;
	/** `bash`: kept from the model (`!!`) */
	readonly hidden?: boolean;
	/** `assistant`: what the request behind the reply was billed */
	readonly usage?: Usage;
	/** `assistant`, `model`: which model */
	readonly model?: ModelRef;
	/** `assistant`: when the request behind the reply was sent, ms since the epoch */
	readonly sentAt?: number;
	/** `assistant`: how the reply ended */
	readonly stop?: StopReason;
	/** `compaction`: the first entry the host keeps raw; absent keeps nothing */
	readonly firstKept?: string;
	/** `contextEdit`: the entry it changes */
	readonly target?: string;
	/** `contextEdit`: `true` where the target is omitted; otherwise `blocks` replace the target's */
	readonly omits?: boolean;
}
