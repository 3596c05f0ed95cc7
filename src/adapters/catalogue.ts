import { env } from "node:process";
import type { Valuation } from "../../events/valuation.ts";
import type { ModelRef } from "../../projections/transcript.ts";
import {
	assumedValuation,
	factsOf,
	type HostModel,
	type ModelFacts,
	valuationOfFacts,
	withLongRetention,
} from "./model-facts.ts";
import { packedPriceTable } from "./price-table.ts";

/** What a model's tokens are worth, and whether a catalogue says so. */
export interface Priced {
	readonly valuation: Valuation;
	/** no catalogue prices this model; the numbers are assumed */
	readonly assumed: boolean;
}

/** What prices come from. */
interface Catalogue {
	/** as `valuation.source` names it */
	readonly source: string;
	/** every model as provider and id, in the catalogue's order */
	models(): Iterable<ModelRef>;
	facts(ref: ModelRef): ModelFacts | undefined;
}

const HOST_SOURCE = "the host's catalogue";

let loaded: Promise<Catalogue | undefined> | undefined;

/**
 * The worth of a model's tokens by the host's catalogue, or where the host is not installed by the copy packed with
 * this release: dollars per million tokens, ms, tokens. `source` says which, so a log replayed without the host
 * differs from one replayed with it in that and nothing else. A model neither knows is priced 5 / 0.5 / 6.25 / 25
 * with a window of 200,000, and `assumed` says so.
 */
export async function valuationOf(ref: ModelRef): Promise<Priced> {
	const name = `${ref.provider}/${ref.model}`;
	const known = await catalogue();
	const facts = known?.facts(ref);
	if (!known || !facts) return { valuation: assumedValuation(name), assumed: true };
	return { valuation: valuationOfFacts(facts, name, known.source), assumed: false };
}

/** The catalogue's one model of the name `provider/id`, or else every one whose id alone is the name. */
export async function modelsNamed(name: string): Promise<ModelRef[]> {
	const found: ModelRef[] = [];
	for (const ref of (await catalogue())?.models() ?? []) {
		if (name === `${ref.provider}/${ref.model}`) return [ref];
		if (name === ref.model) found.push(ref);
	}
	return found;
}

/** Models whose ids hold a name, whatever the case: `provider/id`, those of the shortest ids first, so many at most. */
export async function modelsLike(name: string, most: number): Promise<string[]> {
	const wanted = name.toLowerCase();
	const found: string[] = [];
	for (const { provider, model } of (await catalogue())?.models() ?? [])
		if (model.toLowerCase().includes(wanted)) found.push(`${provider}/${model}`);
	return found.sort((a, b) => a.length - b.length).slice(0, most);
}

/**
 * The worth of a model's tokens as the running host's record of it states, which a user may have edited. It is one
 * object for each record: the host makes another record where it has another price.
 */
export function valuationOfModel(model: HostModel): Valuation {
	let valuation = worths.get(model);
	if (!valuation) {
		valuation = valuationOfFacts(factsOf(model), `${model.provider}/${model.id}`, HOST_SOURCE);
		if (env.PI_CACHE_RETENTION === "long") valuation = withLongRetention(valuation, model);
		worths.set(model, valuation);
	}
	return valuation;
}

const worths = new WeakMap<HostModel, Valuation>();

/** Loaded on first use: the host's takes 0.1 s. */
function catalogue(): Promise<Catalogue | undefined> {
	loaded ??= hostCatalogue().then((host) => host ?? packedCatalogue());
	return loaded;
}

async function hostCatalogue(): Promise<Catalogue | undefined> {
	try {
		const { getBuiltinModels, getBuiltinProviders } = await import("@earendil-works/pi-ai/providers/all");
		const providers = getBuiltinProviders();
		return {
			source: HOST_SOURCE,
			*models() {
				for (const provider of providers) {
					for (const { id } of getBuiltinModels(provider)) yield { provider, model: id };
				}
			},
			facts(ref) {
				const provider = providers.find((known) => known === ref.provider);
				const models: readonly HostModel[] = provider ? getBuiltinModels(provider) : [];
				const model = models.find(({ id }) => id === ref.model);
				return model && factsOf(model);
			},
		};
	} catch (error) {
		if (ABSENT.has(String((error as NodeJS.ErrnoException).code))) return undefined;
		throw error;
	}
}

/** What importing says of a host that is not there, or is too old to have this catalogue. */
const ABSENT: ReadonlySet<string> = new Set([
	"ERR_MODULE_NOT_FOUND",
	"ERR_PACKAGE_PATH_NOT_EXPORTED",
	"MODULE_NOT_FOUND",
]);

async function packedCatalogue(): Promise<Catalogue | undefined> {
	const table = await packedPriceTable();
	if (!table) return undefined;
	const { version, date, providers } = table;
	return {
		source: `${HOST_SOURCE} as packed: ${version} of ${date}`,
		*models() {
			for (const [provider, models] of Object.entries(providers)) {
				for (const model of Object.keys(models)) yield { provider, model };
			}
		},
		facts: ({ provider, model }) => own(own(providers, provider) ?? {}, model),
	};
}

/** A recorded name may be `constructor`. */
function own<V>(table: { readonly [name: string]: V }, name: string): V | undefined {
	return Object.hasOwn(table, name) ? table[name] : undefined;
}
