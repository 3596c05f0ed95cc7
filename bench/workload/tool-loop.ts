import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Steps of a turn: a question, calls with their results, and the answer. */
const STEPS = 12;

const USAGE = {
	input: 10,
	output: 10,
	cacheRead: 0,
	cacheWrite: 0,
	totalTokens: 20,
	cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

/** Writes a session of the host's with so many entries, some 2.4 KB each; returns its file. */
export async function writeSession(
	directory: string,
	{ cwd, entries }: { readonly cwd: string; readonly entries: number },
): Promise<string> {
	const header = { type: "session", version: 3, id: "long", timestamp: stampOf(0), cwd };
	const lines = [JSON.stringify(header)];
	for (let n = 0; n < entries; n++) {
		const place = { id: idOf(n), parentId: n === 0 ? null : idOf(n - 1), timestamp: stampOf(n) };
		lines.push(
			JSON.stringify({ type: "message", ...place, message: { ...messageOf(n), timestamp: timeOf(n) } }),
		);
	}
	await mkdir(directory, { recursive: true });
	const file = join(directory, "long.jsonl");
	await writeFile(file, `${lines.join("\n")}\n`);
	return file;
}

function messageOf(n: number): object {
	const step = n % STEPS;
	if (step === 0) return { role: "user", content: `Look at part ${n}. `.repeat(20) };
	const page = `src/page-${n}.ts`;
	if (step === STEPS - 1) return reply(`Part ${n} is done. `.repeat(60));
	if (step % 2 === 1) return reply(`Reading part ${n}. `.repeat(30), { page, chars: 1_500 }, `call_${n}`);
	return {
		role: "toolResult",
		toolCallId: `call_${n - 1}`,
		toolName: "fetch",
		content: [{ type: "text", text: `${page} line ${n}: value_${n % 7}\n`.repeat(140) }],
		isError: false,
	};
}

function reply(text: string, args?: object, id?: string): object {
	const call = { type: "toolCall", id, name: "fetch", arguments: args };
	return {
		role: "assistant",
		content: [{ type: "text", text }, ...(args ? [call] : [])],
		api: "faux",
		provider: "faux",
		model: "faux-1",
		usage: USAGE,
		stopReason: args ? "toolUse" : "stop",
	};
}

function idOf(n: number): string {
	return (n + 1).toString(16).padStart(8, "0");
}

function timeOf(n: number): number {
	return Date.parse("2026-01-01T00:00:00.000Z") + n * 1_000;
}

function stampOf(n: number): string {
	return new Date(timeOf(n)).toISOString();
}
