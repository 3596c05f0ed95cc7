import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type AssistantMessage, fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerPalimpsest } from "../src/adapters/pi/register.ts";
import { WindowChecker } from "../src/debug/window-check.ts";
import { Engine } from "../src/engine/engine.ts";
import { sha256Node } from "../src/store/hash.ts";
import { BILLED, type Host, Sandbox } from "../tests/pi/sandbox.ts";
import { shared } from "../tests/pi/shared.ts";
import { atMost, type Row } from "./row.ts";

const REQUESTS = 2_000;

/** Characters of each result; 40 MB in all. */
const RESULT_CHARS = 17_000;

const WINDOW_TOKENS = 200_000;

/** Requests at both ends whose times are set beside each other. */
const ENDS = 100;

const MB = 1_000_000;

/** What one request showed. */
interface Seen {
	/** ms our own handlers worked: before it, and behind the turn before it */
	own: number;
	/** ms from the request before to this one, host and all */
	readonly whole: number;
	readonly tokens: number;
}

/** Bytes of the process when nothing is left to collect, and of the transcript that the host keeps in memory. */
interface Memory {
	readonly heap: number;
	readonly rss: number;
	readonly transcript: number;
}

/**
 * A turn that never ends, in the real host: calls and large results alone, under the defaults of the package. Every
 * window is checked as the provider gets it and as the log has it.
 */
export async function run(): Promise<readonly Row[]> {
	const checkers = checkingEngines();
	await using sandbox = new Sandbox();
	let own = 0;
	const host = await sandbox.create({
		models: BILLED.map((model) => ({ ...model, contextWindow: WINDOW_TOKENS })),
		compaction: { reserveTokens: 16_384, keepRecentTokens: 20_000 },
		after: [
			(pi) => {
				pi.on("tool_call", async () => {
					const { length } = watch.seen;
					if (length !== ENDS && length !== REQUESTS / 2 && length !== REQUESTS - 1) return;
					// until what was recorded of the request is on the disk, and nothing of it is held any more
					await pause(200);
					memory.push(memoryOf(host));
				});
			},
		],
		engine: (pi) => registerPalimpsest(timed(pi, (ms) => (own += ms))),
	});
	const watch = new Watch(host);
	const memory: Memory[] = [];
	const script = Array.from({ length: REQUESTS }, (_, n) => (): AssistantMessage => {
		watch.look(own);
		own = 0;
		const call = fauxToolCall("fetch", { page: `src/part-${n}.ts`, chars: RESULT_CHARS });
		return n < REQUESTS - 1
			? fauxAssistantMessage(call, { stopReason: "toolUse" })
			: fauxAssistantMessage("done");
	});
	await host.play("Go on until nothing is left", script);
	const faults = checkers.flatMap(({ faults }) => faults);
	const checked = checkers.reduce((sum, { windows }) => sum + windows, 0);
	for (const fault of [...watch.faults, ...faults].slice(0, 10)) console.log(JSON.stringify(fault));
	if (host.errors.length > 0) throw new Error(host.errors.join("\n"));
	return rowsOf(host, watch, memory, { faults: faults.length, checked });
}

function rowsOf(
	host: Host,
	watch: Watch,
	memory: readonly Memory[],
	{ faults, checked }: { readonly faults: number; readonly checked: number },
): readonly Row[] {
	const { seen, commits } = watch;
	const [start, middle, end] = memory;
	if (!start || !middle || !end || seen.length !== REQUESTS) throw new Error(`${seen.length} requests`);
	for (const [name, { heap, rss, transcript }] of Object.entries({ start, middle, end })) {
		const [beside, all, kept] = [heap - transcript, rss, transcript].map((bytes) => (bytes / MB).toFixed(1));
		console.log(
			`${name}: heap without the host's transcript ${beside} MB, transcript ${kept} MB, rss ${all} MB`,
		);
	}
	const ends = (value: (seen: Seen) => number) =>
		[seen.slice(0, ENDS), seen.slice(-ENDS)].map(
			(part) => part.reduce((sum, one) => sum + value(one), 0) / ENDS,
		);
	const [ownFirst = 0, ownLast = 0] = ends(({ own }) => own);
	const [first = 0, last = 0] = ends(({ whole }) => whole);
	console.log(
		`${commits} commits, ${host.path("compaction").length} compactions of the host; ${checked} windows checked in the log`,
	);
	console.log(
		`mean time between requests, the host's copies of all messages among it: ${first.toFixed(1)} ms, at the end ${last.toFixed(1)} ms`,
	);
	const none = { unit: "", against: "requests", limit: REQUESTS };
	return [
		atMost(0, { name: "prefix changes without a cause", value: watch.unattributed, ...none }),
		atMost(0, { name: "windows that are no conversation", value: watch.unpaired, ...none }),
		atMost(0, { name: "faults in the log's windows", value: faults + Math.abs(REQUESTS - checked), ...none }),
		atMost(1, {
			name: "largest window",
			value: Math.max(...seen.map(({ tokens }) => tokens)),
			unit: "tokens",
			against: "the model's window",
			limit: WINDOW_TOKENS,
		}),
		atMost(2, {
			name: `own work per request, last ${ENDS}`,
			value: ownLast,
			unit: "ms",
			against: `first ${ENDS}`,
			limit: ownFirst,
		}),
		atMost(1.5, {
			name: "heap without the host's transcript, end",
			value: (end.heap - end.transcript) / MB,
			unit: "MB",
			against: "at the middle",
			limit: (middle.heap - middle.transcript) / MB,
		}),
	];
}

/** Looks at each request as the provider got it, and lets go of it. */
class Watch {
	readonly seen: Seen[] = [];
	readonly faults: string[] = [];
	unattributed = 0;
	unpaired = 0;
	commits = 0;
	readonly #host: Host;
	#before: readonly string[] = [];
	#at = performance.now();

	constructor(host: Host) {
		this.#host = host;
	}

	look(own: number): void {
		const whole = performance.now() - this.#at;
		const request = this.#host.requests.at(-1) ?? [];
		this.#host.requests.splice(0, this.#host.requests.length - 1);
		const { length } = this.#host.said.filter((sentence) => sentence.includes("folded about"));
		const kept = shared(this.#before, request);
		if (kept < this.#before.length && length === this.commits) {
			this.unattributed++;
			this.faults.push(`request ${this.seen.length + 1} changed at message ${kept}`);
		}
		const stray = strayOf(request);
		if (stray !== undefined) {
			this.unpaired++;
			this.faults.push(`request ${this.seen.length + 1}: ${stray}`);
		}
		this.commits = length;
		this.#before = request;
		const chars = request.reduce((sum, message) => sum + message.length, 0);
		this.seen.push({ own, whole, tokens: chars / 4 });
		this.#at = performance.now();
	}
}

/** What is wrong with a conversation: a result without its call, or a call without its result. */
function strayOf(request: readonly string[]): string | undefined {
	let open = new Set<string>();
	for (const [at, text] of request.entries()) {
		const { role, toolCallId, content } = JSON.parse(text);
		if (role === "toolResult") {
			if (!open.delete(toolCallId)) return `message ${at} answers no call`;
			continue;
		}
		if (open.size > 0) return `calls before message ${at} have no result`;
		const blocks: { type: string; id: string }[] = role === "assistant" ? content : [];
		open = new Set(blocks.flatMap(({ type, id }) => (type === "toolCall" ? [id] : [])));
	}
	return open.size > 0 ? "the last calls have no result" : undefined;
}

/** Gives every engine that begins from now on a checker of its windows. */
function checkingEngines(): readonly WindowChecker[] {
	const checkers: WindowChecker[] = [];
	const { note } = Engine.prototype;
	const seen = new WeakSet<Engine>();
	Engine.prototype.note = function (...args) {
		if (!seen.has(this)) {
			seen.add(this);
			const checker = new WindowChecker({ content: (digest) => this.content(digest), hash: sha256Node });
			checkers.push(checker);
			Object.assign((this as unknown as { parts: object }).parts, { observer: checker });
		}
		return note.apply(this, args);
	};
	return checkers;
}

/** The host as ours sees it, but that what ours takes is told. */
function timed(pi: ExtensionAPI, tell: (ms: number) => void): ExtensionAPI {
	const on = (name: string, handler: (event: never, ctx: never) => unknown) =>
		pi.on(name as "turn_end", async (event, ctx) => {
			const start = processorMs();
			try {
				return (await handler(event as never, ctx as never)) as undefined;
			} finally {
				tell(processorMs() - start);
			}
		});
	return { ...pi, on: on as ExtensionAPI["on"] };
}

function memoryOf(host: Host): Memory {
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	collect();
	const { heapUsed, rss } = process.memoryUsage();
	const entries = host.session.sessionManager.getEntries();
	return {
		heap: heapUsed,
		rss,
		transcript: entries.reduce((sum, entry) => sum + JSON.stringify(entry).length, 0),
	};
}

/** What this thread has worked so far, ms; what it waited for, and what others on the machine did, is left out. */
function processorMs(): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
}
