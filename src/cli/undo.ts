import { statSync } from "node:fs";
import type { Command } from "commander";
import { type Undone, undoIn, undoQuote } from "../adapters/sessions/undo.ts";
import { CommandError } from "../commands/command-error.ts";
import { aboutDollars, whole } from "../debug/numbers.ts";
import type { UndoAsked, UndoQuote } from "../debug/undo-price.ts";
import { agrees } from "./agrees.ts";
import { CliError } from "./cli-error.ts";
import { findWritable, WHERE } from "./place.ts";
import { note, printJson, printLines } from "./terminal.ts";

interface UndoOptions {
	readonly store?: string;
	readonly yes?: boolean;
	readonly json?: boolean;
}

/** `undo`: take decisions back. */
export function addUndo(program: Command): void {
	withOptions(
		program
			.command("undo")
			.description(
				"take decisions about the window back, a commit mostly: says what that costs and asks. Where later ones build on it, name them all. In a running session it is /fold undo",
			)
			.argument("<decision...>", `names of decisions, and WHERE as the last: ${WHERE}`),
	).action((words: string[], options: UndoOptions) => {
		const { decisions, where } = split(words);
		if (decisions.length === 0)
			throw new CliError("CLI_USAGE", "no decision is named: undo DECISION… [WHERE]");
		return run({ kind: "undo", decisions }, where, options);
	});
}

/** `redo`: take an undo back. */
export function addRedo(program: Command): void {
	withOptions(
		program
			.command("redo")
			.description(
				"take an undo back: the newest in force, or the one that DECISION names or that took DECISION back",
			)
			.argument("[decision]", "an undo, or a decision that was taken back")
			.argument("[where]", WHERE),
	).action((word: string | undefined, second: string | undefined, options: UndoOptions) => {
		const { decisions, where } = split([word, second].filter((given) => given !== undefined));
		if (decisions.length > 1 || (second !== undefined && decisions.length === 0))
			throw new CliError("CLI_USAGE", "redo takes one decision at most, and WHERE");
		return run({ kind: "redo", decision: decisions[0] }, where, options);
	});
}

function withOptions(command: Command): Command {
	return command
		.option("--store <where>", "WHERE, whatever it looks like")
		.option("--yes", "do not ask")
		.option("--json", "one JSON object");
}

/** What names of decisions look like. */
const DECISION = /^(c\d+-.+|(undo|expand|refold|pin|unpin|unmark|recut|brief)-\d+)$/;

/** Tells names of decisions from where the store is, which comes last and mostly looks otherwise. */
function split(words: readonly string[]): { decisions: string[]; where: string | undefined } {
	const last = words.at(-1);
	const isWhere =
		last !== undefined && (!DECISION.test(last) || statSync(last, { throwIfNoEntry: false }) !== undefined);
	return isWhere
		? { decisions: words.slice(0, -1), where: last }
		: { decisions: [...words], where: undefined };
}

async function run(asked: UndoAsked, where: string | undefined, options: UndoOptions): Promise<void> {
	const place = placeWords(options.store ?? where);
	if (asked.kind === "undo" ? asked.decisions.includes("") : asked.decision === "")
		throw new CliError("CLI_USAGE", "a decision is named by nothing but an empty text");
	const directory = await findWritable(options.store ?? where);
	const quote = await said(place, () => undoQuote(directory, asked));
	if (!options.yes) {
		note(`${directory}, version ${whole(quote.head.version)}, head ${quote.head.hash}`);
		note(priceWords(quote));
		const question =
			quote.kind === "undo" ? `Take back ${quote.with.join(" ")}?` : `Take the undo ${quote.decision} back?`;
		if (!(await agrees(question)))
			throw new CliError("CLI_NOT_CONFIRMED", `nothing was taken back in ${directory}; pass --yes to do it`);
	}
	const undone = await said(place, () => undoIn(directory, asked, quote.head));
	if (options.json) await printJson({ store: directory, ...undone });
	else await printLines([directory, ...lines(undone, place)]);
}

function lines({ id, quote, head, waits }: Undone, place: string): string[] {
	return [
		`before: version ${whole(quote.head.version)}, head ${quote.head.hash}`,
		`after:  version ${whole(head.version)}, head ${head.hash}`,
		`took back ${quote.with.join(" ")}: ${priceWords(quote)}`,
		...(waits
			? ["it takes effect when the session is opened in Pi next, unless it goes on without it first"]
			: []),
		`palimpsest undo ${id}${place} takes that back${quote.kind === "undo" ? `, as does palimpsest redo${place}` : ""}`,
	];
}

/** How a command names the same store again. */
function placeWords(where: string | undefined): string {
	return where === undefined ? "" : ` --store ${quoted(where)}`;
}

/** A word as a shell takes it for one. */
function quoted(word: string): string {
	return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** What an undo costs, in words. */
function priceWords({ before, after, rewritten, unit, cost }: UndoQuote): string {
	const price = unit === "usd" ? `, for ${aboutDollars(Math.max(0, cost))}` : "";
	return `the window goes from about ${whole(before)} to ${whole(after)} tokens, and the provider takes about ${whole(rewritten)} in again${price}`;
}

/** Refusals name the call that would do, at their end: here that is a command of ours. */
async function said<T>(place: string, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof CommandError)) throw error;
		throw new CommandError(
			error.code,
			error.message.replace(/\/fold undo (.+)$/, (_, ids) => `palimpsest undo ${ids}${place}`),
		);
	}
}
