import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { valuationOf } from "../src/adapters/catalogue.ts";
import { compare, POLICIES } from "../src/debug/compare.ts";
import { type NamedRecording, recordingAt } from "./recordings.ts";
import { atMost, type Row } from "./row.ts";
import { writeStages } from "./workload/stages.ts";

/** The budget of the published figures, tokens. */
const BUDGET = 251_520;

/** A window of 272,000 tokens at $5 / $0.50 / $30 and twice that beyond it: the prices of the published figures. */
const MODEL = { provider: "openai", model: "gpt-5.5" };

/** The 64-stage workload under every policy, at the budget of the figures that were published for it. */
export async function run(): Promise<readonly Row[]> {
	const directory = await mkdtemp(join(tmpdir(), "palimpsest-stages-"));
	try {
		const path = join(directory, "stages.jsonl");
		await writeStages(path, { seed: 1 });
		const stages = (await recordingAt(path)) as NamedRecording;
		const { valuation } = await valuationOf(MODEL);
		const recording = { ...stages, valuation: async () => valuation };
		const settings = { ...DEFAULT_SETTINGS, inputBudget: BUDGET };
		const { policies } = await compare({ recording, settings, warming: true });
		for (const name of POLICIES) {
			const { usd, freshTokens, cachedTokens, commits, meanTokens, hiddenNeeds, unmetNeeds } = policies[name];
			const millions = (tokens: number) => (tokens / 1e6).toFixed(2);
			console.log(
				`${name.padEnd(9)} $${usd.toFixed(2)}  fresh ${millions(freshTokens)} M  cached ${millions(cachedTokens)} M` +
					`  ${commits} commits  mean ${meanTokens}  ${hiddenNeeds} hidden, ${unmetNeeds} unmet`,
			);
		}
		const row = (against: "pi-fold" | "host", share: number) =>
			atMost(share, {
				name: "economic, 64 stages",
				value: policies.economic.usd,
				unit: "$",
				against: `what ${against} costs`,
				limit: policies[against].usd,
			});
		return [row("pi-fold", 0.8), row("host", 0.65)];
	} finally {
		await rm(directory, { recursive: true });
	}
}
