import type { Valuation } from "../../events/valuation.ts";
import { UNPRICED_WEIGHTS, UNSTATED_LIFETIME_MS } from "../../projections/price.ts";

/** Dollars per million tokens, as the host's catalogue states them. 0 for the cache means "not stated". */
interface Cost {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

/** What a valuation needs of a model. */
export interface ModelFacts {
	readonly api: string;
	/** tokens */
	readonly contextWindow: number;
	readonly cost: Cost & {
		/** prices of a whole request with more prompt tokens than `inputTokensAbove` */
		readonly tiers?: readonly (Cost & { readonly inputTokensAbove: number })[] | undefined;
	};
	/** seconds a cached prefix lives after its last use, where the provider states it */
	readonly lifetime?: number | undefined;
	/** thinking is managed by the provider, which drops it behind a changed byte */
	readonly adaptive?: boolean | undefined;
}

/** The host's record of a model, as far as it is read here; the host's own type has more. */
export interface HostModel extends Omit<ModelFacts, "adaptive" | "lifetime"> {
	readonly provider: string;
	readonly id: string;
	/** seconds a cached prefix lives, by the retention that was asked for */
	readonly promptCache?:
		| { readonly short?: number | undefined; readonly long?: number | undefined }
		| undefined;
	readonly compat?: object | undefined;
}

/**
 * Bytes that endpoints take in one request, by the host's name for their interface: Anthropic's Messages API 32 MB,
 * Bedrock's Converse 20 MB, Gemini's API 20 MB with inline data, OpenAI's 50 MB of images (each by its documentation).
 * Of the others none states one.
 */
const REQUEST_BYTES: ReadonlyMap<string, number> = new Map([
	["anthropic-messages", 32_000_000],
	["bedrock-converse-stream", 20_000_000],
	["google-generative-ai", 20_000_000],
	["google-vertex", 20_000_000],
	["openai-responses", 50_000_000],
	["azure-openai-responses", 50_000_000],
]);

/** The worth of the tokens of a model nobody prices: $5 per million of input, and 1 : 0.1 : 1.25 : 5. `name` is provider/model. */
export function assumedValuation(name: string): Valuation {
	return {
		model: name,
		unit: "usd",
		input: 5,
		read: 0.5,
		write: 6.25,
		output: 25,
		tiers: [],
		lifetimeMs: UNSTATED_LIFETIME_MS,
		cache: "prefix",
		window: 200_000,
		reasoning: "keep",
		source: "assumed: not in the catalogue; 1 : 0.1 : 1.25 : 5 at $5 per million input",
	};
}

/** What a record of the host's says of a model, and no more: small enough to be packed for every model there is. */
export function factsOf({ api, contextWindow, cost, promptCache, compat }: HostModel): ModelFacts {
	const { input, output, cacheRead, cacheWrite, tiers } = cost;
	return {
		api,
		contextWindow,
		cost: { input, output, cacheRead, cacheWrite, ...(tiers && { tiers }) },
		...(promptCache?.short !== undefined && { lifetime: promptCache.short }),
		...(compat && "forceAdaptiveThinking" in compat && { adaptive: true }),
	};
}

/**
 * The worth of a model's tokens. `name` is provider/model, `source` where the facts come from; what had to be assumed is
 * added to it.
 */
export function valuationOfFacts(facts: ModelFacts, name: string, source: string): Valuation {
	const { api, contextWindow, cost, lifetime, adaptive } = facts;
	const free = cost.input === 0;
	const requestBytes = REQUEST_BYTES.get(api);
	const assumptions: string[] = [];
	if (free) assumptions.push("no price stated: weights 1 : 0.1 : 1 : 5");
	else if (cost.cacheRead === 0) assumptions.push("no read price stated: 0.1 of input");
	if (lifetime === undefined) assumptions.push("no cache lifetime stated: 30 minutes");
	return {
		model: name,
		unit: free ? "token" : "usd",
		...(free ? UNPRICED_WEIGHTS : prices(cost)),
		tiers: (cost.tiers ?? [])
			.map((tier) => ({ above: tier.inputTokensAbove, ...prices(tier) }))
			.sort((a, b) => a.above - b.above),
		lifetimeMs: lifetime === undefined ? UNSTATED_LIFETIME_MS : lifetime * 1000,
		cache: api === "anthropic-messages" ? "breakpoint" : "prefix",
		window: contextWindow,
		...(requestBytes !== undefined && { requestBytes }),
		reasoning: adaptive ? "strip" : "keep",
		source: [source, ...assumptions].join("; "),
	};
}

/** Seconds that Anthropic keeps a prefix for long retention, which the host's catalogue does not state (its documentation). */
const ANTHROPIC_LONG = 3_600;

/**
 * The same where long cache retention is asked for. Anthropic bills writes at twice the input then; elsewhere only the
 * lifetime is another, where the host's record of the model states it.
 */
export function withLongRetention(valuation: Valuation, { api, promptCache, compat }: HostModel): Valuation {
	const isRefused =
		compat !== undefined && "supportsLongCacheRetention" in compat && !compat.supportsLongCacheRetention;
	const isAnthropic = api === "anthropic-messages";
	const lifetime = promptCache?.long ?? (isAnthropic ? ANTHROPIC_LONG : undefined);
	if (isRefused || lifetime === undefined) return valuation;
	const isDearer = isAnthropic && valuation.unit === "usd";
	return {
		...valuation,
		...(isDearer && {
			write: 2 * valuation.input,
			tiers: valuation.tiers.map((tier) => ({ ...tier, write: 2 * tier.input })),
		}),
		lifetimeMs: lifetime * 1000,
		source: `${valuation.source}; long cache retention`,
	};
}

function prices({
	input,
	output,
	cacheRead,
	cacheWrite,
}: Cost): Pick<Valuation, "input" | "read" | "write" | "output"> {
	return { input, read: cacheRead || input / 10, write: cacheWrite || input, output };
}
