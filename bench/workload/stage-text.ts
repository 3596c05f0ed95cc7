import type { Question } from "./questions.ts";
import type { Stage } from "./stage-plan.ts";

/** What `repo_stage` returns for a stage: a heading, instructions, what it tells, its files, and the key to the next. */
export function stageText(stage: Stage, questions: readonly Question[], nextKey: string): string {
	const { number, kind, fact, binding, reissued } = stage;
	const lines = [`STAGE ${String(number).padStart(2, "0")} / ${kind}`, ""];
	lines.push(...instructions(stage, questions), "");
	lines.push(`Code word of this stage: ${stage.word}`);
	if (reissued !== undefined) {
		lines.push(`The code word of stage ${reissued.stage} is withdrawn. From now on it is ${reissued.word}`);
	}
	lines.push(`Fact: ${fact.name} = ${fact.value}`, `Bind: ${binding.name} = ${binding.value}`);
	if (number > 4) lines.push(`Marker: stage ${stage.marker}`);
	for (const { row, holder, amount, next } of stage.rows) {
		lines.push(
			`Ledger ${row}: holder ${holder}, amount ${amount}${next === undefined ? "" : `, continues in ${next}`}`,
		);
	}
	for (const { row, amount } of stage.corrections)
		lines.push(`Ledger correction: ${row} amounts to ${amount}`);
	for (const file of stage.files) {
		lines.push("", `----- BEGIN ${file.path} -----`, file.text.trimEnd(), `----- END ${file.path} -----`);
	}
	lines.push("", `NEXT_KEY: ${nextKey}`);
	return lines.join("\n");
}

/** What is returned for the last key. */
export function endText(questions: readonly Question[]): string {
	const lines = ["END BLOCK", "", "Answer from what you were told; nothing is staged again."];
	return [...lines, "", ...questions.map((question, i) => `${i + 1}. ${question.text}`)].join("\n");
}

function instructions({ number, kind }: Stage, questions: readonly Question[]): string[] {
	const lines: string[] = [];
	if (kind === "briefing") {
		lines.push(
			"You will be handed a repository in stages. Read each, note what it tells, and pull the next with its key.",
		);
		lines.push(
			"Every third stage read an earlier file again. Every eighth stage write deliver/stage-NN.md on the last eight.",
		);
		lines.push("A withdrawn code word is wrong from then on. Ledger rows may be corrected later.");
	}
	if (kind === "payload")
		lines.push("Read the files below. What do they keep, what do they call, where are the limits set?");
	if (kind === "audit") lines.push("No files. Go through the ledger as it stands, corrections included.");
	if (kind === "probe") {
		lines.push("No files. Answer with submit_answers, one line per slot.");
		lines.push(...questions.map((question, i) => `Slot ${i + 1} (${question.kind}): ${question.text}`));
	}
	if (number % 3 === 0) lines.push("Revisit one earlier file.");
	if (number % 8 === 0) lines.push(`Write deliver/stage-${String(number).padStart(2, "0")}.md.`);
	return lines;
}
