import { type Block, FOLD_TOOL, isMemoryTool, MEMORY_NOTE, type TranscriptEntry } from "../transcript.ts";
import { MAX_NAME, UNPRINTABLE } from "./names.ts";
import { oneLine } from "./one-line.ts";
import { eachArgument, isSent } from "./texts.ts";

/** Where in a span a text stands; what a name there is worth depends on it. */
export type Place =
	| "asked"
	| "said"
	| "thought"
	| "path"
	| "command"
	| "written"
	| "replaced"
	| "argument"
	| "output"
	| "failure"
	| "noted";

/** Where a call and its result stand. */
interface Called {
	/** id of the entry that makes it */
	readonly entry: string;
	/** id of the last entry that answers it, and whether that says it failed; absent where none does */
	readonly answered?: { readonly entry: string; readonly failed: boolean };
}

/** A call with its results, or someone who spoke: what an index item can stand for. */
export interface Source {
	/** the file's path, `$ ` and the command, the tool, or who spoke */
	readonly head: string;
	readonly tool: string;
	readonly texts: readonly { readonly place: Place; readonly text: string }[];
	/** absent where someone spoke, or a result answers no call of the span */
	readonly call?: Called;
}

/** A source that is still read. */
interface OpenSource extends Source {
	readonly texts: { place: Place; text: string }[];
	call?: Called;
}

/** Longest command that is a head, characters. */
const COMMAND = 48;

/** A span's sources in the order they appear: each call on its own, and prose under who spoke. */
export function sourcesOf(entries: readonly TranscriptEntry[]): Source[] {
	const sources: OpenSource[] = [];
	const byCall = new Map<string, OpenSource>();
	const open = (head: string, tool: string) => {
		const source: OpenSource = { head, tool, texts: [] };
		sources.push(source);
		return source;
	};
	for (const entry of entries) {
		if (!isSent(entry)) continue;
		if (entry.role === "result") {
			const tool = entry.tool ?? "tool";
			const source = byCall.get(entry.answers ?? "") ?? open(tool, tool);
			if (source.call)
				source.call = { ...source.call, answered: { entry: entry.id, failed: entry.failed === true } };
			// what was read back is named where it was said first, and what is remembered is told where it is needed
			if (tool === FOLD_TOOL || isMemoryTool(tool)) continue;
			for (const text of proseOf(entry))
				source.texts.push({ place: entry.failed ? "failure" : "output", text });
			continue;
		}
		// what is remembered is told again where it is needed, and was said first elsewhere
		if (entry.noteType === MEMORY_NOTE) continue;
		const speaker = entry.role === "assistant" ? "assistant" : entry.role === "user" ? "user" : "note";
		const source = open(speaker, speaker);
		for (const block of entry.blocks) {
			if (block.type === "call") byCall.set(block.callId, openCall(block, entry.id, open));
			else if (block.type === "thinking") source.texts.push({ place: "thought", text: block.text });
			else if (block.type === "text") source.texts.push({ place: placeOf(entry), text: block.text });
		}
	}
	return sources;
}

function openCall(
	call: Block & { type: "call" },
	entry: string,
	open: (head: string, tool: string) => OpenSource,
): OpenSource {
	const texts: { place: Place; text: string }[] = [];
	let head = call.tool;
	const args = isMemoryTool(call.tool) ? {} : call.args;
	eachArgument(args, (text, key) => {
		const place = placeOfArgument(key);
		if (head === call.tool && place === "path" && isHead(text)) head = text;
		if (head === call.tool && place === "command") head = commandHead(text) ?? head;
		texts.push({ place, text });
	});
	const source = open(head, call.tool);
	source.texts.push(...texts);
	source.call = { entry };
	return source;
}

/** Whether a path can stand at the head of a line as it is. */
function isHead(path: string): boolean {
	return (
		path !== "" &&
		path.length <= MAX_NAME &&
		!/[\s<>"'`:]/.test(path) &&
		!UNPRINTABLE.test(path) &&
		path.isWellFormed()
	);
}

/** `$ ` and the first words of a command, without the `cd` before it; nothing where none is left. */
function commandHead(command: string): string | undefined {
	const line =
		command
			.trim()
			.replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "")
			.split("\n", 1)[0] ?? "";
	const clean = oneLine(line.toWellFormed().replace(/[<>:"]/g, " "));
	if (clean === "") return undefined;
	if (clean.length <= COMMAND) return `$ ${clean}`;
	const cut = clean.slice(0, COMMAND);
	const blank = cut.lastIndexOf(" ");
	return `$ ${(blank > 8 ? cut.slice(0, blank) : cut).replace(/[\ud800-\udbff]$/, "").trimEnd()}`;
}

function placeOfArgument(key: string): Place {
	if (/^(?:file_?)?path$|^file(?:_?name)?$/i.test(key)) return "path";
	if (/^(?:command|cmd|script)$/i.test(key)) return "command";
	if (/^(?:content|new_?(?:text|string)|input|code|text)$/i.test(key)) return "written";
	if (/^old_?(?:text|string)$/i.test(key)) return "replaced";
	return "argument";
}

function placeOf(entry: TranscriptEntry): Place {
	if (entry.role === "user") return "asked";
	if (entry.role === "assistant") return "said";
	if (entry.role !== "bash") return "noted";
	return entry.failed ? "failure" : "output";
}

function proseOf(entry: TranscriptEntry): string[] {
	return entry.blocks.flatMap((block) => (block.type === "text" ? block.text : []));
}
