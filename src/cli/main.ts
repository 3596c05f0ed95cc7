import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { Command } from "commander";
import { goesBySignal } from "../store/leftovers.ts";
import { addBisect } from "./bisect.ts";
import { addBundle } from "./bundle.ts";
import { addCost } from "./cost.ts";
import { addDebug } from "./debug.ts";
import { addDiff } from "./diff.ts";
import { reportFailure } from "./failure.ts";
import { addLog } from "./log.ts";
import { addMemory } from "./memory.ts";
import { addRecall } from "./recall.ts";
import { addRepair } from "./repair.ts";
import { addReplay } from "./replay.ts";
import { addShow } from "./show.ts";
import { addStats } from "./stats.ts";
import { endWithOutput } from "./terminal.ts";
import { addRedo, addUndo } from "./undo.ts";
import { addVerify } from "./verify.ts";
import { addWhatIf } from "./what-if.ts";
import { addWhen } from "./when.ts";
import { addWhy } from "./why.ts";
import { addWindow } from "./window.ts";

const ABOUT = `Replays recorded Pi sessions through the context engine, and answers questions about what it left.

Exit codes: 0 fine; 1 something wrong was found, or what was asked for was not; 2 misuse.`;

/**
 * Runs the command line as a process of its own: `main`, and a reader that closes the pipe ends it quietly. What it
 * unpacked or copied for itself goes with it, also where a signal ends it.
 */
export async function runProcess(argv: readonly string[]): Promise<void> {
	endWithOutput();
	goesBySignal();
	await main(argv);
}

/** Every command with its options, ready to parse. */
export function commandLine(): Command {
	const program = new Command("palimpsest")
		.description(ABOUT)
		.version(version())
		.exitOverride()
		.configureOutput({ outputError: () => {} })
		.helpCommand(true);
	for (const add of [
		addReplay,
		addLog,
		addShow,
		addWindow,
		addDiff,
		addWhen,
		addBisect,
		addWhy,
		addVerify,
		addRepair,
		addBundle,
		addStats,
		addCost,
		addWhatIf,
		addUndo,
		addRedo,
		addRecall,
		addMemory,
		addDebug,
	])
		add(program);
	return program;
}

/** Runs the command line with the arguments behind the program's name, and sets the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
	const program = commandLine();
	if (argv.length === 0) {
		program.outputHelp({ error: true });
		process.exitCode = 2;
		return;
	}
	try {
		await program.parseAsync(argv, { from: "user" });
	} catch (error) {
		process.exitCode = await reportFailure(error, argv.includes("--json"));
	}
}

function version(): string {
	const path = findPackageJSON(import.meta.url);
	return path === undefined ? "unknown" : (JSON.parse(readFileSync(path, "utf8")).version as string);
}
