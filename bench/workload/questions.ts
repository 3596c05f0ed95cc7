import type { Dice } from "./dice.ts";
import { type Stage, wordAt } from "./stage-plan.ts";

/** A question about what was told before, with its answer. */
export interface Question {
	readonly kind:
		| "chain-link"
		| "echo"
		| "stage-fact"
		| "stage-binding"
		| "repo"
		| "derivation-control"
		| "join"
		| "correction"
		| "code-word";
	/** the stage it is asked at; 65 is the end block */
	readonly askedAt: number;
	/** the stage that told the answer, the latest one where several did */
	readonly toldAt: number;
	readonly text: string;
	readonly answer: string;
}

/** The end block is asked after the last stage and was announced nowhere. */
export const END_BLOCK = 65;

/** The six slots of a probe wave. `given` are the answers of earlier waves, for the echo. */
export function wave(
	dice: Dice,
	plan: readonly Stage[],
	now: number,
	given: readonly Question[],
): Question[] {
	const payload = plan.filter((stage) => stage.kind === "payload" && stage.number <= now - 4);
	const some = (): Stage => payload[dice.between(0, payload.length - 1)] ?? earliest(plan);
	const ask = (kind: Question["kind"], toldAt: number, text: string, answer: string): Question => {
		return { kind, askedAt: now, toldAt, text, answer };
	};
	const pointing = payload.filter((stage) => stage.marker > 1).at(dice.between(-9, -1)) ?? some();
	const pointed = plan[pointing.marker - 1] ?? earliest(plan);
	const fact = some();
	const binding = some();
	const [file] = dice.sample(some().files, 1);
	const home = payload.find((stage) => file !== undefined && stage.files.includes(file)) ?? fact;
	const [macro, value] = [...(file?.constants ?? [])][0] ?? ["", 0];
	const [a = fact, b = binding] = dice.sample(payload, 2);
	const echoed = given.filter((question) => question.kind !== "echo").at(dice.between(-5, -1));
	return [
		ask(
			"chain-link",
			pointing.number,
			`Follow the marker of stage ${pointing.number}: what does the fact there say?`,
			`${pointed.fact.name} = ${pointed.fact.value}`,
		),
		echoed === undefined
			? ask("echo", 1, "Which code word did stage 1 issue at first?", earliest(plan).word)
			: ask("echo", echoed.askedAt, `Repeat your answer to: ${echoed.text}`, echoed.answer),
		ask(
			"stage-fact",
			fact.number,
			`Which fact did stage ${fact.number} state?`,
			`${fact.fact.name} = ${fact.fact.value}`,
		),
		ask(
			"stage-binding",
			binding.number,
			`Which port did stage ${binding.number} bind?`,
			`${binding.binding.name} = ${binding.binding.value}`,
		),
		ask(
			"repo",
			home.number,
			`What is ${macro} defined as, and in which file?`,
			`${value} in ${file?.path ?? ""}`,
		),
		ask(
			"derivation-control",
			Math.max(a.number, b.number),
			`Add the facts of stages ${a.number} and ${b.number}.`,
			String(Number(a.fact.value) + Number(b.fact.value)),
		),
	];
}

/** The end block: four joins of three hops, four corrected amounts, four standing code words, four facts. */
export function endBlock(dice: Dice, plan: readonly Stage[]): Question[] {
	const rows = plan.flatMap((stage) => stage.rows.map((row) => ({ ...row, stage: stage.number })));
	const corrections = plan.flatMap((stage) =>
		stage.corrections.map((fixed) => ({ ...fixed, stage: stage.number })),
	);
	const ask = (kind: Question["kind"], toldAt: number, text: string, answer: string): Question => {
		return { kind, askedAt: END_BLOCK, toldAt, text, answer };
	};
	const byName = new Map(rows.map((row) => [row.row, row]));
	const joins = [0, 3, 6, 9].flatMap((first) => {
		const start = rows[first];
		const end = byName.get(byName.get(start?.next ?? "")?.next ?? "");
		if (start === undefined || end === undefined) return [];
		return [
			ask("join", end.stage, `Two rows on from ${start.row}: who holds it?`, `${end.row} ${end.holder}`),
		];
	});
	const fixed = corrections.map((correction) =>
		ask(
			"correction",
			correction.stage,
			`What does ${correction.row} amount to now?`,
			String(correction.amount),
		),
	);
	const payload = plan.filter((stage) => stage.kind === "payload");
	const words = dice.sample(payload, 4).map((stage) => {
		return ask(
			"code-word",
			stage.number + 3,
			`Which code word stands for stage ${stage.number}?`,
			wordAt(plan, stage.number, END_BLOCK),
		);
	});
	const facts = dice.sample(payload, 4).map((stage) => {
		return ask(
			"stage-fact",
			stage.number,
			`Which fact did stage ${stage.number} state?`,
			`${stage.fact.name} = ${stage.fact.value}`,
		);
	});
	return [...joins, ...fixed, ...words, ...facts];
}

function earliest(plan: readonly Stage[]): Stage {
	const [stage] = plan;
	if (stage === undefined) throw new RangeError("a plan has stages");
	return stage;
}
