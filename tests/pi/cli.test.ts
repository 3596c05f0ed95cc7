import { spawn } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { isFold, shared } from "./shared.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
const requests = join(dir, "requests.jsonl");

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** An extension that answers every request with six thousand characters and keeps what it was sent. */
const PROVIDER = `
import { appendFileSync } from "node:fs";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
export default function (pi) {
	pi.registerProvider("script", {
		api: "script-api", baseUrl: "http://127.0.0.1:9", apiKey: "none",
		models: [{ id: "m1", name: "m1", reasoning: false, input: ["text"], contextWindow: 20000, maxTokens: 4000,
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
		streamSimple(model, context) {
			appendFileSync(${JSON.stringify(requests)}, JSON.stringify(context.messages.map((m) => JSON.stringify(m))) + "\\n");
			const stream = createAssistantMessageEventStream();
			const text = Array.from({ length: 200 }, (_, n) => "reply line " + n + " of src/file-" + (n % 9) + ".ts").join("\\n");
			const zero = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
			const message = { role: "assistant", content: [{ type: "text", text }], api: model.api, provider: model.provider,
				model: model.id, usage: { ...zero, totalTokens: 0, cost: { ...zero, total: 0 } }, stopReason: "stop", timestamp: Date.now() };
			queueMicrotask(() => {
				stream.push({ type: "start", partial: message });
				stream.push({ type: "text_start", contentIndex: 0, partial: message });
				stream.push({ type: "text_end", contentIndex: 0, content: text, partial: message });
				stream.push({ type: "done", reason: "stop", message });
				stream.end();
			});
			return stream;
		},
	});
}
`;

/** Runs the host's own program in print mode, offline, on its own configuration. */
async function pi(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
	const program = realpathSync(join(ROOT, "node_modules", ".bin", "pi"));
	const child = spawn(process.execPath, [program, ...args], {
		cwd: dir,
		env: {
			PATH: process.env.PATH,
			HOME: dir,
			// where the host keeps what it compiled; it takes no notice of one that is its working directory
			TMPDIR: join(dir, "tmp"),
			PI_CODING_AGENT_DIR: join(dir, "agent"),
			PI_OFFLINE: "1",
			PI_TELEMETRY: "0",
			PI_SKIP_VERSION_CHECK: "1",
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const read = async (stream: NodeJS.ReadableStream) => {
		let text = "";
		for await (const chunk of stream) text += chunk;
		return text;
	};
	const ended = new Promise<number | null>((done) => child.on("close", done));
	const [stdout, stderr, code] = await Promise.all([read(child.stdout), read(child.stderr), ended]);
	return { code, stdout, stderr };
}

test("pi -e . folds by itself and says so, /fold answers, and the next process goes on with the same window", async () => {
	const provider = join(dir, "provider.ts");
	writeFileSync(provider, PROVIDER);
	mkdirSync(join(dir, "tmp"));
	const common = ["-e", ROOT, "-e", provider, "--model", "script/m1", "-nc", "--no-builtin-tools"];
	const prompts = Array.from({ length: 9 }, (_, n) => `question ${n}`);
	const first = await pi(...common, "-p", ...prompts, "/fold", "after the fold");
	expect(first.stderr).toMatch(/^Palimpsest: folded about [\d,]+ tokens .* now; the provider takes about/m);
	expect(first.stderr).toMatch(
		/^Palimpsest: (folded about [\d,]+ .* next request on|nothing is foldable yet)$/m,
	);
	expect(first.stderr).not.toMatch(/error/i);
	expect(first.code).toBe(0);
	const second = await pi(...common, "-c", "-p", "after a restart");
	expect(second).toMatchObject({ code: 0, stderr: "" });
	const windows: string[][] = readFileSync(requests, "utf8")
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(windows).toHaveLength(11);
	expect(windows.slice(0, 3).some((window) => window.some(isFold))).toBe(false);
	expect(windows[9]?.some(isFold)).toBe(true);
	expect(shared(windows[9] ?? [], windows[10] ?? [])).toBe(windows[9]?.length);
	expect(readdirSync(join(dir, "agent", "palimpsest", "sessions"))).toHaveLength(1);
});
