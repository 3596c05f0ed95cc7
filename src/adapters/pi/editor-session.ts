import type { ExtensionCommandContext, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Quote } from "../../../events/commit.ts";
import { CommandError } from "../../commands/command-error.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import { aboutDollars, whole } from "../../debug/numbers.ts";
import { type WindowMap, windowMap } from "../../debug/window-map.ts";
import { quoteOf } from "../../engine/decision.ts";
import { commitByHand } from "./commit-by-hand.ts";
import { modelInUse } from "./model-in-use.ts";
import { say, wordsOf } from "./say.ts";
import { haltOf, type SessionIn, updateStatusLine } from "./status-command.ts";

/** What became of something that was asked for, in a sentence. */
export interface Said {
	readonly text: string;
	readonly as: "done" | "waits" | "refused";
}

/** What the map asks of the session behind it. */
export interface EditorSession {
	/** the window as it stands now; `undefined` where there is none */
	readonly map: () => Promise<WindowMap | undefined>;
	/** what a command would cost, `done` where it moves nothing, or why it may not happen; nothing is decided */
	readonly price: (command: WindowCommand) => Promise<Said>;
	/** `told` hears of it at once, and again once it is done where it must wait */
	readonly decide: (command: WindowCommand, effect: string, told: Told) => Promise<void>;
	readonly commit: (told: Told) => Promise<void>;
}

/** Hears what became of something. */
export type Told = (said: Said) => Promise<void>;

type Work = (ctx: ExtensionContext) => Promise<Said>;

/** Where the map is shown. */
export interface EditorPlace {
	readonly sessionIn: SessionIn;
	/** does something before the next request */
	readonly later: (work: (ctx: ExtensionContext) => Promise<void>) => void;
	/** whether the map is still looked at */
	readonly isShown: () => boolean;
}

/**
 * The session of a command's context, as the map needs it. Whatever moves the window waits while the model works, for
 * the host appends messages then; it is done before the next request.
 */
export function editorSession(
	ctx: ExtensionCommandContext,
	{ sessionIn, later, isShown }: EditorPlace,
): EditorSession {
	const done = async (at: ExtensionContext, work: Work) => {
		const said = await work(at).catch(refusal);
		// not waited for: a request may wait for this
		void updateStatusLine(at, sessionIn);
		return said;
	};
	const whenIdle = async (told: Told, work: Work) => {
		if (ctx.isIdle()) return told(await done(ctx, work));
		later(async (at) => {
			const said = await done(at, work);
			if (isShown()) void told(said);
			else say(at, said.text, said.as === "refused" ? "warning" : "info");
		});
		return told({ text: "the model is at work: this is done before the next request", as: "waits" });
	};
	// the host drops a session by making everything of its context throw
	const alive = (told: Told, work: Work) => whenIdle(told, work).catch((error) => told(refusal(error)));
	return {
		map: () => mapIn(ctx, sessionIn),
		price: (command) => price(ctx, sessionIn, command).catch(refusal),
		decide: (command, effect, told) => alive(told, (at) => decide(at, sessionIn, command, effect)),
		commit: (told) => alive(told, (at) => commit(at, sessionIn)),
	};
}

/** The map of the window of a context's session; `undefined` where nothing was said in it yet. */
export async function mapIn(ctx: ExtensionContext, sessionIn: SessionIn): Promise<WindowMap | undefined> {
	const session = await sessionIn(ctx);
	const map = await session?.ask(ctx.sessionManager, modelInUse(ctx), (states, request, engine) =>
		windowMap({
			states,
			request: engine.occurring(request),
			entry: (id) => readable(() => engine.entry(id)),
			briefOf: (digest) => readable(() => engine.briefText(digest)) ?? "",
			suppliedIn: (digest) => readable(() => engine.suppliedIn(digest)),
			content: (digest) => readable(() => engine.content(digest)),
		}),
	);
	return map && { ...map, status: { ...map.status, ...haltOf(session) } };
}

/** Rows are read when they are drawn, when the store may be closed already. */
function readable<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

async function price(ctx: ExtensionContext, sessionIn: SessionIn, command: WindowCommand): Promise<Said> {
	const session = await sessionIn(ctx);
	const asked = await session?.ask(ctx.sessionManager, modelInUse(ctx), (_states, request, engine) => {
		try {
			return { event: engine.wouldDecide(command, request) };
		} catch (error) {
			// a refusal is no trouble of the session's
			return { error };
		}
	});
	if (!asked) return { text: session?.silence ?? "the session is over", as: "refused" };
	if (asked.error !== undefined) return refusal(asked.error);
	if (!asked.event) return { text: "it stands so already", as: "refused" };
	const quote = "quote" in asked.event.data ? asked.event.data.quote : undefined;
	if (!quote) return { text: "it moves nothing", as: "done" };
	return { text: quoteWords(quote), as: moves(quote) ? "waits" : "done" };
}

async function decide(
	ctx: ExtensionContext,
	sessionIn: SessionIn,
	command: WindowCommand,
	effect: string,
): Promise<Said> {
	const session = await sessionIn(ctx);
	if (!session) return { text: "the session is over", as: "refused" };
	const decision = await session.decide(ctx.sessionManager, modelInUse(ctx), command, { actor: "user" });
	if (!decision) return { text: "nothing to do: it stands so already", as: "done" };
	const quote = quoteOf(decision);
	const price = quote && moves(quote) ? `; ${quoteWords(quote)}` : "";
	return { text: `${effect}${price} · /fold undo ${decision.id}`, as: "done" };
}

async function commit(ctx: ExtensionContext, sessionIn: SessionIn): Promise<Said> {
	const session = await sessionIn(ctx);
	if (!session) return { text: "the session is over", as: "refused" };
	const { text, as } = await commitByHand(ctx, session);
	return { text, as: as === "done" ? "done" : "refused" };
}

function moves({ before, after }: Quote): boolean {
	return Math.round(before) !== Math.round(after);
}

function quoteWords({ before, after, rewritten, unit, cost }: Quote): string {
	const priced = unit === "usd" ? `, for ${aboutDollars(Math.max(0, cost))}` : "";
	return `from ~${whole(before)} to ~${whole(after)} tokens, ~${whole(rewritten)} taken in again${priced}`;
}

/** Why something may not happen, with its code. */
function refusal(error: unknown): Said {
	const text = wordsOf(error);
	return { text: error instanceof CommandError ? `${error.code}: ${text}` : text, as: "refused" };
}
