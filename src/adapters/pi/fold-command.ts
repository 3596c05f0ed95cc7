import type {
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
} from "@earendil-works/pi-coding-agent";
import type { SessionStates } from "../../../projections/states.ts";
import { CommandError } from "../../commands/command-error.ts";
import { decisionsInForce } from "../../commands/undo.ts";
import { decisionWords } from "../../debug/decision-words.ts";
import { foldStatusAt } from "../../debug/fold-status.ts";
import { aboutDollars, count, whole } from "../../debug/numbers.ts";
import { receiptAt } from "../../debug/receipt.ts";
import { searchPath } from "../../debug/search.ts";
import { whyAt } from "../../debug/why.ts";
import { type NextRequest, quoteOf } from "../../engine/decision.ts";
import { commitByHand, whatStaysRaw } from "./commit-by-hand.ts";
import type { LiveSession } from "./live-session.ts";
import { modelInUse } from "./model-in-use.ts";
import { receiptSentence } from "./receipt-words.ts";
import { say } from "./say.ts";
import { type SessionIn, updateStatusLine } from "./status-command.ts";
import { overBudgetWords } from "./status-words.ts";
import { repairByHand } from "./store-repair.ts";
import { whyWords } from "./why-words.ts";

/** What `/fold` takes, and what each does. */
const VERBS = {
	commit: "fold what is stale out of the window now; as without a word",
	pause: "fold only when asked, in this session",
	resume: "fold by itself again",
	off: "leave this session to the host: no folding by itself, and its own compaction",
	why: "ID: why an entry, a call, a fold or a commit stands as it does",
	undo: "ID …: take decisions back, or an undo",
	repair: "start a damaged store anew from what of it still verifies",
	search: "TEXT: find a text in everything said here, folded or not",
} as const;

type Verb = keyof typeof VERBS;

/** Those that nothing may follow. */
const TAKES_NOTHING: ReadonlySet<Verb> = new Set(["commit", "pause", "resume", "off", "repair"]);

const USAGE = `/fold takes ${Object.keys(VERBS).join(", ")}; or START [END] [-- BRIEF], to fold through a stretch`;

/** Matches of a search that are told. */
const MOST_FOUND = 12;

/**
 * Puts `/fold` into a host. `later` does what moves the window before the next request: while the model works the host
 * appends messages, so a decision waits for a moment when it does not.
 */
export function registerFoldCommand(
	pi: ExtensionAPI,
	sessionIn: SessionIn,
	later: (work: (ctx: ExtensionContext) => Promise<void>) => void,
): void {
	/** where completions are asked for, of which the host says nothing */
	let here: ExtensionContext | undefined;
	pi.on("session_start", (_event, ctx) => {
		here = ctx;
	});
	const offered = async (): Promise<readonly Offered[]> => {
		if (!here) return [];
		const session = await sessionIn(here);
		return (await session?.ask(here.sessionManager, modelInUse(here), decisionsOffered)) ?? [];
	};
	const whenIdle = async (ctx: ExtensionCommandContext, work: (ctx: ExtensionContext) => Promise<void>) => {
		if (ctx.isIdle()) return work(ctx);
		later(work);
		say(ctx, "that is seen to before the next request", "info");
	};
	pi.registerCommand("fold", {
		description: "Fold now; or pause, resume, off, why ID, undo ID, search TEXT, repair",
		getArgumentCompletions: (prefix) => completions(prefix, offered),
		handler: async (args, ctx) => {
			const [, name = "", rest = ""] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(args) ?? [];
			const verb = name === "" ? "commit" : name;
			if (!isVerb(verb)) return whenIdle(ctx, (at) => foldSpan(at, sessionIn, args));
			if (rest !== "" && TAKES_NOTHING.has(verb))
				return say(ctx, `/fold ${verb} takes nothing more; ${USAGE}`, "warning");
			const session = await sessionIn(ctx);
			if (!session) return undefined;
			switch (verb) {
				case "commit":
					return whenIdle(ctx, (at) => commit(at, sessionIn));
				case "undo":
					return whenIdle(ctx, (at) => undo(at, sessionIn, rest));
				case "pause":
				case "off":
				case "resume":
					await halt(ctx, session, verb);
					return updateStatusLine(ctx, sessionIn);
				case "repair":
					await repairByHand(ctx, session);
					return updateStatusLine(ctx, sessionIn);
				case "why":
					return why(ctx, session, rest);
				case "search":
					return search(ctx, session, rest);
				default:
					return verb satisfies never;
			}
		},
	});
}

/** Folds what can be folded, because the user asked. */
async function commit(ctx: ExtensionContext, sessionIn: SessionIn): Promise<void> {
	const session = await sessionIn(ctx);
	if (!session) return;
	const { text, as } = await commitByHand(ctx, session);
	if (as !== "told") say(ctx, text, as === "refused" ? "warning" : "info");
	if (as === "done" || as === "nothing") await updateStatusLine(ctx, sessionIn);
}

/** Folds through a stretch: `START [END] [-- BRIEF]` or `START..END`. */
async function foldSpan(ctx: ExtensionContext, sessionIn: SessionIn, args: string): Promise<void> {
	const session = await sessionIn(ctx);
	if (!session) return;
	const [span = "", ...words] = args.split(/(?<=\s)--\s/);
	const ids = span.trim().split(/\.\.|\s+/);
	const brief = words.length > 0 ? words.join("-- ").trim() : undefined;
	try {
		if (ids.length > 2 || ids.includes("")) return say(ctx, USAGE, "warning");
		const staysRaw = await whatStaysRaw(ctx, session);
		const decision = await session.foldSpan(ctx.sessionManager, modelInUse(ctx), { ids, brief });
		const receipt =
			decision &&
			(await session.ask(ctx.sessionManager, modelInUse(ctx), (states, { leaf }) => receiptAt(states, leaf)));
		say(
			ctx,
			receipt
				? `${receiptSentence(receipt, "from the next request on")}${await staysRaw()}`
				: "nothing is foldable there",
			"info",
		);
		await updateStatusLine(ctx, sessionIn);
	} catch (error) {
		const word = isUnknown(error) && ids.find(isWord);
		if (word) say(ctx, `/fold has no sub-command ${word}; ${USAGE}`, "warning");
		else sayRefused(ctx, error, isUnknown(error) ? `; ${USAGE}` : "");
	}
}

async function undo(ctx: ExtensionContext, sessionIn: SessionIn, rest: string): Promise<void> {
	const session = await sessionIn(ctx);
	if (!session) return;
	const ids = rest.split(/\s+/).filter((id) => id !== "");
	try {
		const decision = await session.decide(
			ctx.sessionManager,
			modelInUse(ctx),
			{ do: "undo", ids },
			{ actor: "user" },
		);
		const quote = decision && quoteOf(decision);
		if (!decision || !quote) return;
		const status = await session.ask(ctx.sessionManager, modelInUse(ctx), foldStatusAt);
		const over = status ? overBudgetWords(quote.after, status) : "";
		const price = quote.unit === "usd" ? `, for ${aboutDollars(Math.max(0, quote.cost))}` : "";
		say(
			ctx,
			`took back ${ids.join(" ")}: the window goes from about ${whole(quote.before)} to ${whole(quote.after)} tokens from the next request on, and the provider takes about ${whole(quote.rewritten)} in again${price}${over}; /fold undo ${decision.id} takes that back`,
			"info",
		);
		await updateStatusLine(ctx, sessionIn);
	} catch (error) {
		sayRefused(ctx, error);
	}
}

async function halt(
	ctx: ExtensionContext,
	session: LiveSession,
	verb: "pause" | "off" | "resume",
): Promise<void> {
	const changed = await session.suspend(ctx.sessionManager, verb === "resume" ? undefined : verb);
	const words = {
		pause: "paused: folds stand as they are, and new ones are made only by /fold",
		off: "off in this session: folds stand as they are, and the host compacts as it would",
		resume: "folding by itself again",
	};
	if (changed !== undefined) say(ctx, words[verb], "info");
	else
		say(
			ctx,
			session.trouble === undefined ? session.silence : `nothing was changed: ${session.trouble}`,
			"warning",
		);
}

async function why(ctx: ExtensionContext, session: LiveSession, id: string): Promise<void> {
	if (id === "") return say(ctx, "/fold why ID: of an entry, a call, a fold or a commit", "warning");
	const asked = await session.ask(ctx.sessionManager, modelInUse(ctx), (states, { leaf }) => ({
		found: whyAt(states, leaf, id),
	}));
	if (asked?.found) say(ctx, whyWords(asked.found), "info");
	else if (!asked) say(ctx, session.silence, "warning");
	else say(ctx, `ENTRY_UNKNOWN: no message, call, fold or commit on this branch is called ${id}`, "warning");
}

async function search(ctx: ExtensionContext, session: LiveSession, text: string): Promise<void> {
	if (text === "") return say(ctx, "/fold search TEXT: what to look for", "warning");
	const asked = await session.ask(ctx.sessionManager, modelInUse(ctx), (_states, { leaf }, engine) =>
		searchPath(engine, leaf, text, MOST_FOUND),
	);
	if (!asked) return say(ctx, session.silence, "warning");
	const { found, total } = asked;
	const lines = found.map(
		({ entry, role, fold, around }) =>
			`  ${entry} ${role}${fold === undefined ? "" : ` in ${fold}`}: ${around}`,
	);
	const more = total > found.length ? [`  and ${total - found.length} more`] : [];
	say(
		ctx,
		total === 0
			? `"${text}" stands nowhere on this branch`
			: [`found in ${count(total, "message")}:`, ...lines, ...more].join("\n"),
		"info",
	);
}

/** Says why a command was refused. Throws anything else. */
function sayRefused(ctx: ExtensionContext, error: unknown, more = ""): void {
	if (!(error instanceof CommandError)) throw error;
	say(ctx, `${error.code}: ${error.message}${more}`, "warning");
}

function isUnknown(error: unknown): boolean {
	return error instanceof CommandError && error.code === "FOLD_UNKNOWN";
}

/** Whether something is a word rather than an id, which is hardly ever without a digit. */
function isWord(text: string): boolean {
	return /^\p{L}+$/u.test(text);
}

/** A decision that is offered to be completed. */
interface Offered {
	readonly id: string;
	readonly description: string;
}

function decisionsOffered(states: SessionStates, { leaf }: NextRequest): Offered[] {
	return decisionsInForce(states, leaf).map(({ id, made }) => ({ id, description: decisionWords(made) }));
}

/** What can be completed; nothing where all is typed, for then Enter is to run it. */
function completions(prefix: string, offered: () => Promise<readonly Offered[]>) {
	const [, name = "", gap = "", rest = ""] = /^\s*(\S*)(\s*)(.*)$/s.exec(prefix) ?? [];
	if (gap === "")
		return Object.entries(VERBS)
			.filter(([verb]) => verb.startsWith(name) && verb !== name)
			.map(([verb, description]) => ({ value: verb, label: verb, description }));
	if (name !== "undo" && name !== "why") return null;
	return offered().then(
		(decisions) =>
			decisions
				.filter(({ id }) => id.startsWith(rest) && id !== rest)
				.map(({ id, description }) => ({ value: `${name} ${id}`, label: id, description })),
		// the host may have dropped the session
		() => [],
	);
}

function isVerb(word: string): word is Verb {
	return Object.hasOwn(VERBS, word);
}
