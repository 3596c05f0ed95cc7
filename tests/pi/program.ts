import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** The checkout the tests run in, which is a package of the host. */
export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** What the host compiled of our sources, by their contents: that takes it 3 s, and 0.1 s to find again. */
const COMPILED = join(CHECKOUT, "node_modules", ".cache", "compiled-by-the-host");

/** What a run of the program left. */
export interface Ended {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** A record of the host's JSON streams. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The host's own program, offline, in an empty home, answered by an extension instead of a provider. */
export class Program implements Disposable {
	/** where it works, outside of its home */
	readonly cwd = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-program-")));
	readonly home = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-home-")));
	readonly agent = join(this.home, "agent");
	/** arguments by which it is answered, in every run that asks something */
	readonly answered: readonly string[];
	readonly #outside = mkdtempSync(join(tmpdir(), "palimpsest-script-"));
	readonly #requests = join(this.#outside, "requests.jsonl");

	/** `compilesAnew` where it runs sources that no other run will have in that place */
	constructor({ compilesAnew = false } = {}) {
		const provider = join(this.#outside, "provider.ts");
		writeFileSync(provider, providerWritingTo(this.#requests));
		mkdirSync(join(this.#outside, "tmp"));
		if (!compilesAnew) {
			mkdirSync(COMPILED, { recursive: true });
			symlinkSync(COMPILED, join(this.#outside, "tmp", "jiti"), "junction");
		}
		this.answered = ["-e", provider, "--model", "script/m1", "-nc", "--no-builtin-tools"];
	}

	/** Runs it to its end. */
	async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
		const child = this.#spawn(args, env);
		child.stdin.end();
		const ended = once(child, "close");
		const [stdout, stderr, [code]] = await Promise.all([textOf(child.stdout), textOf(child.stderr), ended]);
		return { code, stdout, stderr };
	}

	/** Starts it in RPC mode. */
	rpc(args: readonly string[]): Rpc {
		return new Rpc(this.#spawn(["--mode", "rpc", ...args], {}));
	}

	/** Every request so far: its messages, each as JSON. */
	requests(): string[][] {
		if (!existsSync(this.#requests)) return [];
		const lines = readFileSync(this.#requests, "utf8").trimEnd().split("\n");
		return lines.map((line) => JSON.parse(line));
	}

	[Symbol.dispose](): void {
		for (const dir of [this.cwd, this.home, this.#outside]) rmSync(dir, { recursive: true, force: true });
	}

	#spawn(args: readonly string[], env: Readonly<Record<string, string>>) {
		const program = realpathSync(join(CHECKOUT, "node_modules", ".bin", "pi"));
		return spawn(process.execPath, [program, ...args], {
			cwd: this.cwd,
			env: {
				PATH: process.env.PATH,
				HOME: this.home,
				// where the host looks for what it compiled; it takes no notice of one that is its working directory
				TMPDIR: join(this.#outside, "tmp"),
				PI_CODING_AGENT_DIR: this.agent,
				PI_OFFLINE: "1",
				PI_TELEMETRY: "0",
				PI_SKIP_VERSION_CHECK: "1",
				...env,
			},
			stdio: ["pipe", "pipe", "pipe"],
		});
	}
}

/** A session driven over stdin and stdout. */
export class Rpc {
	/** every record that came, in order */
	readonly records: JsonRecord[] = [];
	/** lines on stdout that are no record */
	readonly noise: string[] = [];
	readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
	readonly #read: Promise<void>;
	readonly #stderr: Promise<string>;
	readonly #waiting = new Set<(record: JsonRecord) => void>();
	#sent = 0;

	constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
		this.#child = child;
		this.#stderr = textOf(child.stderr);
		this.#read = this.#follow(child.stdout);
	}

	/** Sends a command; resolves to its response. */
	async send(command: JsonRecord): Promise<JsonRecord> {
		const id = `c${++this.#sent}`;
		const answered = this.#next((record) => record.type === "response" && record.id === id);
		this.#child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
		return answered;
	}

	/** Sends a prompt; resolves once nothing is left to do on it. */
	async prompt(message: string): Promise<JsonRecord> {
		const settled = this.#next(({ type }) => type === "agent_settled");
		const response = await this.send({ type: "prompt", message });
		const { disposition } = (response.data ?? {}) as JsonRecord;
		if (disposition === "started") await settled;
		return response;
	}

	/** What extensions asked of the user's screen, by one method. */
	asked(method: string): JsonRecord[] {
		return this.records.filter(
			(record) => record.type === "extension_ui_request" && record.method === method,
		);
	}

	/** Closes stdin, upon which the host ends. */
	async end(): Promise<{ code: number | null; stderr: string }> {
		const closed = once(this.#child, "close");
		this.#child.stdin.end();
		const [[code]] = await Promise.all([closed, this.#read]);
		return { code, stderr: await this.#stderr };
	}

	/** Ends it as the system does with what takes too much memory. */
	async kill(): Promise<void> {
		const closed = once(this.#child, "close");
		this.#child.kill("SIGKILL");
		await closed;
	}

	#next(wanted: (record: JsonRecord) => boolean): Promise<JsonRecord> {
		return new Promise((found) => {
			const look = (record: JsonRecord) => {
				if (!wanted(record)) return;
				this.#waiting.delete(look);
				found(record);
			};
			this.#waiting.add(look);
		});
	}

	async #follow(stdout: Readable): Promise<void> {
		let rest = "";
		for await (const chunk of stdout.setEncoding("utf8")) {
			const lines = `${rest}${chunk}`.split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) this.#take(line);
		}
		if (rest !== "") this.noise.push(rest);
	}

	#take(line: string): void {
		const record = recordOf(line);
		if (!record) {
			this.noise.push(line);
			return;
		}
		this.records.push(record);
		for (const look of this.#waiting) look(record);
	}
}

/** The record on a line; `undefined` where there is none. */
export function recordOf(line: string): JsonRecord | undefined {
	try {
		const record = JSON.parse(line);
		return typeof record?.type === "string" ? record : undefined;
	} catch {
		return undefined;
	}
}

async function textOf(stream: Readable): Promise<string> {
	let text = "";
	for await (const chunk of stream.setEncoding("utf8")) text += chunk;
	return text;
}

/** An extension that answers each request with six thousand characters, or briefly, and keeps what it was sent. */
function providerWritingTo(file: string): string {
	return `
import { appendFileSync } from "node:fs";
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
export default function (pi) {
	pi.registerProvider("script", {
		api: "script-api", baseUrl: "http://127.0.0.1:9", apiKey: "none",
		models: [{ id: "m1", name: "m1", reasoning: false, input: ["text"], contextWindow: 21000, maxTokens: 4000,
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
		streamSimple(model, context) {
			appendFileSync(${JSON.stringify(file)}, JSON.stringify(context.messages.map((m) => JSON.stringify(m))) + "\\n");
			const stream = createAssistantMessageEventStream();
			const lines = JSON.stringify(context.messages.at(-1)).includes("briefly") ? 1 : 200;
			const text = Array.from({ length: lines }, (_, n) => "reply line " + n + " of src/file-" + (n % 9) + ".ts").join("\\n");
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
}
