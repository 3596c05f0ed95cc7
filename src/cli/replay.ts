import type { Command } from "commander";
import type { ModelRef, TranscriptEntry } from "../../projections/transcript.ts";
import { modelNamed } from "../adapters/catalogue.ts";
import { openSession, type SessionFile } from "../adapters/sessions/pi/session.ts";
import { Prices } from "../adapters/sessions/prices.ts";
import { type Progress, startProgress } from "../adapters/sessions/progress.ts";
import { withWholeTimes } from "../adapters/sessions/recorded-session.ts";
import { replayFile } from "../adapters/sessions/replay-file.ts";
import { replayDirectory } from "../adapters/sessions/replay-places.ts";
import { readBack } from "../adapters/sessions/restored.ts";
import { type Comparison, compare, FLOORS } from "../debug/compare.ts";
import { homeDirectory } from "../store/identity.ts";
import { CliError } from "./cli-error.ts";
import { replayJson } from "./replay-json.ts";
import { replayLines } from "./replay-lines.ts";
import { type RuleFlags, settingsFrom, withRuleFlags } from "./replay-settings.ts";
import { foundSomethingWrong, note, printJson, printLines } from "./terminal.ts";

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
		.option("--quiet", "no report, no progress and no notices; the exit code tells")
		.action(runReplay);
}

async function runReplay(path: string, options: ReplayOptions): Promise<void> {
	const settings = settingsFrom(options);
	const model = options.model === undefined ? undefined : await knownModel(options.model);
	const bar = new Bar(options.quiet ?? false);
	const file = await openSession(path, { onProgress: (done) => bar.update(done) });
	const directory = options.store ?? replayDirectory(homeDirectory(), file.id);
	const { warming } = options;
	const notice = (text: string) => {
		if (!options.quiet) note(text);
	};
	const policyGiven = options.policy !== undefined;
	const replayed = await bar.during("replaying", file.size, () =>
		replayFile({ file, settings, policyGiven, model, warming, directory, notice }),
	);
	const report = { ...file.report, quarantined: [...file.report.quarantined] };
	const restored = await bar.during("reading back", file.size, () => readBack(directory, file));
	const comparison = options.compare
		? await bar.during("comparing", 6 + FLOORS.length, () => compared(file, options, model, bar))
		: undefined;

	const outcome = { file, report, replayed, restored, comparison, directory, warming };
	if (replayed.windows.faults.length > 0) foundSomethingWrong();
	if (restored.exact < restored.folds || restored.clippedExact < restored.clipped) foundSomethingWrong();
	if (options.json) await printJson(replayJson(outcome));
	else if (!options.quiet) await printLines(replayLines(outcome));
}

async function knownModel(name: string): Promise<ModelRef> {
	const model = await modelNamed(name);
	if (!model) throw new CliError("CLI_NO_SUCH_MODEL", `the host's catalogue has no model ${name}`);
	return model;
}

async function compared(
	file: SessionFile,
	options: ReplayOptions,
	model: ModelRef | undefined,
	bar: Bar,
): Promise<Comparison> {
	const entries: TranscriptEntry[] = [];
	for await (const entry of withWholeTimes(file.entries)) entries.push(entry);
	const prices = new Prices(model);
	return compare({
		recording: {
			session: file.id,
			format: file.format,
			entries,
			valuation: async (asked) => (await prices.of(asked)).valuation,
		},
		settings: settingsFrom(options),
		warming: options.warming,
		floors: FLOORS,
		onProgress: (done) => bar.step(done),
	});
}

/** One progress bar after another, for passes over a file and for steps. */
class Bar {
	private readonly quiet: boolean;
	private bytes: Progress | undefined;
	private steps: Progress | undefined;

	constructor(quiet: boolean) {
		this.quiet = quiet;
	}

	/** Shows a bar while something runs that is told by `update` (bytes) or `step`. */
	async during<T>(label: string, total: number, work: () => Promise<T>): Promise<T> {
		const progress = this.quiet ? { update() {}, stop() {} } : startProgress(label, total);
		const stepping = label === "comparing";
		this.bytes = stepping ? undefined : progress;
		this.steps = stepping ? progress : undefined;
		try {
			return await work();
		} finally {
			progress.stop();
		}
	}

	update(done: number): void {
		this.bytes?.update(done);
	}

	step(done: number): void {
		this.steps?.update(done);
	}
}
