import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname } from "node:path";
import process from "node:process";
import type { SessionEntry, ToolResultEvent } from "@earendil-works/pi-coding-agent";

/** A result the host cut short, and the file it left with all of it. */
export interface CutResult {
	/** the tool that ran; `!` for a command of the user's own */
	readonly source: string;
	readonly path: string;
}

/** A file of the host's, open: it can be read to its end whatever becomes of its name. */
export interface OpenOutput {
	readonly file: FileHandle;
	readonly bytes: number;
}

/** What the host says of the whole output as a tool's result comes in. */
export function cutResult(event: ToolResultEvent): CutResult | undefined {
	// what a tool inside a tool gave out is shown to nobody
	if (event.parentToolCallId !== undefined) return undefined;
	const path = pathOf(event);
	return path === undefined ? undefined : { source: event.toolName, path };
}

/**
 * The same as an entry has it. A session file may come from anywhere, so only what is named as the host names its own
 * files is believed.
 */
export function cutResultIn(entry: SessionEntry): CutResult | undefined {
	if (entry.type !== "message") return undefined;
	const { message } = entry;
	let found: { source: string; path: string | undefined } | undefined;
	if (message.role === "toolResult") found = { source: message.toolName, path: pathOf(message) };
	if (message.role === "bashExecution") found = { source: "!", path: message.fullOutputPath };
	if (found?.path === undefined || !isOfHost(found.path)) return undefined;
	return { source: found.source, path: found.path };
}

/** Opens a file of the host's; `undefined` where there is none, or it is none of this user's. */
export async function openOutput(path: string): Promise<OpenOutput | undefined> {
	const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
	const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
	const stat = await file?.stat().catch(() => undefined);
	// not every system knows users by number
	const isOurs = process.getuid === undefined || stat?.uid === process.getuid();
	if (file && stat?.isFile() && isOurs) return { file, bytes: stat.size };
	await file?.close();
	return undefined;
}

function pathOf({
	details,
	content,
	isError,
}: {
	readonly details?: unknown;
	readonly content: ToolResultEvent["content"];
	readonly isError: boolean;
}): string | undefined {
	const path = (details as { fullOutputPath?: unknown } | undefined)?.fullOutputPath;
	if (typeof path === "string") return path;
	// a command that was aborted or ran out of time loses its details, and only its text still names the file
	const last = content.at(-1);
	const named = isError && last?.type === "text" ? ABORTED.exec(last.text)?.[1] : undefined;
	return named !== undefined && isOfHost(named) ? named : undefined;
}

/** How the host ends the text of a command that was not let come to its end. */
const ABORTED = /\n\[Showing (?:lines|last) [^\n]*Full output: ([^\]\n]+)\]\n\nCommand [^\n]*$/;

/** Whether a path is one that the host gives its output files. */
function isOfHost(path: string): boolean {
	return dirname(path) === tmpdir() && /^pi-[a-z-]+-[0-9a-f]{16}\.[a-z]+$/.test(basename(path));
}
