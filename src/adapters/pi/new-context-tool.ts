import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { say } from "./say.ts";

/** The tool by which the model asks for a fresh window. */
const NEW_CONTEXT_TOOL = "pi_compact_new_context";

/** What the message is called that has the model go on once its window is fresh, as with pi-compact. */
const RESUME_NOTE = "pi-compact-resume";

const DESCRIPTION =
	"Compacts the window into a checkpoint once this turn's tools are done, and has you go on from there. For a new stage of the work; nothing is lost.";

const RESUME =
	"[The window was compacted as you asked; data, not a message of the user's. Go on with the work.]";

function notCompacted(why: string): string {
	return `[The window was not compacted (${why.slice(0, 200)}); data, not a message of the user's. Go on with the work as it is.]`;
}

/** A fresh window that was asked for and has not come yet. */
interface Pending {
	readonly session: string;
	/** the calls that asked; several of one turn are one wish */
	readonly calls: Set<string>;
	readonly signals: Set<AbortSignal>;
	/** whether the host was asked: it ends the run for that, which is then no sign that the user stopped it */
	isUnderway: boolean;
}

/**
 * Gives the model the tool. The compaction starts once the turn's results are kept, and is never waited for: the host
 * compacts when the run has ended. The model goes on by itself at most once, and not where the user said something, or
 * went elsewhere, in the meantime.
 */
export function registerNewContextTool(pi: ExtensionAPI): void {
	let pending: Pending | undefined;
	const drop = () => {
		pending = undefined;
	};

	pi.registerTool({
		name: NEW_CONTEXT_TOOL,
		label: "New context",
		description: DESCRIPTION,
		parameters: Type.Object({}),
		execute: async (call, _given, signal, _update, ctx) => {
			const session = ctx.sessionManager.getSessionId();
			if (typeof ctx.compact !== "function" || !session)
				return answer("This host cannot be asked from here; the user can: /compact.", {
					requested: false,
					degraded: true,
				});
			if (signal?.aborted) return answer("Stopped before it was asked for.", { requested: false });
			if (pending?.session !== session)
				pending = { session, calls: new Set(), signals: new Set(), isUnderway: false };
			pending.calls.add(call);
			if (signal) pending.signals.add(signal);
			if (ctx.isIdle()) {
				// called by a program, not in a run: there is nothing to go on with
				drop();
				ctx.compact({ onError: (error) => tell(ctx, error) });
				return answer("The window is being compacted.", {
					requested: true,
					deferred: false,
					degraded: false,
				});
			}
			return answer("The window will be compacted when this turn's tools are done.", {
				requested: true,
				deferred: true,
				degraded: false,
			});
		},
	});

	const tell = (ctx: ExtensionContext, error: Error) =>
		say(ctx, `the window was not compacted: ${error.message}`, "warning");

	/** Has the model go on, once, where nobody else does by now. */
	const goOn = (ctx: ExtensionContext, asked: Pending, content: string) => {
		if (pending !== asked) return;
		drop();
		if (!ctx.isIdle() || ctx.hasPendingMessages()) return;
		pi.sendMessage({ customType: RESUME_NOTE, content, display: false }, { triggerTurn: true });
	};

	pi.on("turn_end", ({ toolResults }, ctx) => {
		const asked = pending;
		if (!asked || asked.isUnderway) return;
		const isStopped = [...asked.signals].some(({ aborted }) => aborted);
		if (asked.session !== ctx.sessionManager.getSessionId() || isStopped) {
			drop();
			return;
		}
		const isDone = toolResults.some(({ toolCallId, isError }) => asked.calls.has(toolCallId) && !isError);
		if (!isDone || ctx.hasPendingMessages()) return;
		asked.isUnderway = true;
		ctx.compact({
			onComplete: () => goOn(ctx, asked, RESUME),
			onError: (error) => {
				tell(ctx, error);
				goOn(ctx, asked, notCompacted(error.message));
			},
		});
	});
	pi.on("input", ({ source }) => {
		if (source !== "extension") drop();
	});
	for (const event of ["session_before_switch", "session_before_fork", "session_before_tree"] as const)
		pi.on(event as "session_before_tree", drop);
	pi.on("session_shutdown", drop);
}

function answer(text: string, details: object) {
	return { content: [{ type: "text" as const, text }], details };
}
