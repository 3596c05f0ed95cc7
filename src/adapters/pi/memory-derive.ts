import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { decideDerive, decideRetire } from "../../commands/memory/derive.ts";
import { derivedNext } from "../../engine/memory/derivation.ts";
import type { CompactConfig } from "./compact-config.ts";
import { hashText } from "./hash-text.ts";
import type { MemoryIn } from "./memory-in.ts";
import { written } from "./memory-write.ts";
import type { SessionIn } from "./status-command.ts";

/** What drawing records from a session needs of the rest. */
interface DerivingHost {
	readonly sessionIn: SessionIn;
	readonly memoryIn: MemoryIn;
	/** what holds where a session runs; `undefined` where another extension sees to memory */
	readonly config: (ctx: ExtensionContext) => CompactConfig | undefined;
}

/**
 * Has rules draw records for a session from what left its window, behind commits and compactions, a run of entries at a
 * time. Nobody waits for it; they are provisional, and what cannot be written is drawn again later.
 */
export function registerDerivation(pi: ExtensionAPI, { sessionIn, memoryIn, config }: DerivingHost): void {
	let last: string | undefined;
	let isRunning = false;

	const derive = async (ctx: ExtensionContext) => {
		const { enabled, memory: switches } = config(ctx) ?? {};
		if (!enabled || !switches?.enabled || !switches.deriveOnCompact) return;
		const memory = memoryIn(ctx);
		if (!memory) return;
		const { sessionManager } = ctx;
		const session = sessionManager.getSessionId();
		const live = await sessionIn(ctx);
		const found = await live?.withLog(sessionManager, ({ engine }) =>
			derivedNext(engine, memory.session.memory, { session, hashText }, last),
		);
		if (!found) return;
		const by = { actor: "rule", cause: "memory.deriveOnCompact" } as const;
		const { drafts, through } = found;
		if (drafts.length > 0) {
			await written(memory, memory.session, by, (view) => decideDerive(view, drafts, { session, hashText }));
			const { records } = memory.workspace.memory;
			if ([...records.values()].some(({ author }) => author === "rule"))
				await written(memory, memory.workspace, by, (view) => decideRetire(view, drafts), { when: "soon" });
		}
		last = through;
	};
	const begin = (ctx: ExtensionContext) => {
		if (isRunning) return;
		isRunning = true;
		derive(ctx)
			// told where memory is asked for; the entries stay where they can be drawn from
			.catch(() => {})
			.finally(() => {
				isRunning = false;
			});
	};
	pi.on("turn_end", (_event, ctx) => begin(ctx));
	pi.on("session_compact", (_event, ctx) => begin(ctx));
	pi.on("session_start", () => {
		last = undefined;
	});
}
