import { setImmediate as turnOfOthers } from "node:timers/promises";
import { lastCutOf } from "../../projections/forest.ts";
import { type Plan, planAfter } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { planAt } from "../../projections/window-plan.ts";
import type { History } from "./history.ts";
import { type PastStanding, PastWindowView, type ShownAs } from "./past-standing.ts";
import { firstAsDeep, type RequestRun, requestRuns } from "./request-runs.ts";
import type { Visibility, VisibilitySpan } from "./visibility.ts";

/** Something whose visibility is asked for: an entry of the tree that must be on the path, and how a window shows it. */
export interface Watched {
	readonly of: string;
	readonly node: EntryNode;
	readonly look: (window: PastWindowView) => PastStanding;
}

/** An entry to be watched. */
export function watchedEntry({ states }: History, id: string): Watched | undefined {
	const node = nodeOf(states.tree, id);
	return node && { of: id, node, look: (window) => window.entry(node) };
}

/** What a fold stands for, to be watched. */
export function watchedFold({ states }: History, id: string): Watched | undefined {
	const cut = lastCutOf(states.forest, id);
	const node = nodeOf(states.tree, cut?.to ?? null);
	return cut && node && { of: id, node, look: (window) => window.stretch(cut) };
}

/**
 * When each of several things could be read, in one pass over the requests. O(entries, and for each run of requests what of
 * the things is on its path).
 */
export function watch(history: History, watched: readonly Watched[]): Visibility[] {
	const pass = passOver(history, watched);
	for (;;) {
		const { done, value } = pass.next();
		if (done) return value;
	}
}

/** Looks at things between which others have their turn. */
const STRETCH = 20_000;

/** The same as {@link watch}, with a turn for others now and then. */
export async function watchInTurns(history: History, watched: readonly Watched[]): Promise<Visibility[]> {
	const pass = passOver(history, watched);
	let looks = 0;
	for (;;) {
		const { done, value } = pass.next();
		if (done) return value;
		looks += value;
		if (looks < STRETCH) continue;
		looks = 0;
		await turnOfOthers();
	}
}

/** Follows things through the requests; tells after each run of these at how many it looked. */
function* passOver(history: History, watched: readonly Watched[]): Generator<number, Visibility[], void> {
	const threads = watched.map((one) => new Thread(history, one));
	const byEntry = Map.groupBy(threads, ({ watched: { node } }) => node.id);
	const { tree } = history.states;
	/** those on the path of the run, the deepest last */
	const on: Thread[] = [];
	let before: Plan | undefined;
	let depthBefore = -1;
	// a history may grow between two turns
	const runs = requestRuns(history).map((run) => ({ ...run }));
	for (const run of runs) {
		while ((on.at(-1)?.watched.node.depth ?? -1) > run.joins) on.pop()?.leave(run.first);
		const plan = planAt(history.states, run.leaf);
		const window = new PastWindowView(history.states, run.leaf, plan);
		const leaf = nodeOf(tree, run.leaf);
		const fresh: Thread[] = [];
		for (let node = leaf; node && node.depth > run.joins; node = nodeOf(tree, node.parent))
			for (const thread of byEntry.get(node.id) ?? []) fresh.push(thread);
		for (const thread of fresh.reverse()) on.push(thread);
		for (const thread of on) thread.follow(run, window, before, run.joins < depthBefore);
		yield on.length + 1;
		before = plan;
		depthBefore = leaf?.depth ?? -1;
	}
	const requests = (runs.at(-1)?.last ?? -1) + 1;
	for (const thread of threads) thread.end(requests);
	return threads.map(({ watched: { of }, spans }) => ({ of, spans }));
}

type Growing = { -readonly [Key in keyof VisibilitySpan]: VisibilitySpan[Key] };

/** One thing on its way through the requests. */
class Thread {
	readonly watched: Watched;
	readonly spans: Growing[] = [];
	readonly #history: History;
	/** whether it was on the path of the last run */
	#isOn = false;
	/** the first request, by index, of those since which it is on another branch */
	#left: number | undefined;

	constructor(history: History, watched: Watched) {
		this.#history = history;
		this.watched = watched;
	}

	/** Takes in a run on whose path it is; `before` is the plan of the run before. */
	follow(run: RequestRun, window: PastWindowView, before: Plan | undefined, moved: boolean): void {
		const wasOn = this.#isOn;
		this.#isOn = true;
		const first = wasOn ? run.first : firstAsDeep(this.#history, run, this.watched.node.depth);
		if (!wasOn) this.#return(first);
		const { as, through, because } = this.watched.look(window);
		const last = this.spans.at(-1);
		if (last && last.as === as && last.through === through && last.because !== "leaf") {
			last.to = this.#number(run.last);
			return;
		}
		const why = because ?? this.#causeOf(window, as, wasOn ? before : undefined, moved);
		this.#add(first, run.last, {
			as,
			...(through !== undefined && { through }),
			...(why !== undefined && { because: why }),
		});
	}

	/** It is on the path no more, from a request on. */
	leave(first: number): void {
		this.#isOn = false;
		this.#left ??= first;
	}

	/** No more requests come than so many. */
	end(requests: number): void {
		this.#return(requests);
	}

	/** It is on the path again, from a request on. */
	#return(first: number): void {
		if (this.#left !== undefined && this.#left < first)
			this.#add(this.#left, first - 1, { as: "hidden", because: "leaf" });
		this.#left = undefined;
	}

	/** What brought it to stand as it does now, where that is not how it came. */
	#causeOf(
		window: PastWindowView,
		as: ShownAs,
		before: Plan | undefined,
		moved: boolean,
	): string | undefined {
		const last = this.spans.at(-1);
		const outside = last?.because === "edit" || last?.because === "compaction" ? last.because : undefined;
		const look = (one: PastWindowView) => {
			const { as, through } = this.watched.look(one);
			return `${as} ${through ?? ""}`;
		};
		const isBack = as === "whole" && (last === undefined || last.because === "leaf");
		const decision = isBack ? undefined : decisionBehind(window, look, before);
		return decision ?? outside ?? (last && (moved || last.because === "leaf") ? "leaf" : undefined);
	}

	#add(first: number, last: number, span: Omit<VisibilitySpan, "from" | "to">): void {
		const before = this.spans.at(-1);
		if (before && span.because === "leaf" && before.because === "leaf" && before.as === "hidden")
			before.to = this.#number(last);
		else this.spans.push({ from: this.#number(first), to: this.#number(last), ...span });
	}

	#number(index: number): number {
		return this.#history.requests[index]?.prepared.request ?? index + 1;
	}
}

/**
 * The decision that made a window read as it does to a look: the earliest one behind `before`, or of all, since which it
 * does so. Absent where that was always so, or where the decision is not what changed it.
 */
export function decisionBehind(
	window: PastWindowView,
	look: (window: PastWindowView) => string,
	before: Plan | undefined,
): string | undefined {
	const { states } = window;
	const now = look(window);
	let { plan } = window;
	while (plan && plan.position !== before?.position) {
		const under = planAfter(states.plans, plan.on);
		if (look(window.under(under)) !== now) return plan.id;
		plan = under;
	}
	return undefined;
}
