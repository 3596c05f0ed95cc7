import type { Command } from "commander";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { openSession } from "../adapters/sessions/pi/session.ts";
import { Prices } from "../adapters/sessions/prices.ts";
import { withWholeTimes } from "../adapters/sessions/recorded-session.ts";
import { evaluateRecall, type Missed, type RecallScore } from "../debug/recall/evaluate.ts";
import { windowsOf } from "../debug/recall/windows.ts";
import type { Recording } from "../debug/trace.ts";
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
		const { size: windows, trajectory } = await windowsOf(recording, () => advance(1));
		return {
			windows,
			found: await evaluateRecall(entries, trajectory, { onMissed: (one) => misses.push(one) }),
		};
	});
	if (json) {
		await printJson({ file: path, windows, ...found, ...(missed && { missed: misses }) });
		return;
	}
	const share = (found: number | null) => found?.toFixed(3) ?? "";
	const row = (name: string, { r5, plain, queries }: RecallScore) => [
		name,
		share(r5),
		share(plain),
		String(queries),
	];
	await printLines([
		...tableLines(
			["asked for", "R@5", "by bare words", "queries"],
			[
				row("planted", found.planted),
				...Object.entries(found.planted.byKind).map(([kind, score]) => row(`  ${kind}`, score)),
				row("natural", found.natural),
				["all", "", "", String(found.queries)],
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
