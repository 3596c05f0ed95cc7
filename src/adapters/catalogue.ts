import type { Api, Model } from "@earendil-works/pi-ai";
import type { Valuation } from "../../events/valuation.ts";
import type { ModelRef } from "../../projections/transcript.ts";

/** What a model's tokens are worth, and whether the host's catalogue says so. */
export interface Priced {
	readonly valuation: Valuation;
	/** the catalogue does not price this model; the numbers are assumed */
	readonly assumed: boolean;
}

/** Where the catalogue states no cache lifetime (`design.md` §5.3). */
const LIFETIME_MS = 30 * 60_000;

/**
 * The worth of a model's tokens by the host's catalogue: dollars per million tokens, ms, tokens. A model it does not
 * know is priced 5 / 0.5 / 6.25 / 25 with a window of 200,000, and `assumed` says so.
 */
export async function valuationOf(ref: ModelRef): Promise<Priced> {
	const model = await findModel(ref);
	const name = `${ref.provider}/${ref.model}`;
	if (!model) return { valuation: { ...ASSUMED, model: name }, assumed: true };
	return { valuation: valuationOfModel(model, name), assumed: false };
}

/** The catalogue's model for `provider/id`, or for an id alone when any provider has it; `undefined` if none does. */
export async function modelNamed(name: string): Promise<ModelRef | undefined> {
	const { getBuiltinModels, getBuiltinProviders } = await import("@earendil-works/pi-ai/providers/all");
	for (const provider of getBuiltinProviders()) {
		for (const { id } of getBuiltinModels(provider)) {
			if (name === `${provider}/${id}` || name === id) return { provider, model: id };
		}
	}
	return undefined;
}

const ASSUMED: Valuation = {
	model: "unknown",
	unit: "usd",
	input: 5,
	read: 0.5,
	write: 6.25,
	output: 25,
	tiers: [],
	lifetimeMs: LIFETIME_MS,
	cache: "prefix",
	window: 200_000,
	reasoning: "keep",
	source: "assumed: not in the catalogue; 1 : 0.1 : 1.25 : 5 at $5 per million input",
};

async function findModel(ref: ModelRef): Promise<Model<Api> | undefined> {
	const { getBuiltinModels, getBuiltinProviders } = await import("@earendil-works/pi-ai/providers/all");
	const provider = getBuiltinProviders().find((known) => known === ref.provider);
	return provider && (getBuiltinModels(provider) as Model<Api>[]).find(({ id }) => id === ref.model);
}

/** The worth of a model's tokens as the host's record of the model states it. `name` is provider/model. */
export function valuationOfModel(model: Model<Api>, name = `${model.provider}/${model.id}`): Valuation {
	const free = model.cost.input === 0;
	const assumptions: string[] = [];
	if (free) assumptions.push("no price stated: weights 1 : 0.1 : 1 : 5");
	else if (model.cost.cacheRead === 0) assumptions.push("no read price stated: 0.1 of input");
	const lifetime = model.promptCache?.short;
	if (lifetime === undefined) assumptions.push("no cache lifetime stated: 30 minutes");
	const prices = (cost: { input: number; output: number; cacheRead: number; cacheWrite: number }) => ({
		input: cost.input,
		read: cost.cacheRead || cost.input / 10,
		write: cost.cacheWrite || cost.input,
		output: cost.output,
	});
	const adaptive = model.compat !== undefined && "forceAdaptiveThinking" in model.compat;
	return {
		model: name,
		unit: free ? "token" : "usd",
		...(free ? { input: 1e6, read: 1e5, write: 1e6, output: 5e6 } : prices(model.cost)),
		tiers: (model.cost.tiers ?? [])
			.map((tier) => ({ above: tier.inputTokensAbove, ...prices(tier) }))
			.sort((a, b) => a.above - b.above),
		lifetimeMs: lifetime === undefined ? LIFETIME_MS : lifetime * 1000,
		cache: model.api === "anthropic-messages" ? "breakpoint" : "prefix",
		window: model.contextWindow,
		reasoning: adaptive ? "strip" : "keep",
		source: ["the host's catalogue", ...assumptions].join("; "),
	};
}
