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

/** When each of several things could be read, in one pass over the requests. */
export function watch(history: History, watched: readonly Watched[]): Visibility[] {
	const threads = watched.map((one) => new Thread(history, one));
	const { tree } = history.states;
	let before: Plan | undefined;
	let depthBefore = -1;
	for (const run of requestRuns(history)) {
		const plan = planAt(history.states, run.leaf);
		const window = new PastWindowView(history.states, run.leaf, plan);
		const leafDepth = nodeOf(tree, run.leaf)?.depth ?? -1;
		const fresh = new Set<string>();
		for (let node = nodeOf(tree, run.leaf); node && node.depth > run.joins; node = nodeOf(tree, node.parent))
			fresh.add(node.id);
		for (const thread of threads) {
			const { id, depth } = thread.watched.node;
			const isOn = depth <= run.joins ? thread.isOn : depth <= leafDepth && fresh.has(id);
			thread.follow(run, isOn ? window : undefined, before, run.joins < depthBefore);
		}
		before = plan;
		depthBefore = leafDepth;
	}
	return threads.map(({ watched: { of }, spans }) => ({ of, spans }));
}

type Growing = { -readonly [Key in keyof VisibilitySpan]: VisibilitySpan[Key] };

/** One thing on its way through the requests. */
class Thread {
	readonly watched: Watched;
	readonly spans: Growing[] = [];
	readonly #history: History;
	/** whether it was on the path of the last run */
	isOn = false;

	constructor(history: History, watched: Watched) {
		this.#history = history;
		this.watched = watched;
	}

	/** Takes in a run; `window` is its window where the thing is on its path, and `before` the plan of the run before. */
	follow(
		run: RequestRun,
		window: PastWindowView | undefined,
		before: Plan | undefined,
		moved: boolean,
	): void {
		const wasOn = this.isOn;
		this.isOn = window !== undefined;
		if (!window) {
			if (this.spans.length > 0) this.#add(run.first, run.last, { as: "hidden", because: "leaf" });
			return;
		}
		const first = wasOn ? run.first : firstAsDeep(this.#history, run, this.watched.node.depth);
		if (first > run.first && this.spans.length > 0)
			this.#add(run.first, first - 1, { as: "hidden", because: "leaf" });
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
