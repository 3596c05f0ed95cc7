import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Quote } from "../../../events/commit.ts";
import { OUTPUT_CAP_BYTES } from "../../../projections/outputs.ts";
import type { Settings } from "../../../projections/rules.ts";
import { homeDirectory } from "../../store/identity.ts";
import { registerFoldTool } from "./fold-tool.ts";
import { LiveSession } from "./live-session.ts";
import { checkedOptions, type RegisterOptions } from "./options.ts";
import { say } from "./say.ts";
import { registerSettingsCommand } from "./settings-command.ts";
import { type ModelInUse, SettingsInForce } from "./settings-in-force.ts";

/**
 * Puts Palimpsest into a host. What the options fix wins over the user's settings file, and that over the defaults.
 * Throws an {@link OptionsError} where an option cannot be followed, before anything is registered.
 */
export function registerPalimpsest(pi: ExtensionAPI, options: RegisterOptions = {}): void {
	const settings = new SettingsInForce(checkedOptions(options), () => join(homeDirectory(), "settings.json"));
	registerEngine(pi, (model) => settings.engine(model));
	registerSettingsCommand(pi, settings);
}

/**
 * Puts the engine into a host: its entries and requests are recorded, requests are projected, and before each of them
 * the policy may commit, as `/fold` does. The rules in force are asked for whenever something is recorded.
 */
export function registerEngine(
	pi: ExtensionAPI,
	settings: (model: ModelInUse) => Settings,
	{ outputCapBytes = OUTPUT_CAP_BYTES }: { readonly outputCapBytes?: number } = {},
): void {
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
			settings: () => settings(ctx.model),
			alive: () => isAlive(ctx),
			append: (type, data) => pi.appendEntry(type, data),
			outputCapBytes,
			tell: (trouble) => say(ctx, trouble, "warning"),
			folded: (quote) => say(ctx, `${folded(quote)} now; ${costOf(quote)}`, "info"),
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
			say(ctx, quote ? `${folded(quote)} from the next request on` : "nothing is foldable yet", "info");
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
	registerFoldTool(pi, async (ctx, id, slice) =>
		(await liveIn(ctx))?.readBack(ctx.sessionManager, id, slice),
	);
	pi.on("context_with_system", async ({ messages }, ctx) => {
		if (foldNext) {
			foldNext = false;
			await fold(ctx);
		}
		const projected = await (await liveIn(ctx))?.window(ctx.sessionManager, messages, ctx.model);
		return projected && { messages: projected };
	});
	pi.on("tool_result", async (event, ctx) => {
		await (await liveIn(ctx))?.keepOutput(ctx.sessionManager, event);
	});
	pi.on("turn_end", async ({ messageEntryId }, ctx) => {
		await (await liveIn(ctx))?.record(ctx.sessionManager, messageEntryId);
	});
	pi.on("session_before_compact", async ({ reason }, ctx) => {
		// asked again at every boundary while the host's own count is above its threshold
		if (reason !== "threshold" || !ctx.model) return undefined;
		const live = await liveIn(ctx);
		const fits = await live?.fits(ctx.sessionManager, ctx.model).catch(() => false);
		return fits ? { cancel: true } : undefined;
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
	return `folded about ${about(freed)} tokens out of the window: ${about(before)} before, ${about(after)}`;
}

function costOf({ unit, cost, rewritten }: Quote): string {
	const priced = unit === "usd" ? `, for about $${Math.max(0, cost).toFixed(3)}` : "";
	return `the provider takes about ${about(rewritten)} of them in again${priced}`;
}

function about(tokens: number): string {
	return Math.round(tokens).toLocaleString("en-US");
}

/** The host drops a session by making everything of its context throw. */
function isAlive(ctx: ExtensionContext): boolean {
	try {
		return ctx.sessionManager !== undefined;
	} catch {
		return false;
	}
}
