import { join } from "node:path";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { homeDirectory } from "../../store/identity.ts";
import { DebugLog } from "./debug-log.ts";
import type { Measures } from "./measures.ts";
import { type Clock, isDoneWithin, WRITE_MS } from "./patience.ts";
import { digestPayload, type PayloadParts } from "./payload-digest.ts";
import { refusalIn } from "./refusals.ts";

/** Where the debug log of all sessions lies. */
function debugLogPath(): string {
	return join(homeDirectory(), "debug.jsonl");
}

/** Keeps a debug log of a context's session from now on, or none. */
export type HeedDebug = (ctx: ExtensionContext, isWanted: boolean) => void;

/**
 * Has what goes to the provider and what that bills measured while a debug log is kept. `refresh` reads whether it is
 * to be, before each run.
 */
export function registerDebug(
	pi: ExtensionAPI,
	measures: Measures,
	{ refresh, clock }: { readonly refresh: (ctx: ExtensionContext) => void; readonly clock: Clock },
): HeedDebug {
	let log: DebugLog | undefined;
	let logged: string | undefined;
	let before: PayloadParts | undefined;

	pi.on("session_start", (_event, ctx) => refresh(ctx));
	pi.on("before_agent_start", (_event, ctx) => refresh(ctx));
	pi.on("before_provider_request", ({ payload }, ctx) => {
		if (!measures.isLogged) return undefined;
		const { next, ...sent } = digestPayload(payload, before);
		before = next;
		measures.note({ what: "request", ...sent, idle: ctx.isIdle() });
		return undefined;
	});
	pi.on("turn_end", ({ message, outcome }) => {
		if (!measures.isLogged || message.role !== "assistant") return undefined;
		const { input, output, cacheRead, cacheWrite } = message.usage;
		const refused = outcome === "error" ? (refusalIn(message.errorMessage ?? "")?.of ?? "other") : undefined;
		const billed = { input, output, cacheRead, cacheWrite };
		measures.note({ what: "reply", ...billed, outcome, ...(refused && { failure: refused }) });
		return undefined;
	});
	pi.on("session_shutdown", async () => {
		before = undefined;
		if (log) await isDoneWithin(WRITE_MS, log.written(), clock);
	});
	return (ctx, isWanted) => {
		if (!isWanted) return measures.heed(undefined);
		const id = ctx.sessionManager.getSessionId();
		if (id !== logged) log = new DebugLog(debugLogPath(), id);
		logged = id;
		measures.heed(log);
	};
}
