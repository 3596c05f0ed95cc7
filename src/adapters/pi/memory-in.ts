import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { LiveMemory } from "./live-memory.ts";
import type { LiveSession } from "./live-session.ts";
import { memoryTroubles, newKeyringWords } from "./memory-troubles.ts";
import type { Clock } from "./patience.ts";
import { say } from "./say.ts";

/** The memory where a session runs, opened when it is first asked for; `undefined` once it was shut down. */
export type MemoryIn = (ctx: ExtensionContext) => LiveMemory | undefined;

/** What memory is opened with. */
export interface MemoryOptions {
	/** the session that runs, opened if need be; `undefined` where it is over */
	readonly liveIn: (ctx: ExtensionContext) => Promise<LiveSession | undefined>;
	/** whether anything is remembered where a session runs */
	readonly isEnabled: (ctx: ExtensionContext) => boolean;
	readonly clock: Clock;
}

/**
 * Opens memory when a session starts, which nothing waits for, has what is queued written at the end of each turn, and lets
 * go of it at shutdown, before the session's own log is closed: so this must be registered before that.
 */
export function registerMemory(pi: ExtensionAPI, { liveIn, isEnabled, clock }: MemoryOptions): MemoryIn {
	let memory: LiveMemory | undefined;
	let isOver = false;
	const close = async (ctx: ExtensionContext, closing: LiveMemory | undefined) => {
		const lost = (await closing?.close()) ?? 0;
		const what = lost === 1 ? "one thing that was" : `${lost} things that were`;
		if (lost > 0) say(ctx, `${what} to be remembered could not be written`, "warning");
	};
	/** what of memory's troubles was told of the session that runs */
	let told = new Set<string>();
	const tell = (ctx: ExtensionContext) => {
		if (!memory) return;
		const troubles = memoryTroubles(memory).filter(({ of }) => of !== "session");
		const begun = newKeyringWords(memory);
		const all = [...troubles, ...(begun === undefined ? [] : [{ of: "begun", words: begun }])];
		for (const { of, words } of all) {
			if (told.has(of)) continue;
			told.add(of);
			say(ctx, words, "warning");
		}
	};
	const memoryIn: MemoryIn = (ctx) => {
		if (isOver) return undefined;
		const { sessionManager: session, cwd } = ctx;
		const id = session.getSessionId();
		if (memory?.id === id && memory.cwd === cwd) return memory;
		const before = memory;
		let live: LiveSession | undefined;
		memory = new LiveMemory({
			session: id,
			cwd,
			clock,
			ask: async (work) => {
				live = await liveIn(ctx);
				return live?.withLog(session, ({ memory, refusal }) => work({ ...memory, refusal }));
			},
			silence: () => live?.silence ?? "the session is over",
			changed: () => tell(ctx),
		});
		told = new Set();
		const opened = memory;
		void opened.whenRead.then(() => memory === opened && tell(ctx));
		void close(ctx, before);
		return memory;
	};
	pi.on("session_start", (_event, ctx) => {
		isOver = false;
		if (isEnabled(ctx)) memoryIn(ctx);
	});
	// nobody waits for it, and what came up meanwhile is told before the next turn
	pi.on("before_agent_start", (_event, ctx) => tell(ctx));
	pi.on("turn_end", () => void memory?.workspace.flush());
	pi.on("session_shutdown", async (_event, ctx) => {
		isOver = true;
		const closing = memory;
		memory = undefined;
		await close(ctx, closing);
	});
	return memoryIn;
}
