import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { atLeast, atMost, type Row } from "./row.ts";

const MB = 1_000_000;
const SMALL = 100 * MB;
const LARGE = 1000 * MB;
/** what a file ten times as large may cost on top */
const GROWTH = 150 * MB;
const ROUNDS = 3;

const MODES = ["entries", "parse", "scan"] as const;
type Mode = (typeof MODES)[number];

interface Run {
	readonly seconds: number;
	/** peak resident set, bytes */
	readonly rss: number;
	readonly count: number;
}

/** Peak memory and speed of reading session files of 100 MB and 1 GB, each pass in a process of its own. */
export async function run(): Promise<readonly Row[]> {
	const home = await mkdtemp(join(tmpdir(), "palimpsest-reader-"));
	try {
		const small = await sessionOf(join(home, "small.jsonl"), SMALL);
		const large = await sessionOf(join(home, "large.jsonl"), LARGE);
		const atSmall: Run[] = [];
		const atLarge: { readonly [M in Mode]: Run[] } = { entries: [], parse: [], scan: [] };
		for (let round = 0; round < ROUNDS; round++) {
			atSmall.push(await pass("entries", small));
			for (const mode of MODES) atLarge[mode].push(await pass(mode, large));
		}
		const counts = MODES.map((mode) => atLarge[mode][0]?.count ?? 0);
		if (counts[0] !== (counts[1] ?? 0) - 1 || counts[1] !== counts[2])
			throw new Error(`${counts.join(", ")}: not every line but the header came out as an entry`);
		// The fastest pass: whatever else the machine did makes passes slower, never faster.
		const speed = (mode: Mode) => LARGE / MB / Math.min(...atLarge[mode].map(({ seconds }) => seconds));
		return [
			atMost(1, {
				name: "peak memory, 1 GB more than 100 MB",
				value: (peakOf(atLarge.entries) - peakOf(atSmall)) / MB,
				unit: "MB",
				against: `allowed growth, from ${Math.round(peakOf(atSmall) / MB)} MB`,
				limit: GROWTH / MB,
			}),
			atLeast(0.4, {
				name: "read 1 GB of entries",
				value: speed("entries"),
				unit: "MB/s",
				against: "line scan and JSON.parse alone",
				limit: speed("parse"),
			}),
			atLeast(0.02, {
				name: "read 1 GB of entries",
				value: speed("entries"),
				unit: "MB/s",
				against: "bare read and newline scan",
				limit: speed("scan"),
			}),
		];
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

function peakOf(runs: readonly Run[]): number {
	return Math.max(...runs.map(({ rss }) => rss));
}

async function pass(mode: Mode, path: string): Promise<Run> {
	const child = fileURLToPath(new URL("./reader-child.ts", import.meta.url));
	const { stdout } = await promisify(execFile)(process.execPath, [child, mode, path]);
	return JSON.parse(stdout) as Run;
}

/** Writes a session of at least so many bytes: turns of a question, a call and a result of up to 8 KB, at times an image. */
async function sessionOf(path: string, bytes: number): Promise<string> {
	await pipeline(Readable.from(turns(bytes)), createWriteStream(path));
	if ((await stat(path)).size < bytes) throw new Error(`${path} came out too small`);
	return path;
}

function* turns(bytes: number): Generator<string> {
	const at = "2026-01-01T12:00:00.000Z";
	const words = 'const export entry of function await return line reader — größe 漢字 \\ " \n\t'.repeat(200);
	const image = "iVBORw0KGgo".repeat(30_000);
	const cost = { input: 0.01, output: 0.02, cacheRead: 0.001, cacheWrite: 0.004, total: 0.035 };
	const usage = { input: 12, output: 345, cacheRead: 67_890, cacheWrite: 1234, totalTokens: 69_481, cost };
	const model = { api: "anthropic-messages", provider: "anthropic", model: "claude-sonnet-4-5" };
	const header = { type: "session", version: 3, id: "bench", timestamp: at, cwd: "/bench" };
	let written = 0;
	let n = 0;
	let random = 1;
	function lineOf(message: object): string {
		const id = (n + 1).toString(16).padStart(8, "0");
		const parentId = n === 0 ? null : n.toString(16).padStart(8, "0");
		n++;
		return `${JSON.stringify({ type: "message", id, parentId, timestamp: at, message })}\n`;
	}
	function text(most: number): string {
		random = (random * 48_271) % 2_147_483_647;
		const length = random % most;
		return words.slice(random % 1000, (random % 1000) + length);
	}
	yield `${JSON.stringify(header)}\n`;
	while (written < bytes) {
		const callId = `toolu_${n}`;
		const call = { type: "toolCall", id: callId, name: "bash", arguments: { command: text(300) } };
		const thinking = { type: "thinking", thinking: text(1500), thinkingSignature: "c2lnbmF0dXJl" };
		const content: object[] = [{ type: "text", text: text(8000) }];
		if (n % 400 === 0) content.push({ type: "image", data: image, mimeType: "image/png" });
		const turn =
			lineOf({ role: "user", content: text(200), timestamp: 1 }) +
			lineOf({
				role: "assistant",
				content: [thinking, call],
				...model,
				usage,
				stopReason: "toolUse",
				timestamp: 1,
			}) +
			lineOf({
				role: "toolResult",
				toolCallId: callId,
				toolName: "bash",
				content,
				isError: false,
				timestamp: 1,
			});
		written += Buffer.byteLength(turn);
		yield turn;
	}
}
