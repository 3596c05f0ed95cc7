import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { OUTPUT_CAP_BYTES } from "../../../projections/outputs.ts";
import type { Settings } from "../../../projections/rules.ts";
import type { SessionStates } from "../../../projections/states.ts";
import { letsCacheGo } from "../../commands/warming.ts";
import { foldReport } from "../../debug/fold-report.ts";
import { type ProjectionCandidate, projectionCandidates } from "../../debug/projection-candidates.ts";
import { firstCommit } from "../../debug/why.ts";
import type { NextRequest } from "../../engine/decision.ts";
import { homeDirectory } from "../../store/identity.ts";
import { registerCheckpoints } from "./checkpoint-hooks.ts";
import {
	type ConfigInForce,
	compactConfigInForce,
	DEFAULTS_IN_FORCE,
	scaffoldCompactConfig,
} from "./compact-config-file.ts";
import { registerCompactStatus } from "./compact-status-command.ts";
import { registerDebugCommand } from "./debug-command.ts";
import { registerDebug } from "./debug-hooks.ts";
import { registerEditorCommand } from "./editor-command.ts";
import { fitsTeller } from "./fits-words.ts";
import { registerFoldCommand } from "./fold-command.ts";
import { registerFoldTool } from "./fold-tool.ts";
import type { HostMessage } from "./host-messages.ts";
import { type LiveHost, LiveSession } from "./live-session.ts";
import { Measures } from "./measures.ts";
import { registerDerivation } from "./memory-derive.ts";
import { registerMemoryGuard } from "./memory-guard.ts";
import { registerMemory } from "./memory-in.ts";
import { registerMemoryNotes } from "./memory-notes.ts";
import { modelInUse } from "./model-in-use.ts";
import { registerNewContextTool } from "./new-context-tool.ts";
import { checkedOptions, type RegisterOptions } from "./options.ts";
import { PROCESS_CLOCK } from "./patience.ts";
import { learnTrust } from "./project-trust.ts";
import { quietHost } from "./quiet-host.ts";
import { registerRecallCommand } from "./recall-command.ts";
import { type RecallContext, registerRecallTool } from "./recall-tool.ts";
import { observedSentence, receiptSentence } from "./receipt-words.ts";
import { registerRecovery } from "./recovery.ts";
import { registerMemoryUse } from "./register-memory-use.ts";
import { besideRivals } from "./rivals.ts";
import { say } from "./say.ts";
import { registerSettingsCommand } from "./settings-command.ts";
import { type ModelInUse, SettingsInForce } from "./settings-in-force.ts";
import { registerShreddedSince } from "./shredded-since.ts";
import { haltOf, registerStatus, updateStatusLine } from "./status-command.ts";
import { SummarisedSettings } from "./summarised-settings.ts";
import { registerWaitingDecisions } from "./waiting-decisions.ts";

/** What an embedding program gets back. */
export interface Registered {
	/** the folds in the window of a context's session, as other extensions ask for them; none where nothing is known of it */
	readonly projectionCandidates: (ctx: ExtensionContext) => ProjectionCandidate[];
}

/**
 * Puts Palimpsest into a host. What the options fix wins over the user's settings file, and that over the defaults.
 * Throws an {@link OptionsError} where an option cannot be followed, before anything is registered.
 */
export function registerPalimpsest(pi: ExtensionAPI, options: RegisterOptions = {}): Registered {
	const settings = new SettingsInForce(checkedOptions(options), () => join(homeDirectory(), "settings.json"));
	const { host: own, compactsElsewhere } = besideRivals(pi);
	const compaction = (ctx: ExtensionContext) => (compactsElsewhere() ? undefined : compactConfigInForce(ctx));
	// before anything else asks which files are followed
	quietHost(own).on("session_start", (_event, ctx) => learnTrust(ctx));
	const registered = registerEngine(own, (model) => settings.engine(model), { compaction });
	registerSettingsCommand(quietHost(own), settings);
	quietHost(own).on("session_start", (_event, ctx) => {
		if (compactsElsewhere()) return;
		scaffoldCompactConfig(ctx);
		const { refused, path } = compactConfigInForce(ctx);
		if (refused !== undefined)
			say(ctx, `${path} is not followed, and the defaults hold: ${refused}`, "warning");
	});
	return registered;
}

/** What the engine may be told beside the rules of folding. */
interface EngineOptions extends Partial<Pick<LiveHost, "outputCapBytes" | "clock">> {
	/** what becomes of compactions and recall where a session runs; `undefined` where another extension sees to them */
	readonly compaction?: (ctx: ExtensionContext) => ConfigInForce | undefined;
}

const byDefault = () => DEFAULTS_IN_FORCE;

/**
 * Puts the engine into a host: its entries and requests are recorded, requests are projected, and before each of them
 * the policy may commit, as `/fold` does. The rules in force are asked for whenever something is recorded.
 */
export function registerEngine(
	host: ExtensionAPI,
	settings: (model: ModelInUse) => Settings,
	{ outputCapBytes = OUTPUT_CAP_BYTES, clock = PROCESS_CLOCK, compaction = byDefault }: EngineOptions = {},
): Registered {
	const pi = quietHost(host);
	let live: LiveSession | undefined;
	/** what the user asked for while the model worked */
	let asked: ((ctx: ExtensionContext) => Promise<void>)[] = [];
	let shutDown = false;
	const tellThatItFits = fitsTeller();
	const summarised = new SummarisedSettings(settings);

	const liveNow = (ctx: ExtensionContext) =>
		!shutDown && live?.id === ctx.sessionManager.getSessionId() ? live : undefined;
	const liveIn = async (ctx: ExtensionContext): Promise<LiveSession | undefined> => {
		if (shutDown) return undefined;
		const id = ctx.sessionManager.getSessionId();
		if (live?.id === id) return live;
		const before = live;
		// at once, so that whoever asks meanwhile gets the same one
		live = new LiveSession(id, {
			settings: summarised.of,
			model: whileAlive(ctx, () => modelInUse(ctx)),
			// not waited for: whatever the log was opened for comes first
			opened: ({ engine }) => {
				void updateStatusLine(ctx, liveIn);
				if (engine.states.memory.positions.length > 0 && isEnabled(ctx))
					void memoryIn(ctx)?.session.refresh();
			},
			alive: () => isAlive(ctx),
			append: (type, data) => pi.appendEntry(type, data),
			outputCapBytes,
			clock,
			tell: (trouble) => say(ctx, trouble, "warning"),
			observed: (quote) => say(ctx, observedSentence(quote), "info"),
			folded: (receipt) => {
				say(ctx, receiptSentence(receipt, "now"), "info");
				// not waited for: the session is in the middle of a request
				void updateStatusLine(ctx, liveIn);
			},
		});
		await before?.close();
		return live;
	};
	const later = (work: (ctx: ExtensionContext) => Promise<void>) => void asked.push(work);
	const measures = new Measures();
	const inForce = (ctx: ExtensionContext): ConfigInForce | undefined => {
		const found = compaction(ctx);
		heedDebug(ctx, found?.config.debug === true);
		return found;
	};
	const config = (ctx: ExtensionContext) => inForce(ctx)?.config;
	const isEnabled = (ctx: ExtensionContext) => config(ctx)?.memory.enabled ?? false;
	const memoryIn = registerMemory(pi, { liveIn, isEnabled, clock });
	const heedDebug = registerDebug(pi, measures, { refresh: inForce, clock });
	const commanded = hastening(pi, liveNow);
	registerFoldCommand(commanded, liveIn, later);
	registerEditorCommand(commanded, liveIn, later);
	registerFoldTool(pi, {
		read: async (ctx, id, slice, asked) =>
			(await liveIn(ctx))?.readBack(ctx.sessionManager, id, slice, asked),
		report: async (ctx, detail, page) => {
			const session = await liveIn(ctx);
			const report = await session?.ask(ctx.sessionManager, modelInUse(ctx), (states, request, engine) =>
				foldReport({ states, request, briefOf: (digest) => engine.briefText(digest) }, detail, page),
			);
			return report
				? { ...report, ...haltOf(session) }
				: { available: false, why: session?.silence ?? "the session is over" };
		},
		decide: async (ctx, command, cause) =>
			(await liveIn(ctx))?.decide(ctx.sessionManager, modelInUse(ctx), command, { actor: "model", cause }),
		isUsersFold: async (ctx, fold) => {
			const question = (states: SessionStates, { leaf }: NextRequest) =>
				firstCommit(states, leaf, fold)?.trigger;
			return (await (await liveIn(ctx))?.ask(ctx.sessionManager, modelInUse(ctx), question)) === "user";
		},
	});
	const recall: RecallContext = {
		sessionIn: async (ctx) => {
			const { sessionManager: session } = ctx;
			const live = await liveIn(ctx);
			const { recall, engine } = (await live?.withLog(session, (log) => log)) ?? {};
			return { session, recall, engine, clock };
		},
		config: (ctx) => config(ctx) ?? DEFAULTS_IN_FORCE.config,
		measures,
	};
	registerRecallTool(pi, recall);
	registerRecallCommand(pi, recall);
	const memory = { memoryIn, config, clock };
	registerMemoryUse(commanded, memory);
	const windowOnceAsked = async (messages: readonly HostMessage[], ctx: ExtensionContext) => {
		const due = asked;
		asked = [];
		for (const work of due) await work(ctx).catch((error: Error) => say(ctx, error.message, "warning"));
		return (await liveIn(ctx))?.window(ctx.sessionManager, messages, modelInUse(ctx));
	};
	pi.on("context_with_system", ({ messages }, ctx) => {
		const session = asked.length === 0 ? liveNow(ctx) : undefined;
		const window = session
			? session.window(ctx.sessionManager, messages, modelInUse(ctx))
			: windowOnceAsked(messages, ctx);
		// a promise more would take longer than all else does at most requests
		return window instanceof Promise ? window.then(insteadOf) : insteadOf(window);
	});
	pi.on("tool_result", async (event, ctx) => {
		await (await liveIn(ctx))?.keepOutput(ctx.sessionManager, event);
	});
	pi.on("turn_end", async ({ messageEntryId }, ctx) => {
		await (await liveIn(ctx))?.record(ctx.sessionManager, modelInUse(ctx), messageEntryId);
	});
	registerShreddedSince(pi, (ctx) => (isEnabled(ctx) ? memoryIn(ctx) : undefined));
	registerStatus(commanded, liveIn);
	registerDebugCommand(commanded, liveIn, clock);
	registerCompactStatus(commanded, { sessionIn: liveIn, inForce, measures, clock, memory });
	pi.on("before_agent_start", (_event, ctx) => {
		summarised.follow(config(ctx));
		liveNow(ctx)?.hasten();
	});
	pi.on("cache_warming_decision", async ({ action, warmCost, continuationProbability }, ctx) => {
		if (action === "stop") return undefined;
		const refresh = { cost: warmCost, probability: continuationProbability };
		const question = (states: SessionStates, request: NextRequest) => letsCacheGo(states, request, refresh);
		const stops = await (await liveIn(ctx))?.ask(ctx.sessionManager, modelInUse(ctx), question);
		return stops ? { action: "stop" } : undefined;
	});
	pi.on("session_before_compact", async ({ reason }, ctx) => {
		// asked again at every boundary while the host's own count is above its threshold
		if (reason !== "threshold" || !ctx.model) return undefined;
		const live = await liveIn(ctx);
		const fits = await live?.fits(ctx.sessionManager, modelInUse(ctx)).catch(() => false);
		if (!fits) return undefined;
		tellThatItFits(ctx);
		return { cancel: true };
	});
	registerWaitingDecisions(pi, liveIn);
	registerRecovery(pi, liveIn);
	registerCheckpoints(pi, liveIn, config, { measures, clock });
	registerMemoryNotes(pi, { sessionIn: liveIn, memoryIn, config });
	registerDerivation(pi, { sessionIn: liveIn, memoryIn, config });
	registerMemoryGuard(pi);
	registerNewContextTool(pi);
	pi.on("session_tree", async (_event, ctx) => {
		await (await liveIn(ctx))?.moved(ctx.sessionManager);
	});
	pi.on("session_start", () => {
		shutDown = false;
	});
	pi.on("session_shutdown", async () => {
		shutDown = true;
		asked = [];
		await live?.close();
		live = undefined;
	});
	return {
		projectionCandidates: (ctx) => {
			const { sessionManager } = ctx;
			const log = live?.id === sessionManager.getSessionId() ? live.log : undefined;
			return log ? projectionCandidates(log.engine.states, sessionManager.getLeafId()) : [];
		},
	};
}

/** The host's API, with commands before which a store that could not be had is tried again. */
function hastening(
	pi: ExtensionAPI,
	liveNow: (ctx: ExtensionContext) => LiveSession | undefined,
): ExtensionAPI {
	const registerCommand: ExtensionAPI["registerCommand"] = (name, command) =>
		pi.registerCommand(name, {
			...command,
			handler: (args, ctx) => {
				liveNow(ctx)?.hasten();
				return command.handler(args, ctx);
			},
		});
	return { ...pi, registerCommand };
}

/** Asks as long as the host runs a session; what it was told last holds for what is done later. */
function whileAlive<T>(ctx: ExtensionContext, ask: () => T): () => T {
	let last: { readonly told: T } | undefined;
	return () => {
		if (!last || isAlive(ctx)) last = { told: ask() };
		return last.told;
	};
}

/** The answer by which the host sends other messages than its own. */
function insteadOf(messages: HostMessage[] | undefined): { messages: HostMessage[] } | undefined {
	return messages && { messages };
}

/** The host drops a session by making everything of its context throw. */
function isAlive(ctx: ExtensionContext): boolean {
	try {
		return ctx.sessionManager !== undefined;
	} catch {
		return false;
	}
}
