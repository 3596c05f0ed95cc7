import { type Block, FOLD_TOOL, type JsonValue, MEMORY_NOTE, type TranscriptEntry } from "../transcript.ts";
import { pathsInCommand } from "./command-paths.ts";

/** The tool of ours by which a model searches what was said. */
export const RECALL_TOOL = "pi_compact_recall";

/** What an entry is to whoever searches. */
export const RECALL_KINDS = ["user", "assistant", "tool_call", "tool_result", "bash", "custom"] as const;

/** One of {@link RECALL_KINDS}. */
export type RecallKind = (typeof RECALL_KINDS)[number];

/** Who speaks in what recall finds. */
export const DOCUMENT_ROLES = ["user", "assistant", "result", "bash", "note", "summary", "edit"] as const;

/** Whether a text was said first where it stands, or tells again what stands elsewhere. It says nothing of trust. */
export type SourceClass = "primary" | "derived";

/** A call an assistant makes. */
export type CallBlock = Block & { readonly type: "call" };

/** An entry as recall sees it. */
export interface RecallDocument {
	/** the entry's id */
	readonly id: string;
	/** the entry's own time, ms since the epoch */
	readonly at: number;
	readonly kinds: readonly RecallKind[];
	/** tools it calls, or the one that gave this result */
	readonly tools: readonly string[];
	/** who speaks, as in the transcript */
	readonly role: string;
	readonly sourceClass: SourceClass;
	/** paths named by calls and commands; of a result, those of the call it answers */
	readonly files: readonly string[];
	/** what is searched: prose, calls as `name(arguments)` in JSON but for its escapes, those of recall without what they look for, results behind a line `[tool]` */
	readonly text: string;
	/** what the model thought, searched only where that is asked for */
	readonly thinking: string;
}

/** Names of extensions' messages that tell again what stands elsewhere. */
const RETOLD: ReadonlySet<string> = new Set([
	"compaction",
	"branch_summary",
	"pi-compact-recall",
	"pi-compact-auto-recall",
	"pi-compact-memory-hint",
	"pi-compact-resume",
	MEMORY_NOTE,
]);

/** Tools whose results do. */
const RETELLING: ReadonlySet<string> = new Set([FOLD_TOOL, RECALL_TOOL]);

/**
 * An entry as recall sees it; nothing of a system message, of what no model sees, or of what holds no text. `call` is
 * the call that a result answers, where it is known.
 */
export function documentOf(entry: TranscriptEntry, call?: CallBlock): RecallDocument | undefined {
	const { id, at, role, blocks } = entry;
	if (entry.kind !== "contextEdit" && (role === undefined || role === "system")) return undefined;
	const calls = blocks.filter((block) => block.type === "call");
	const shown = blocks.map(textOf).filter((text) => text !== "");
	const thinking = blocks.flatMap((block) => (block.type === "thinking" ? block.text : []));
	if (shown.length === 0 && thinking.length === 0) return undefined;
	const name = role === "result" ? (entry.tool ?? call?.tool) : entry.noteType;
	return {
		id,
		at,
		kinds: kindsOf(entry, calls.length > 0),
		tools: unique(role === "result" ? [name ?? "tool"] : calls.map(({ tool }) => tool)),
		role: role ?? "edit",
		sourceClass: isRetold(entry) ? "derived" : "primary",
		files: filesOf(role === "result" && call ? [call] : calls, role === "bash" ? shown : []),
		text: (name === undefined ? shown : [`[${name}]`, ...shown]).join("\n"),
		thinking: thinking.join("\n"),
	};
}

function kindsOf({ role }: TranscriptEntry, makesCalls: boolean): RecallKind[] {
	switch (role) {
		case "user":
		case "bash":
			return [role];
		case "assistant":
			return makesCalls ? ["assistant", "tool_call"] : ["assistant"];
		case "result":
			return ["tool_result"];
		default:
			return ["custom"];
	}
}

function isRetold({ role, tool, noteType }: TranscriptEntry): boolean {
	if (role === "result") return tool !== undefined && RETELLING.has(tool);
	return role === "summary" || (noteType !== undefined && RETOLD.has(noteType));
}

function textOf(block: Block): string {
	switch (block.type) {
		case "text":
			return block.text;
		case "call":
			// a question is not what answers it
			if (block.tool === RECALL_TOOL) return `${block.tool}(…)`;
			return `${block.tool}(${spelt(JSON.stringify(block.args))})`;
		case "image":
			return `[image:${block.mime}]`;
		case "thinking":
			return "";
		default:
			return block satisfies never;
	}
}

/** JSON with line ends, tabs and quotes as they are: `\\n` would grow together with the word behind it. */
function spelt(json: string): string {
	return json.replaceAll(/\\([nrt"\\])/g, (_, char: string) => ESCAPED[char] ?? char);
}

const ESCAPED: { readonly [char: string]: string } = { n: "\n", r: "\r", t: "\t" };

/** Longest path that is taken for one, characters. */
const LONGEST_PATH = 1000;

const PATH_KEY = /^(?:file_?)?path$|^file(?:_?name)?$/i;
const COMMAND_KEY = /^(?:command|cmd|script)$/;

function filesOf(calls: readonly CallBlock[], commands: readonly string[]): string[] {
	const files: string[] = [];
	for (const { args } of calls) visit(args, "", files);
	for (const command of commands) filesInCommand(firstLine(command), files);
	return unique(files);
}

function visit(args: JsonValue, key: string, files: string[]): void {
	if (typeof args === "string") {
		if (PATH_KEY.test(key)) addFile(args, files);
		else if (COMMAND_KEY.test(key)) filesInCommand(args.slice(0, LONGEST_PATH), files);
	} else if (Array.isArray(args)) for (const item of args as readonly JsonValue[]) visit(item, key, files);
	else if (args !== null && typeof args === "object")
		for (const [name, value] of Object.entries(args)) visit(value, name, files);
}

function filesInCommand(command: string, files: string[]): void {
	for (const path of pathsInCommand(command)) addFile(path, files);
}

function addFile(path: string, files: string[]): void {
	const isPath = path !== "" && path.length < LONGEST_PATH && !/^\.{1,2}$|^https?:|[\n\0]/.test(path);
	if (isPath) files.push(path.toWellFormed());
}

function firstLine(text: string): string {
	const end = text.indexOf("\n");
	return (end === -1 ? text : text.slice(0, end)).slice(0, LONGEST_PATH);
}

function unique(names: readonly string[]): string[] {
	return [...new Set(names)];
}
