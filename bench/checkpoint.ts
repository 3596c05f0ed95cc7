import type { ExtensionAPI, SessionEntry } from "@earendil-works/pi-coding-agent";
import { registerPalimpsest } from "../src/adapters/pi/register.ts";
import { BILLED, Sandbox } from "../tests/pi/sandbox.ts";
import { atMost, median, type Row } from "./row.ts";
import { writeSession } from "./workload/tool-loop.ts";

/** Characters of the window, and what a checkpoint of it may take, ms. */
const CHARS = 1_500_000;
const ALLOWED_MS = 50;

/** Characters of an entry of the sessions, about. */
const ENTRY_CHARS = 2_400;

/** Checkpoints made of one window, each dropped again; at the first ones code is compiled. */
const RUNS = 25;
const LEFT_OUT = 10;

/** What checkpoints took, ms each, beside the serialising of the same messages. */
interface Times {
	readonly own: number[];
	readonly serialised: number[];
	chars: number;
	summary: number;
}

/**
 * What a checkpoint takes in the real host, from the host's question to our answer, the event in the store included, beside
 * `JSON.stringify` of the messages it stands for.
 */
export async function run(): Promise<readonly Row[]> {
	const rows: Row[] = [];
	for (const times of [1, 4]) {
		const chars = CHARS * times;
		const { first, own, serialised, ...sizes } = await timesAt(Math.ceil(chars / ENTRY_CHARS));
		const millions = (sizes.chars / 1e6).toFixed(1);
		console.log(
			`${millions} M characters: ${median(own).toFixed(1)} ms, at most ${Math.max(...own).toFixed(1)};` +
				` a checkpoint of ${sizes.summary} characters`,
		);
		rows.push(
			atMost(4, {
				name: `a checkpoint of ${millions} M characters`,
				value: median(own),
				unit: "ms",
				against: "JSON.stringify of the messages",
				limit: median(serialised),
			}),
		);
		if (times > 1) continue;
		rows.push(
			atMost(1, {
				name: `the first checkpoint of a process, ${millions} M characters`,
				value: first,
				unit: "ms",
				against: "what it may take",
				limit: ALLOWED_MS,
			}),
			atMost(1, {
				name: `nine of ten checkpoints of ${millions} M characters`,
				value: own.toSorted((a, b) => a - b)[Math.floor(own.length * 0.9)] ?? Number.NaN,
				unit: "ms",
				against: "what it may take",
				limit: ALLOWED_MS,
			}),
		);
	}
	return rows;
}

async function timesAt(entries: number): Promise<Times & { readonly first: number }> {
	await using sandbox = new Sandbox();
	const times: Times = { own: [], serialised: [], chars: 0, summary: 0 };
	const file = await writeSession(sandbox.sessions, { cwd: sandbox.dir, entries });
	const host = await sandbox.open(file, {
		models: BILLED.map((model) => ({ ...model, contextWindow: 4_000_000 })),
		engine: (pi) => registerPalimpsest(timed(pi, times)),
		after: [(pi) => void pi.on("session_before_compact", () => ({ cancel: true }))],
	});
	await host.ask("go on");
	for (let n = 0; n < RUNS; n++) await host.session.compact().catch(() => {});
	if (host.errors.length > 0 || times.summary === 0) throw new Error(host.errors.join("\n"));
	const { own, serialised, ...sizes } = times;
	const [first = Number.NaN] = own;
	return { first, own: own.slice(LEFT_OUT), serialised: serialised.slice(LEFT_OUT), ...sizes };
}

/** The host as ours sees it, but that what makes a checkpoint is timed. */
function timed(pi: ExtensionAPI, times: Times): ExtensionAPI {
	const on = (name: string, handler: (event: never, ctx: never) => unknown) => {
		if (name !== "session_before_compact") {
			pi.on(name as never, handler as never);
			return;
		}
		pi.on(name, async (event, ctx) => {
			const start = performance.now();
			const result = (await handler(event as never, ctx as never)) as
				| { compaction?: { summary: string; details: unknown } }
				| undefined;
			const between = performance.now();
			if (!result?.compaction) return undefined;
			const messages = JSON.stringify(messagesOf(event.branchEntries));
			times.own.push(between - start);
			times.serialised.push(performance.now() - between);
			times.chars = messages.length;
			times.summary = result.compaction.summary.length;
			return result as never;
		});
	};
	return new Proxy(pi, { get: (host, key) => (key === "on" ? on : Reflect.get(host, key)) });
}

function messagesOf(entries: readonly SessionEntry[]): unknown[] {
	return entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
}
