import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Quote } from "../../../events/commit.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../projections/rules.ts";
import { LiveSession } from "./live-session.ts";
import { say } from "./say.ts";

/** What an embedding program may decide. */
export interface RegisterOptions {
	/** by which rules sessions are folded; the defaults unless given */
	readonly settings?: Settings;
}

/** Puts the engine into a host: its entries are recorded, `/fold` commits, and requests are projected. */
export function registerPalimpsest(pi: ExtensionAPI, options: RegisterOptions = {}): void {
	let live: LiveSession | undefined;
	let foldNext = false;
	let shutDown = false;

	const liveIn = async (ctx: ExtensionContext): Promise<LiveSession | undefined> => {
		if (shutDown) return undefined;
		const id = ctx.sessionManager.getSessionId();
		if (live?.id === id) return live;
		const before = live;
		// at once, so that whoever asks meanwhile gets the same one
		live = new LiveSession(id, {
			settings: options.settings ?? DEFAULT_SETTINGS,
			alive: () => isAlive(ctx),
			append: (type, data) => pi.appendEntry(type, data),
			tell: (trouble) => say(ctx, trouble, "warning"),
		});
		await before?.close();
		return live;
	};
	const fold = async (ctx: ExtensionContext): Promise<void> => {
		const session = await liveIn(ctx);
		if (!session) return;
		const { trouble } = session;
		const quote = await session.fold(ctx.sessionManager, ctx.model);
		if (trouble !== undefined) say(ctx, `nothing was folded: ${trouble}`, "warning");
		else if (session.trouble === undefined)
			say(ctx, quote ? folded(quote) : "nothing is foldable yet", "info");
	};

	pi.registerCommand("fold", {
		description: "Fold what is stale out of the model's window now",
		handler: async (_args, ctx) => {
			// While the model works the host appends messages, so the decision waits for a moment when it does not.
			foldNext = !ctx.isIdle();
			if (foldNext) say(ctx, "folding before the next request", "info");
			else await fold(ctx);
		},
	});
	pi.on("context_with_system", async ({ messages }, ctx) => {
		if (foldNext) {
			foldNext = false;
			await fold(ctx);
		}
		const projected = await (await liveIn(ctx))?.window(ctx.sessionManager, messages);
		return projected && { messages: projected };
	});
	pi.on("turn_end", async (_event, ctx) => {
		await (await liveIn(ctx))?.record(ctx.sessionManager);
	});
	pi.on("session_tree", async (_event, ctx) => {
		await (await liveIn(ctx))?.moved(ctx.sessionManager);
	});
	pi.on("session_start", () => {
		shutDown = false;
	});
	pi.on("session_shutdown", async () => {
		shutDown = true;
		foldNext = false;
		await live?.close();
		live = undefined;
	});
}

function folded({ before, after, freed }: Quote): string {
	const about = (tokens: number) => Math.round(tokens).toLocaleString("en-US");
	return `folded about ${about(freed)} tokens out of the window: ${about(before)} before, ${about(after)} from the next request on`;
}

/** The host drops a session by making everything of its context throw. */
function isAlive(ctx: ExtensionContext): boolean {
	try {
		return ctx.sessionManager !== undefined;
	} catch {
		return false;
	}
}
