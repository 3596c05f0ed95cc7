import type { Valuation } from "../../events/valuation.ts";
import { refreshesBetween } from "../../projections/host-warming.ts";
import { budgetOf, floorOf, type Settings } from "../../projections/rules.ts";
import { replaySession } from "../engine/replay.ts";
import { type Bill, billFor } from "./bill.ts";
import { type CacheModel, reachesBack } from "./cache.ts";
import { hostRun } from "./host.ts";
import { type NeedCounts, needs } from "./needs.ts";
import { optimumOf } from "./optimum.ts";
import { type Retention, retention } from "./retention.ts";
import { engineOver, goesOn, promptOf, type Recording, type Trace, traceOf } from "./trace.ts";
import type { TrajectoryRequest } from "./trajectory.ts";
import { trajectoryOf } from "./trajectory-of.ts";

/** What a policy costs and what it hides. */
export interface PolicyRow extends Bill, NeedCounts {}

/** The policies of a comparison, in the order they are shown. */
export const POLICIES = ["none", "host", "pi-fold", "band", "calm", "economic", "optimum"] as const;

/** One of the compared policies. */
export type PolicyName = (typeof POLICIES)[number];

/** A point of the frontier: what `economic` costs and hides at a floor. */
export interface FrontierPoint extends NeedCounts {
	readonly floorTokens: number;
	readonly usd: number;
}

/** One recording under every policy. */
export interface Comparison {
	/** tokens that stay raw behind the last fold */
	readonly floorTokens: number;
	/** tokens a request may hold */
	readonly budgetTokens: number;
	readonly unit: Valuation["unit"];
	/** whether `optimum` is exact, or a lower bound because the recording has branches */
	readonly optimumExact: boolean;
	readonly policies: { readonly [name in PolicyName]: PolicyRow };
	/** the same schedules where every commit loses the whole prefix */
	readonly pessimistic: { readonly [name in PolicyName]: PolicyRow };
	readonly calibration: Calibrated;
	readonly retention: Retention & { readonly truncation: Retention };
	readonly frontier: readonly FrontierPoint[];
}

/** How well the recorded cache reads are predicted. */
export interface Calibrated {
	/** share of the recorded cache read, median; `null` where nothing can be compared */
	readonly medianError: number | null;
	/** requests compared: measured as was the one before, on the same model, and not idle */
	readonly requests: number;
}

/** How a recording is compared. */
export interface CompareOptions {
	readonly recording: Recording;
	readonly settings: Settings;
	/** the host keeps idle caches warm */
	readonly warming: boolean;
	/** floors of the frontier, tokens, as far as they lie below the point where commits are forced; none by default */
	readonly floors?: readonly number[];
	/** told after each step how many of how many are done */
	readonly onProgress?: (done: number, total: number) => void;
}

/** Floors the frontier is drawn at, tokens. */
export const FLOORS = [20_000, 30_000, 40_000, 54_400, 80_000, 120_000, 160_000] as const;

/** The requests at which a policy commits, and the recording as its texts make it. */
interface Schedule {
	readonly trace: Trace;
	readonly schedule: ReadonlySet<number>;
}

/** Replays a recording under every policy and prices what came out by one cache model. */
export async function compare(options: CompareOptions): Promise<Comparison> {
	const { recording, settings, floors = [] } = options;
	const model: CacheModel = { warming: options.warming, pessimistic: false };
	const total = 6 + floors.length;
	let done = 0;
	const step = () => options.onProgress?.(++done, total);

	const trace = await traceOf(recording, { ...settings, briefs: "index" });
	const cut = await traceOf(recording, { ...settings, briefs: "truncation" });
	step();
	const run = async (policy: Settings["policy"], over: Partial<Settings> = {}) => {
		const schedule = await scheduleOf(
			recording,
			{ ...settings, briefs: "index", policy, ...over },
			options.warming,
		);
		step();
		return schedule;
	};
	const optimum = optimumOf(trace, model);
	const schedules = {
		none: { trace, schedule: new Set<number>() },
		"pi-fold": { trace: cut, schedule: await run("band", { briefs: "truncation" }) },
		band: { trace, schedule: await run("band") },
		calm: { trace, schedule: await run("calm") },
		economic: { trace, schedule: await run("economic") },
		optimum: { trace, schedule: optimum.schedule },
	};
	const hidden = needsOf(schedules, hostRun(trace, model).trajectory);
	const rows = (as: CacheModel) => {
		const row = (name: Exclude<PolicyName, "host">): PolicyRow => {
			const { trace: over, schedule } = schedules[name];
			return { ...billFor(over, schedule, as), ...hidden[name] };
		};
		return {
			none: row("none"),
			host: { ...hostRun(trace, as).bill, ...hidden.host },
			"pi-fold": row("pi-fold"),
			band: row("band"),
			calm: row("calm"),
			economic: row("economic"),
			optimum: row("optimum"),
		};
	};
	const frontier: FrontierPoint[] = [];
	const { rules } = trace.states;
	const ceiling = budgetOf({ ...rules, settings }) * settings.maxTarget;
	for (const floorTokens of floors.filter((floor) => floor < ceiling)) {
		const over = { ...settings, floorTokens, briefs: "index" as const };
		const floored = await traceOf(recording, over);
		const schedule = await run("economic", { floorTokens });
		frontier.push({
			floorTokens,
			usd: billFor(floored, schedule, model).usd,
			...needs(trajectoryOf(floored, schedule)),
		});
	}
	return {
		floorTokens: Math.round(floorOf({ ...rules, settings })),
		budgetTokens: budgetOf({ ...rules, settings }),
		unit: rules.valuation?.unit ?? "token",
		optimumExact: optimum.exact,
		policies: rows(model),
		pessimistic: rows({ ...model, pessimistic: true }),
		calibration: calibrationOf(trace),
		retention: {
			...retention(trajectoryOf(trace, schedules.economic.schedule)),
			truncation: retention(trajectoryOf(cut, schedules.economic.schedule)),
		},
		frontier,
	};
}

/** What each policy hides; no cache changes that. */
function needsOf(
	schedules: { readonly [name in Exclude<PolicyName, "host">]: Schedule },
	host: readonly TrajectoryRequest[],
): { readonly [name in PolicyName]: NeedCounts } {
	const of = ({ trace, schedule }: Schedule) => needs(trajectoryOf(trace, schedule));
	return {
		none: of(schedules.none),
		host: needs(host),
		"pi-fold": of(schedules["pi-fold"]),
		band: of(schedules.band),
		calm: of(schedules.calm),
		economic: of(schedules.economic),
		optimum: of(schedules.optimum),
	};
}

/** The requests at which a policy commits, as the engine decides them. */
export async function scheduleOf(
	recording: Recording,
	settings: Settings,
	warming: boolean,
): Promise<Set<number>> {
	const schedule = new Set<number>();
	const made = new Set<string>();
	let index = 0;
	const warmedAt = warming
		? (sent: { at: number; tokens: number; valuation: Valuation }, next: number) =>
				refreshesBetween(sent.valuation, sent.tokens, sent.at, next).at(-1)
		: undefined;
	const options = { ...recording, settings, ...(warmedAt && { warmedAt }) };
	for await (const { plan } of replaySession(engineOver(recording), options)) {
		if (plan && !made.has(plan.id)) {
			made.add(plan.id);
			schedule.add(index);
		}
		index++;
	}
	return schedule;
}

/**
 * Predicts what each recorded request read from the cache, by the rules the bill is made by: the whole prompt of the
 * request before it where it goes on from there and the cache reaches back so far; else, as where a compaction, an edit
 * or a branch lies between, the system prompt. A read that never came is an error of 1.
 */
function calibrationOf(trace: Trace): Calibrated {
	const errors: number[] = [];
	for (const [index, { at, reply, leaf, valuation }] of trace.requests.entries()) {
		const previous = trace.requests[index - 1];
		const before = previous && promptOf(previous.reply);
		if (!previous || !before || promptOf(reply) === 0 || at - previous.at > valuation.lifetimeMs) continue;
		if (previous.valuation.model !== valuation.model) continue;
		const reached =
			goesOn(trace.states, previous.reply, reply) && reachesBack(valuation.cache, previous.leaf, leaf);
		const predicted = reached ? before : trace.system;
		const read = reply.usage?.cacheRead ?? 0;
		errors.push(read === 0 ? 1 : Math.abs(predicted - read) / read);
	}
	errors.sort((a, b) => a - b);
	return { medianError: errors[Math.floor(errors.length / 2)] ?? null, requests: errors.length };
}
