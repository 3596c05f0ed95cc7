import { writeFileSync } from "node:fs";
import { getBuiltinModel } from "@earendil-works/pi-ai/providers/all";
import { Dice } from "./dice.ts";
import { endBlock, type Question, wave } from "./questions.ts";
import { SessionWriter, type Step, type Written } from "./session-writer.ts";
import type { SourceFile } from "./source-text.ts";
import { PROBE_STAGES, planStages, type Stage, wordAt } from "./stage-plan.ts";
import { endText, stageText } from "./stage-text.ts";

/** The 64-stage workload as it was written: its size, and every question with its answer and where that was told. */
export interface StagesWritten extends Written {
	/** characters of staged files */
	readonly payloadCharacters: number;
	readonly files: number;
	readonly questions: readonly Question[];
}

/**
 * A model of the catalogue that costs what the published runs of this workload paid: input 5, cached 0.5, output 30
 * dollars a million tokens; above 272,000 prompt tokens 10, 1 and 45; writing to the cache is free. Its window holds the
 * whole workload, so the file stands for the run that never gave anything up.
 */
export const STAGES_MODEL = getBuiltinModel("azure", "gpt-5.5");

const TOOLS = [
	{ name: "repo_stage", description: "Hands out one stage for its key.", parameters: params("key") },
	{
		name: "submit_answers",
		description: "Takes the answers of a probe wave.",
		parameters: params("answers"),
	},
	{ name: "read", description: "Read the contents of a file.", parameters: params("path") },
	{ name: "bash", description: "Execute a command.", parameters: params("command") },
	{ name: "write", description: "Write a file.", parameters: params("path", "content") },
];

/** The longest result of `read`, in characters. */
const READ_LIMIT = 50_000;

/**
 * Writes the workload of 64 stages in one user turn to `path`, as a Pi v3 session. One seed gives the same bytes
 * always. The agent in it is a good one: each reply uses what its stage and earlier stages told, and every answer is right.
 */
export function writeStages(path: string, { seed }: { readonly seed: number }): StagesWritten {
	const plan = planStages(seed);
	const dice = new Dice(seed ^ 0x5eed);
	const writer = new SessionWriter(STAGES_MODEL, `stages-${seed}`, "/home/dev/staged");
	const questions: Question[] = [];
	writer.system("You are a coding agent. Pull the stages one by one and do what each asks.", TOOLS);
	writer.user(
		`Work through all ${plan.length} stages in one go. The first key is ${plan[0]?.key}. Do not stop before the end.`,
	);
	let said = "Starting with the first key.";
	for (const stage of plan) {
		const now = stage.number;
		const asked = PROBE_STAGES.includes(now) ? wave(dice, plan, now, questions) : [];
		questions.push(...asked);
		const nextKey = plan[now]?.key ?? "KEY-end-of-stages";
		writer.reply(
			said,
			[{ tool: "repo_stage", args: { key: stage.key }, result: stageText(stage, asked, nextKey) }],
			dice.between(60, 320),
		);
		if (asked.length > 0)
			writer.reply(
				`Wave ${now / 16}. From what I was told:\n${answered(asked)}`,
				submit(asked, plan),
				dice.between(200, 500),
			);
		if (now % 3 === 0) revisit(writer, dice, plan, now);
		if (now % 8 === 0) deliver(writer, dice, plan, now);
		said = remark(dice, plan, stage);
	}
	const block = endBlock(dice, plan);
	questions.push(...block);
	writer.reply(
		said,
		[{ tool: "repo_stage", args: { key: "KEY-end-of-stages" }, result: endText(block) }],
		dice.between(60, 320),
	);
	writer.reply(`All ${block.length}, in order:\n${answered(block)}`, [], dice.between(900, 1800));
	const { jsonl, written } = writer.finish();
	writeFileSync(path, jsonl);
	const files = plan.flatMap((stage) => stage.files);
	return {
		...written,
		payloadCharacters: files.reduce((n, file) => n + file.text.length, 0),
		files: files.length,
		questions,
	};
}

/** What the agent says of a stage as it pulls the next: its tokens, and something from a few or many stages before. */
function remark(dice: Dice, plan: readonly Stage[], { number, files, fact, binding, word }: Stage): string {
	const earlier = plan[dice.between(0, number - 1)];
	const [file] = dice.sample(files, 1);
	const [old] = dice.sample(earlier?.files ?? [], 1);
	const lines = [
		`Stage ${number}: code word ${word}, ${fact.name} is ${fact.value}, ${binding.name} is bound to ${binding.value}.`,
	];
	if (file !== undefined)
		lines.push(
			`${file.path} is driven by \`${file.functions[0]}\`; its limit is ${[...file.constants.keys()][0]}.`,
		);
	if (old !== undefined && old !== file)
		lines.push(`It resembles \`${old.functions.at(-1)}\` of ${old.path} from stage ${earlier?.number}.`);
	return lines.join(" ");
}

/** Reads a file of an earlier stage again and says what of it still counts. */
function revisit(writer: SessionWriter, dice: Dice, plan: readonly Stage[], now: number): void {
	const payload = plan.filter((stage) => stage.kind === "payload" && stage.number < now - 2);
	const earlier = payload[dice.between(0, payload.length - 1)] ?? plan[1];
	const [file, neighbour] = dice.sample(earlier?.files ?? [], 2);
	if (earlier === undefined || file === undefined) return;
	const macro = [...file.constants.keys()][dice.between(0, file.constants.size - 1)] ?? "";
	const steps = [read(file), ...(neighbour === undefined ? [] : [read(neighbour)]), grep(macro, plan)];
	const word = wordAt(plan, earlier.number, now);
	writer.reply(
		`Revisiting ${file.path} of stage ${earlier.number}, whose word is now ${word}: I remember \`${file.functions[1] ?? file.functions[0]}\` and want ${macro} again.`,
		steps,
		dice.between(60, 200),
	);
}

/** Writes the deliverable of the last eight stages from memory and looks at it. */
function deliver(writer: SessionWriter, dice: Dice, plan: readonly Stage[], now: number): void {
	const lines = [`# Stages ${now - 7} to ${now}`, ""];
	for (const { number, files, fact, binding, rows } of plan.slice(now - 8, now)) {
		lines.push(
			`## Stage ${number}`,
			"",
			`- ${fact.name} = ${fact.value}, ${binding.name} = ${binding.value}, word ${wordAt(plan, number, now)}`,
		);
		for (const file of dice.sample(files, 3))
			lines.push(
				`- ${file.path}: \`${file.functions[0]}\`, ${[...file.constants].map((pair) => pair.join(" ")).join(", ")}`,
			);
		for (const row of rows) lines.push(`- ledger ${row.row}: ${row.holder}, ${row.amount}`);
		lines.push("");
	}
	const path = `deliver/stage-${String(now).padStart(2, "0")}.md`;
	const content = lines.join("\n");
	writer.reply(
		`Writing ${path}.`,
		[{ tool: "write", args: { path, content }, result: `Successfully wrote to ${path}` }],
		dice.between(150, 400),
	);
	writer.reply(
		`Checking ${path}.`,
		[
			{
				tool: "bash",
				args: { command: `wc ${path}; head -20 ${path}` },
				result: `${content.length} ${path}\n${lines.slice(0, 20).join("\n")}`,
			},
		],
		dice.between(20, 80),
	);
}

function submit(asked: readonly Question[], plan: readonly Stage[]): Step[] {
	const macro =
		/What is (\w+) defined/.exec(asked.find((question) => question.kind === "repo")?.text ?? "")?.[1] ?? "";
	const answers = asked.map((question, i) => `${i + 1}: ${question.answer}`).join("\n");
	return [
		grep(macro, plan),
		{ tool: "submit_answers", args: { answers }, result: `${asked.length} answers taken.` },
	];
}

function answered(questions: readonly Question[]): string {
	return questions
		.map((question, i) => `${i + 1}. (${question.kind}, told at stage ${question.toldAt}) ${question.answer}`)
		.join("\n");
}

function read(file: SourceFile): Step {
	return { tool: "read", args: { path: file.path }, result: file.text.slice(0, READ_LIMIT) };
}

function grep(name: string, plan: readonly Stage[]): Step {
	const hits = plan
		.flatMap((stage) => stage.files)
		.flatMap((file) => (name !== "" && file.constants.has(name) ? hitsIn(file, name) : []));
	return {
		tool: "bash",
		args: { command: `grep -rn ${name} lib src tests` },
		result: hits.slice(0, 60).join("\n"),
	};
}

function hitsIn(file: SourceFile, name: string): string[] {
	return file.text
		.split("\n")
		.flatMap((line, i) => (line.includes(name) ? [`${file.path}:${i + 1}:${line}`] : []));
}

function params(...names: readonly string[]): object {
	return {
		type: "object",
		required: names,
		properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
	};
}
