import { Hono } from "hono";
import type { Valuation } from "../../../events/valuation.ts";
import type { Settings } from "../../../projections/rules.ts";
import { WhatIfError, whatIf } from "../../debug/what-if.ts";
import { modelsNamed } from "../catalogue.ts";
import { Prices } from "../sessions/prices.ts";
import { type Asked, asking } from "./asking.ts";
import type { HistorySource } from "./history-source.ts";
import { wholeNumberIn } from "./numbers-in.ts";
import { PageError } from "./page-error.ts";

const POLICIES: readonly string[] = ["economic", "calm", "band", "off"] satisfies Settings["policy"][];

/** Whole numbers and the least and the most of each, as the command line takes them. */
const NUMBERS = {
	floor: {},
	budget: { least: 10_000 },
	minFoldChars: { least: 500 },
	consolidateAfter: { least: 2, most: 1000 },
} as const;

const SHARES = ["toolFoldThreshold", "maxTarget", "minTarget"] as const;

/**
 * `/what-if?from&policy&floor&budget&minFoldChars&consolidateAfter&toolFoldThreshold&maxTarget&minTarget&model&most`: the
 * session as other settings would have had it from a request on, beside the recorded one. What is not named stays.
 */
export function whatIfRoutes(source: HistorySource): Hono {
	const routes = new Hono();
	routes.get(
		"/what-if",
		asking(source)(async ({ history, store, content }, asked) => {
			const from = wholeNumberIn("from", asked.query("from"), { least: 1 }) ?? 1;
			const most = wholeNumberIn("most", asked.query("most"), { least: 1 });
			const [settings, valuation] = [settingsIn(asked), await valuationIn(asked)];
			if (!history.request(from)) return undefined;
			try {
				return await whatIf(history, store, content, {
					from,
					settings,
					valuation,
					most,
					// ends where who asked no longer waits
					onProgress: () => asked.raw.signal.throwIfAborted(),
				});
			} catch (error) {
				if (error instanceof WhatIfError) throw new PageError("PAGE_BAD_REQUEST", error.message);
				throw error;
			}
		}),
	);
	return routes;
}

function settingsIn(asked: Asked): Partial<Settings> {
	const whole: { -readonly [name in keyof typeof NUMBERS]?: number } = {};
	for (const name of Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]) {
		const value = wholeNumberIn(name, asked.query(name), NUMBERS[name]);
		if (value !== undefined) whole[name] = value;
	}
	const { floor, budget, ...numbers } = whole;
	const shares = SHARES.flatMap((name) => {
		const share = shareIn(name, asked.query(name));
		return share === undefined ? [] : [[name, share] as const];
	});
	const policy = asked.query("policy");
	if (policy !== undefined && !POLICIES.includes(policy))
		throw new PageError("PAGE_BAD_REQUEST", `policy is one of ${POLICIES.join(", ")}`);
	return {
		...(policy !== undefined && { policy: policy as Settings["policy"] }),
		...numbers,
		...Object.fromEntries(shares),
		...(floor !== undefined && { floorTokens: floor }),
		...(budget !== undefined && { inputBudget: budget }),
	};
}

function shareIn(name: (typeof SHARES)[number], text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	const share = /^(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
	if (name === "toolFoldThreshold" ? share <= 0.99 : share > 0 && share < 1) return share;
	throw new PageError("PAGE_BAD_REQUEST", `${name} is a share such as 0.5`);
}

async function valuationIn(asked: Asked): Promise<Valuation | undefined> {
	const name = asked.query("model");
	if (name === undefined || name === "") return undefined;
	const [model, ...others] = await modelsNamed(name);
	if (!model) throw new PageError("PAGE_BAD_REQUEST", `the host's catalogue has no model ${name}`);
	if (others.length === 0) return (await new Prices(model).of(model)).valuation;
	const names = [model, ...others].map((ref) => `${ref.provider}/${ref.model}`);
	throw new PageError("PAGE_BAD_REQUEST", `model ${name} is one of several: ${names.join(", ")}`);
}
