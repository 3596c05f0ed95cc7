import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { type Comparison, compare, FLOORS, type PolicyName } from "../src/debug/compare.ts";
import { recordings } from "./recordings.ts";
import { atMost, type Row } from "./row.ts";

/**
 * What `economic` costs and hides on recorded sessions of more than 100 requests, in sum, beside the other policies;
 * and its frontier, for choosing the default floor.
 */
export async function run(): Promise<readonly Row[]> {
	const compared: Comparison[] = [];
	for (const recording of await recordings(101)) {
		const warming = true;
		const comparison = await compare({ recording, settings: DEFAULT_SETTINGS, warming, floors: FLOORS });
		compared.push(comparison);
		console.log(recording.name);
		for (const name of ["host", "pi-fold", "band", "calm", "economic", "optimum"] as const) {
			const { usd, commits, hiddenNeeds, unmetNeeds } = comparison.policies[name];
			console.log(
				`  ${name.padEnd(9)} $${usd.toFixed(2)}  ${commits} commits  ${hiddenNeeds} hidden, ${unmetNeeds} unmet`,
			);
		}
	}
	for (const floor of FLOORS) {
		const at = compared.map(({ frontier }) => frontier.find(({ floorTokens }) => floorTokens === floor));
		if (at.includes(undefined)) continue;
		const sum = (of: "usd" | "unmetNeeds") => at.reduce((total, point) => total + (point?.[of] ?? 0), 0);
		console.log(`floor ${floor}: $${sum("usd").toFixed(2)}, ${sum("unmetNeeds")} unmet`);
	}
	const usd = (name: PolicyName) => compared.reduce((sum, { policies }) => sum + policies[name].usd, 0);
	const unmet = (name: PolicyName) =>
		compared.reduce((sum, { policies }) => sum + policies[name].unmetNeeds, 0);
	const bar = (share: number, name: PolicyName) =>
		atMost(share, {
			name: `economic, ${compared.length} sessions`,
			value: usd("economic"),
			unit: "$",
			against: `what ${name} costs`,
			limit: usd(name),
		});
	return [
		bar(0.8, "pi-fold"),
		bar(0.65, "host"),
		bar(1.05, "optimum"),
		atMost(1, {
			name: "unmet needs of economic",
			value: unmet("economic"),
			unit: "names",
			against: "unmet needs of pi-fold",
			limit: unmet("pi-fold"),
		}),
	];
}
