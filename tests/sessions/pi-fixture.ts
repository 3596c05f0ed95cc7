import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import {
	openSession,
	type SessionFile,
	type SessionOptions,
} from "../../src/adapters/sessions/pi/session.ts";

/** A folder that is there until the test ends. */
export function folder(): string {
	const path = mkdtempSync(join(tmpdir(), "palimpsest-session-"));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

/** Writes a session file into a folder of its own: lines, or bytes as they are. */
export function fileOf(content: readonly (string | object)[] | Buffer): string {
	const path = join(folder(), "session.jsonl");
	writeFileSync(
		path,
		Buffer.isBuffer(content) ? content : content.map((line) => `${textOf(line)}\n`).join(""),
	);
	return path;
}

/** A line as the host writes it. */
export function textOf(line: string | object): string {
	return typeof line === "string" ? line : JSON.stringify(line);
}

/** Opens a session and reads all of it. */
export async function load(
	content: readonly (string | object)[] | Buffer,
	options?: SessionOptions,
): Promise<{ session: SessionFile; entries: TranscriptEntry[] }> {
	const session = await openSession(fileOf(content), options);
	return { session, entries: await drain(session.entries) };
}

/** All that an iterable yields. */
export async function drain<T>(items: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const item of items) all.push(item);
	return all;
}

/** The entry's bytes as text. */
export function sourceOf(entry: TranscriptEntry): string {
	return Buffer.from(entry.bytes).toString();
}

/** Texts of an entry's blocks. */
export function textsOf(entry: TranscriptEntry | undefined): string[] {
	return (entry?.blocks ?? []).flatMap((block) => (block.type === "text" ? [block.text] : []));
}

/** The time of the `n`th entry, as the host writes it. */
export function stamp(n: number): string {
	return new Date(Date.UTC(2026, 0, 1, 12, 0, n)).toISOString();
}

export function header(version?: number): object {
	const rest = { id: "0190-session", timestamp: stamp(0), cwd: "/home/someone/project" };
	return version === undefined ? { type: "session", ...rest } : { type: "session", version, ...rest };
}

/** An entry without id, as version 1 has it. */
export function plain(type: string, n: number, fields: object): object {
	return { type, timestamp: stamp(n), ...fields };
}

/** An entry called `e<n>` that follows the one before it, as versions 2 and 3 have it. */
export function node(type: string, n: number, fields: object, parentId = n > 1 ? `e${n - 1}` : null): object {
	return { type, id: `e${n}`, parentId, timestamp: stamp(n), ...fields };
}

export function user(text: string): { message: object } {
	return { message: { role: "user", content: [{ type: "text", text }], timestamp: 1_767_268_800_000 } };
}

export const usage = {
	input: 7,
	output: 11,
	cacheRead: 13,
	cacheWrite: 17,
	totalTokens: 48,
	cost: { input: 0.1, output: 0.2, cacheRead: 0.3, cacheWrite: 0.4, total: 1 },
};

export function assistant(content: readonly object[], fields: object = {}): { message: object } {
	const model = { api: "anthropic-messages", provider: "anthropic", model: "claude-opus" };
	const message = {
		role: "assistant",
		content,
		...model,
		usage,
		stopReason: "stop",
		timestamp: 1_767_268_801_000,
	};
	return { message: { ...message, ...fields } };
}

export function result(callId: string, text: string, isError = false): { message: object } {
	const content = [{ type: "text", text }];
	return {
		message: { role: "toolResult", toolCallId: callId, toolName: "bash", content, isError, timestamp: 1 },
	};
}
