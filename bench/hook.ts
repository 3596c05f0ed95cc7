import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerPalimpsest } from "../src/adapters/pi/register.ts";
import { BILLED, Sandbox } from "../tests/pi/sandbox.ts";
import { atMost, median, type Row } from "./row.ts";
import { writeSession } from "./workload/tool-loop.ts";

/** Entries of the sessions; some 2.4 KB each, as in those that hosts record. */
const SIZES = [500, 5_000, 20_000];

/** Requests of one tool loop. At the first ones the store is filled, folds come to stand, and code is compiled. */
const REQUESTS = 100;
const LEFT_OUT = 40;

/** What requests took, ms each; and at the last one, messages of the host and of ours. */
interface Times {
	readonly own: number[];
	readonly clone: number[];
	readonly turnEnd: number[];
	messages: number;
	sent: number;
}

/**
 * Our own time per request in the real host while folds stand: that of our handler, which the request waits for, beside
 * the copy the host makes of its messages for handlers. In turns, so that both saw the same machine.
 */
export async function run(): Promise<readonly Row[]> {
	const rows: Row[] = [];
	for (const size of SIZES) {
		const times = await timesAt(size);
		console.log(
			`${size} entries: ${times.messages} messages, ${times.sent} sent;` +
				` what is recorded behind each turn takes ${median(times.turnEnd).toFixed(2)} ms`,
		);
		rows.push(
			atMost(0.03, {
				name: `own time per request, ${size.toLocaleString("en-US")} entries`,
				value: median(times.own),
				unit: "ms",
				against: "structuredClone of the messages",
				limit: median(times.clone),
			}),
		);
	}
	return rows;
}

async function timesAt(size: number): Promise<Times> {
	await using sandbox = new Sandbox();
	const times: Times = { own: [], clone: [], turnEnd: [], messages: 0, sent: 0 };
	// a request adds two entries, so that the session has its size in the middle of what is measured
	const entries = size - REQUESTS - LEFT_OUT;
	const file = await writeSession(sandbox.sessions, { cwd: sandbox.dir, entries });
	const host = await sandbox.open(file, {
		models: BILLED.map((model) => ({ ...model, contextWindow: 200_000 })),
		engine: (pi) => registerPalimpsest(timed(pi, times)),
	});
	const call = (n: number) => fauxToolCall("fetch", { page: `page-${n}.ts`, chars: 1_500 });
	await host.play("go on", [
		...Array.from({ length: REQUESTS - 1 }, (_, n) => () => {
			return fauxAssistantMessage(call(n), { stopReason: "toolUse" });
		}),
		() => fauxAssistantMessage("done"),
	]);
	const { own, clone, turnEnd, messages, sent } = times;
	const troubles = [...host.errors, ...host.said.filter((text) => text.includes("goes on without"))];
	if (troubles.length > 0) throw new Error(troubles.join("\n"));
	if (own.length !== REQUESTS || sent > messages / 2) throw new Error(`${messages} messages, ${sent} sent`);
	return {
		own: own.slice(LEFT_OUT),
		clone: clone.slice(LEFT_OUT),
		turnEnd: turnEnd.slice(LEFT_OUT),
		messages,
		sent,
	};
}

/** The host as ours sees it, but that what it calls before a request and behind a turn is timed. */
function timed(pi: ExtensionAPI, times: Times): ExtensionAPI {
	let behind = 0;
	const on = (name: string, handler: (event: never, ctx: never) => unknown) => {
		if (name === "context_with_system") {
			pi.on(name, async (event, ctx) => {
				const start = performance.now();
				const result = (await handler(event as never, ctx as never)) as typeof event | undefined;
				const between = performance.now();
				structuredClone(event.messages);
				times.own.push(between - start);
				times.clone.push(performance.now() - between);
				times.turnEnd.push(behind);
				behind = 0;
				times.messages = event.messages.length;
				times.sent = (result ?? event).messages.length;
				return result;
			});
		} else if (name === "turn_end") {
			pi.on(name, async (event, ctx) => {
				const start = performance.now();
				await handler(event as never, ctx as never);
				behind += performance.now() - start;
			});
		} else pi.on(name as never, handler as never);
	};
	return new Proxy(pi, { get: (host, key) => (key === "on" ? on : Reflect.get(host, key)) });
}
