import { createHash } from "node:crypto";
import { evaluateRecall, type Missed, type RecallScore } from "../src/debug/recall/evaluate.ts";
import { smallWindowsOf, windowsOf } from "../src/debug/recall/windows.ts";
import { type NamedRecording, recordings } from "./recordings.ts";
import { atLeast, type Row } from "./row.ts";

/** Seeds of what is planted: ranking may be fitted to the first, and is judged by the second. */
const SEEDS = { tuning: [20_260_101, 1, 2], "held out": [101, 102, 103] } as const;

type Half = keyof typeof SEEDS;

/** What is asked for among the first five hits, at least. */
const AIMS = { planted: 0.95, natural: 0.91 } as const;

/**
 * How much of what is asked for stands among the first five hits, of the recordings that ranking may be fitted to and of
 * those held out, beside a search by bare words. `PALIMPSEST_MISSED` lists what the tuning half did not find.
 */
export async function run(): Promise<readonly Row[]> {
	const tallies = new Map<string, Tally>();
	for (const recording of await recordings(1)) {
		const half = halfOf(recording.name);
		for (const [what, score] of await scores(recording, half)) {
			if (score.queries === 0) continue;
			console.log(`  ${half}  ${recording.name}  ${what}  ${told(score)}`);
			const key = `${what}, ${half}`;
			tallies.set(key, (tallies.get(key) ?? new Tally()).add(score));
		}
	}
	return [...tallies]
		.sort(([a], [b]) => (a < b ? -1 : 1))
		.map(([name, tally]) =>
			atLeast(1, {
				name: `${name}: ${tally.queries} queries`,
				value: tally.r5,
				unit: "R@5",
				against: `aimed at; ${tally.plain.toFixed(3)} by bare words`,
				limit: name.startsWith("planted") ? AIMS.planted : AIMS.natural,
			}),
		);
}

/** Which half a recording is in: by the last digit of the SHA-256 of its file's name. */
function halfOf(name: string): Half {
	const digest = createHash("sha256").update(`${name}.jsonl`).digest("hex");
	return Number.parseInt(digest.slice(-1), 16) >= 8 ? "tuning" : "held out";
}

async function scores(recording: NamedRecording, half: Half): Promise<[what: string, RecallScore][]> {
	const { entries } = recording;
	const usual = await windowsOf(recording);
	const small = await smallWindowsOf(recording);
	const missed = new Map<string, Missed>();
	const onMissed = (one: Missed) => missed.set(`${one.query} ${one.wanted}`, one);
	const found: [string, RecallScore][] = [];
	for (const seed of SEEDS[half]) {
		const { planted } = await evaluateRecall(entries, [], { onMissed, seed });
		found.push([`planted`, planted]);
	}
	const natural = await evaluateRecall(entries, usual.trajectory, { onMissed });
	found.push(["natural", natural.natural]);
	if (usual.size === "usual")
		found.push([
			"natural in windows of 40,000 tokens",
			(await evaluateRecall(entries, small.trajectory, { onMissed })).natural,
		]);
	if (half === "tuning" && process.env.PALIMPSEST_MISSED)
		for (const one of missed.values()) console.log(JSON.stringify(one));
	return found;
}

/** Scores of several sessions, each question counting the same. */
class Tally {
	queries = 0;
	#r5 = 0;
	#plain = 0;

	add({ r5, plain, queries }: RecallScore): this {
		this.queries += queries;
		this.#r5 += (r5 ?? 0) * queries;
		this.#plain += (plain ?? 0) * queries;
		return this;
	}

	get r5(): number {
		return this.#r5 / this.queries;
	}

	get plain(): number {
		return this.#plain / this.queries;
	}
}

function told({ r5, plain, queries }: RecallScore): string {
	return `R@5 ${r5?.toFixed(3)}  by bare words ${plain?.toFixed(3)}  of ${queries}`;
}
