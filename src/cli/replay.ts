import type { Command } from "commander";
import { budgetOf, rules, type Settings } from "../../projections/rules.ts";
import type { ModelRef, TranscriptEntry } from "../../projections/transcript.ts";
import { openSession, type SessionFile } from "../adapters/sessions/pi/session.ts";
import { Prices } from "../adapters/sessions/prices.ts";
import { withWholeTimes } from "../adapters/sessions/recorded-session.ts";
import { replayFile } from "../adapters/sessions/replay-file.ts";
import { replayDirectoryOf } from "../adapters/sessions/replay-places.ts";
import { readBack } from "../adapters/sessions/restored.ts";
import { compare, FLOORS } from "../debug/compare.ts";
import type { Recording } from "../debug/trace.ts";
import { homeDirectory } from "../store/identity.ts";
import { type Advance, withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { knownModel } from "./known-model.ts";
import { openForReading } from "./place.ts";
import { replayJson } from "./replay-json.ts";
import { replayLines } from "./replay-lines.ts";
import { type RuleFlags, settingsFrom, withRuleFlags } from "./replay-settings.ts";
import { foundSomethingWrong, note, outputColumns, printJson, printLines } from "./terminal.ts";

interface ReplayOptions extends RuleFlags {
	readonly model?: string;
	readonly warming: boolean;
	readonly compare?: boolean;
	readonly store?: string;
	readonly json?: boolean;
	readonly quiet?: boolean;
}

/** `replay`: drive the engine through a recorded session, and say what came of it. */
export function addReplay(program: Command): void {
	const command = program
		.command("replay")
		.description(
			"replay a recorded Pi session into a store of its own, check every window, and read every fold back",
		)
		.argument("<file>", "a session file; it is only read");
	withRuleFlags(command)
		.option("--model <name>", "price every request as if this model had answered: provider/id, or an id")
		.option("--no-warming", "the host does not keep idle caches warm")
		.option("--compare", "price the session under every policy, and count what each would have hidden")
		.option("--store <dir>", "where the store goes, instead of the replays of your home folder")
		.option("--json", "one JSON object")
		.option(
			"--quiet",
			"no progress, no notices, and no report but the one --json asks for; the exit code tells",
		)
		.action(runReplay);
}

async function runReplay(path: string, options: ReplayOptions): Promise<void> {
	const settings = settingsFrom(options);
	for (const [name, value] of Object.entries({
		file: path,
		"--store": options.store,
		"--model": options.model,
	})) {
		if (value === "") throw new CliError("CLI_USAGE", `${name} is an empty text`);
	}
	const model = options.model === undefined ? undefined : await knownModel(options.model);
	let advance: Advance = () => {};
	const file = await openSession(path, { onProgress: (done) => advance(done) });
	const during = <T>(label: string, total: number, work: () => Promise<T>): Promise<T> =>
		withBar(label, total, (next) => {
			advance = options.quiet ? () => {} : next;
			return work();
		});
	const directory = options.store ?? (await replayDirectoryOf(homeDirectory(), file, openForReading));
	if (options.floor !== undefined && options.budget === undefined) {
		await assertBelowBudgets(file, settings, model);
	}
	const { warming } = options;
	const notice = (text: string) => {
		if (!options.quiet) note(text);
	};
	const policyGiven = options.policy !== undefined;
	const replayed = await during("replaying", file.size, () =>
		replayFile({ file, settings, policyGiven, model, warming, directory, notice }),
	);
	const report = structuredClone(file.report);
	const restored = await during("reading back", file.size, () => readBack(directory, file));
	const entries = options.compare ? await during("reading", file.size, () => allEntries(file)) : [];
	const comparison = options.compare
		? await during("comparing", COMPARISON_STEPS, () =>
				compare({
					recording: recordingOf(file, entries, model),
					settings,
					warming,
					floors: FLOORS,
					onProgress: (done) => advance(done),
				}),
			)
		: undefined;

	const outcome = { file, report, replayed, restored, comparison, directory, warming };
	if (replayed.windows.faults.length > 0) foundSomethingWrong();
	if (restored.exact < restored.folds || restored.clippedExact < restored.clipped) foundSomethingWrong();
	if (options.json) await printJson(replayJson(outcome));
	else if (!options.quiet) await printLines(replayLines(outcome, outputColumns()));
}

/**
 * A floor must be below the budget, which each model of the session has its own of. Looked at before the replay: one
 * that stopped half-way would already have moved an older store aside. Throws `CLI_USAGE`.
 */
async function assertBelowBudgets(
	file: SessionFile,
	settings: Settings,
	instead: ModelRef | undefined,
): Promise<void> {
	const prices = new Prices(instead);
	const seen = new Set<string>();
	for await (const { role, model } of file.entries) {
		if (role !== "assistant" || !model) continue;
		const { valuation } = await prices.of(model);
		if (seen.has(valuation.model)) continue;
		seen.add(valuation.model);
		const budget = budgetOf({ ...rules.initial(), settings, valuation });
		if (settings.floorTokens === undefined || settings.floorTokens < budget) continue;
		throw new CliError(
			"CLI_USAGE",
			`--floor ${settings.floorTokens} is not below the budget of ${valuation.model}, ${budget}`,
		);
	}
}

/** Steps `compare` tells of: six and one for each floor. */
const COMPARISON_STEPS = 6 + FLOORS.length;

async function allEntries(file: SessionFile): Promise<TranscriptEntry[]> {
	const entries: TranscriptEntry[] = [];
	for await (const entry of withWholeTimes(file.entries)) entries.push(entry);
	return entries;
}

function recordingOf(
	{ id, format }: SessionFile,
	entries: readonly TranscriptEntry[],
	model: ModelRef | undefined,
): Recording {
	const prices = new Prices(model);
	const valuation = async (asked: ModelRef) => (await prices.of(asked)).valuation;
	return { session: id, format, entries, valuation };
}
