import type { Command } from "commander";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { openSession } from "../adapters/sessions/pi/session.ts";
import { Prices } from "../adapters/sessions/prices.ts";
import { withWholeTimes } from "../adapters/sessions/recorded-session.ts";
import { scheduleOf } from "../debug/compare.ts";
import { evaluateRecall, type Missed, type RecallScore } from "../debug/recall/evaluate.ts";
import { type Recording, traceOf } from "../debug/trace.ts";
import type { TrajectoryRequest } from "../debug/trajectory.ts";
import { trajectoryOf } from "../debug/trajectory-of.ts";
import { withBar } from "./bar.ts";
import { tableLines } from "./table.ts";
import { printJson, printLines } from "./terminal.ts";

interface EvalOptions {
	readonly json?: boolean;
	readonly missed?: boolean;
}

/** `recall eval`: how well a session can be searched. */
export function addRecallEval(recall: Command): void {
	recall
		.command("eval")
		.description(
			"measure how much of what is asked for stands among the first five hits: of texts planted among others " +
				"worded alike, and of rare names that later replies used although they stood in no window any more",
		)
		.argument("<file>", "a session file; it is only read")
		.option("--missed", "list the questions that did not find all")
		.option("--json", "one JSON object")
		.action(runEval);
}

/** Windows of a session that the policy never folds: small enough that something leaves them. */
const SMALL_WINDOWS: Partial<Settings> = { inputBudget: 40_000, floorTokens: 16_000 };

async function runEval(path: string, _: EvalOptions, command: Command): Promise<void> {
	const { json, missed }: EvalOptions = command.optsWithGlobals();
	const file = await openSession(path);
	const entries: TranscriptEntry[] = [];
	for await (const entry of withWholeTimes(file.entries)) entries.push(entry);
	const prices = new Prices();
	const valuation: Recording["valuation"] = async (model) => (await prices.of(model)).valuation;
	const recording: Recording = { session: file.id, format: file.format, entries, valuation };
	const misses: Missed[] = [];
	const { windows, found } = await withBar("asking", 2, async (advance) => {
		let windows: "usual" | "small" = "usual";
		let trajectory = await trajectoryUnder(recording, DEFAULT_SETTINGS);
		advance(1);
		if (trajectory.every(({ view }) => view.folded === 0)) {
			windows = "small";
			trajectory = await trajectoryUnder(recording, { ...DEFAULT_SETTINGS, ...SMALL_WINDOWS });
		}
		return { windows, found: await evaluateRecall(entries, trajectory, (one) => misses.push(one)) };
	});
	if (json) {
		await printJson({ file: path, windows, ...found, ...(missed && { missed: misses }) });
		return;
	}
	const row = (name: string, { r5, queries }: RecallScore) => [name, r5?.toFixed(3) ?? "", String(queries)];
	await printLines([
		...tableLines(
			["asked for", "R@5", "queries"],
			[
				row("planted", found.planted),
				...Object.entries(found.planted.byKind).map(([kind, score]) => row(`  ${kind}`, score)),
				row("natural", found.natural),
				["all", "", String(found.queries)],
			],
		),
		...(windows === "small"
			? ["nothing leaves a window of the usual size; windows of 40,000 tokens stand in"]
			: []),
		...(missed
			? misses.map(
					({ query, wanted, got }) => `missed ${query}: ${wanted.join(", ")} not in ${got.join(", ")}`,
				)
			: []),
	]);
}

async function trajectoryUnder(recording: Recording, settings: Settings): Promise<TrajectoryRequest[]> {
	const trace = await traceOf(recording, settings);
	return trajectoryOf(trace, await scheduleOf(recording, settings, true));
}
