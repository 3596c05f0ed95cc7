import { rmSync } from "node:fs";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Host } from "./sandbox.ts";

/** The tools a model needs to print much and to read it back. */
export const tools = ["bash", "fetch", "pi_fold_context"];

/** Prints 1.3 MB, each line its own. */
export const LARGE = "seq 1 200000";
/** What that prints. */
export const large = Array.from({ length: 200_000 }, (_, n) => `${n + 1}\n`).join("");

const made = new Set<string>();

/** Removes the files the host left of what was run so far. */
export function removeFiles(): void {
	for (const path of made) rmSync(path, { force: true });
	made.clear();
}

/** The model runs commands, all of one reply; returns the entries of the results. */
export async function run(
	host: Host,
	commands: readonly string[],
	more: object = {},
): Promise<SessionEntry[]> {
	const calls = commands.map((command) => fauxToolCall("bash", { command, ...more }));
	const known = new Set(host.session.sessionManager.getBranch().map(({ id }) => id));
	await host.play("run it", [
		() => fauxAssistantMessage(calls, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("it ran"),
	]);
	const results = host.session.sessionManager
		.getBranch()
		.filter(
			(entry) => !known.has(entry.id) && entry.type === "message" && entry.message.role === "toolResult",
		);
	for (const entry of results) for (const path of filesIn(entry)) made.add(path);
	return results;
}

/** The host's files that an entry names. */
export function filesIn(entry: SessionEntry): string[] {
	return [...new Set(JSON.stringify(entry).match(/\/[^"\]\\ ]*\/pi-bash-[0-9a-f]+\.log/g))];
}

/** The call a result answers. */
export function callOf(entry: SessionEntry): string {
	return entry.type === "message" && entry.message.role === "toolResult" ? entry.message.toolCallId : "";
}

/** The model reads back; returns the text of the result, before anything is clipped. */
export async function peek(host: Host, args: Record<string, unknown>): Promise<string> {
	const call = fauxToolCall("pi_fold_context", { action: "peek", ...args });
	await host.play("what did it say?", [
		() => fauxAssistantMessage(call, { stopReason: "toolUse" }),
		() => fauxAssistantMessage("I see"),
	]);
	const results = host.session.messages.filter((message) => message.role === "toolResult");
	const [block] = results.at(-1)?.content ?? [];
	return block?.type === "text" ? block.text : "";
}

/** All that peeks read, one behind the other. */
export async function readWhole(host: Host, id: string): Promise<string> {
	let read = "";
	for (let offset: number | undefined = 0; offset !== undefined; ) {
		const lines = (await peek(host, { id, offset, bytes: 200_000 })).split("\n");
		const next = /^\[\d+ bytes are left: pi_fold_context (\{.*\})\]$/.exec(lines.at(-1) ?? "");
		read += lines.slice(2, next ? -1 : undefined).join("\n");
		offset = next ? JSON.parse(next[1] ?? "").offset : undefined;
	}
	return read;
}
