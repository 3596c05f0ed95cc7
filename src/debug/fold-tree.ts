import {
	type Cut,
	type FoldText,
	lastCutOf,
	levelOf,
	partsOf,
	type Rewriting,
	startOf,
} from "../../projections/forest.ts";
import { shownFrom } from "../../projections/host-view.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import { rewritingsAt, standingAt, textUnder } from "../../projections/standing.ts";
import { pendingCuts } from "../commands/fold-path.ts";
import type { Content } from "./content.ts";
import { partsAt } from "./fold-rows.ts";
import type { History, PastRequest } from "./history.ts";
import { readingOf } from "./history-reading.ts";
import { tokensThen } from "./past-sizes.ts";
import { PlanChain } from "./plan-chain.ts";

/** A fold of a past window. Sizes are estimated tokens, by what was known then. */
export interface TreeRow {
	readonly id: string;
	/** groups around it */
	readonly depth: number;
	/** the group right around it */
	readonly parent?: string;
	/** folds right below it */
	readonly children: number;
	/**
	 * in the window; inside a fold that is; opened; marked and not folded yet; or out of the window by a compaction of the
	 * host's
	 */
	readonly state: "standing" | "nested" | "open" | "pending" | "compacted";
	/** first and last entry */
	readonly from: string;
	readonly to: string;
	/** entries a model is sent that it stands for, or would */
	readonly entries: number;
	/** of these */
	readonly source: number;
	/** of the text that stands for them, or would */
	readonly text: number;
	/** what the text begins with, at most 160 characters on one line */
	readonly title: string;
	/** whether someone said what it tells */
	readonly supplied: boolean;
	/** pending: whether the next commit was to leave it raw */
	readonly withdrawn: boolean;
	/** the commit since which it is folded, of those in force */
	readonly madeBy?: string;
	/** the first request that showed it so */
	readonly madeAt?: number;
}

/** Which rows of a tree. */
export interface TreeQuery {
	/** the group whose parts are asked for; the top of the tree unless given */
	readonly parent?: string;
	/** index of the first row; 0 unless given */
	readonly from?: number;
	/** rows at most; all unless given */
	readonly limit?: number;
}

/**
 * The folds of the window of a request, a level at a time, in transcript order: on top what stands, opened groups around
 * their parts, and marks last. None where no such request was made, or no such group stands on its path. O(what stands on
 * top, parts of the group, and content of the rows).
 */
export function foldTree(
	history: History,
	content: Content,
	request: number,
	{ parent, from = 0, limit = Number.POSITIVE_INFINITY }: TreeQuery = {},
): { readonly total: number; readonly rows: readonly TreeRow[] } {
	const past = history.request(request);
	if (!past) return { total: 0, rows: [] };
	const tree = new FoldTree(history, content, past);
	const folds = parent === undefined ? tree.top() : tree.below(parent);
	return { total: folds.length, rows: folds.slice(from, from + limit).map((fold) => tree.row(fold)) };
}

/** A fold by its last cut, and how it stands. */
interface Placed {
	readonly cut: Cut;
	readonly text: FoldText;
	readonly depth: number;
	readonly state: TreeRow["state"];
	readonly parent?: string;
}

class FoldTree {
	readonly #history: History;
	readonly #content: Content;
	readonly #request: PastRequest;
	readonly #leaf: string | null;
	readonly #chain: PlanChain;
	readonly #rewritings: readonly Rewriting[];

	constructor(history: History, content: Content, request: PastRequest) {
		this.#history = history;
		this.#content = content;
		this.#request = request;
		this.#leaf = request.prepared.leaf;
		this.#chain = new PlanChain(history.states, this.#leaf);
		this.#rewritings = rewritingsAt(history.states, this.#leaf);
	}

	top(): Placed[] {
		const { states } = this.#history;
		const { plan } = this.#chain;
		const groups = this.#openedGroups();
		const placed: Placed[] = [];
		for (const { cut, text, isOpen } of standingAt(states, this.#leaf, plan)) {
			const around = groups.find((group) => this.#covers(group, cut));
			if (!around) placed.push({ cut, text, depth: 0, state: this.#stateOf(cut, isOpen) });
			else if (placed.at(-1)?.text.fold !== around.text.fold)
				placed.push({ ...around, depth: 0, state: this.#stateOf(around.cut, true) });
		}
		for (const cut of pendingCuts(states, this.#leaf, plan)) {
			const [text] = cut.texts;
			if (text) placed.push({ cut, text, depth: 0, state: "pending" });
		}
		return placed;
	}

	below(parent: string): Placed[] {
		const { forest } = this.#history.states;
		const last = lastCutOf(forest, parent);
		const level = last ? levelOf(last, parent) : 0;
		const around = last && this.top().find((fold) => fold.state !== "pending" && this.#covers(fold, last));
		if (!last || level === 0 || !around || around.text.level < level) return [];
		const { expanded } = this.#chain.plan;
		const isOpen = expanded.has(parent) || this.#holdsOpen(last, level);
		return partsAt(forest, last, level).map(({ cut, text }) => {
			const opened = expanded.has(text.fold) || (text.level > 0 && this.#holdsOpen(cut, text.level));
			return {
				cut,
				text,
				parent,
				depth: around.text.level - level + 1,
				state: isOpen ? this.#stateOf(cut, opened) : "nested",
			};
		});
	}

	row({ cut, text: written, depth, state, parent }: Placed): TreeRow {
		const { states } = this.#history;
		const { sums, titles } = readingOf(this.#history);
		const { plan } = this.#chain;
		const text = textUnder(plan, written, this.#rewritings);
		const span = sums.span(states, cut, text.level);
		const made = state === "pending" ? undefined : this.#chain.foldedBy(cut);
		const madeAt = made && requestAfter(this.#history, made.position);
		return {
			id: text.fold,
			depth,
			...(parent !== undefined && { parent }),
			children: text.level === 0 ? 0 : partsOf(states.forest, cut, text.level).length,
			state,
			from: span.first.from,
			to: cut.to,
			entries: span.entries,
			source: Math.round(tokensThen(this.#request.sizes, span)),
			text: Math.round(tokensThen(this.#request.sizes, { chars: text.chars, images: 0 })),
			title: titles.ofFold(states, this.#content, text.text).text,
			supplied: plan.texts.has(text.fold),
			withdrawn: plan.withdrawn.has(cut.id),
			...(made && { madeBy: made.id }),
			...(madeAt !== undefined && { madeAt }),
		};
	}

	/** The groups shown by their parts, whether they were opened or a fold inside them was; outer ones first. */
	#openedGroups(): Pick<Placed, "cut" | "text">[] {
		const { forest } = this.#history.states;
		const groups = new Map<string, Pick<Placed, "cut" | "text">>();
		for (const fold of this.#chain.plan.expanded.keys()) {
			const cut = lastCutOf(forest, fold);
			const text = cut?.texts[levelOf(cut, fold)];
			if (cut && text && text.level > 0) groups.set(fold, { cut, text });
		}
		return [...groups.values()].sort((a, b) => b.text.level - a.text.level);
	}

	#covers({ cut, text }: Pick<Placed, "cut" | "text">, { number }: Cut): boolean {
		const before = startOf(this.#history.states.forest, cut, text.level)?.number ?? 0;
		return number <= cut.number && number > before;
	}

	#holdsOpen(last: Cut, level: number): boolean {
		const { forest } = this.#history.states;
		const before = startOf(forest, last, level)?.number ?? 0;
		for (const fold of this.#chain.plan.expanded.keys()) {
			const cut = lastCutOf(forest, fold);
			if (!cut || levelOf(cut, fold) >= level) continue;
			if (cut.number <= last.number && cut.number > before) return true;
		}
		return false;
	}

	#stateOf({ to }: Cut, isOpen: boolean): TreeRow["state"] {
		const { tree } = this.#history.states;
		if (depthOf(nodeOf(tree, to)) < shownFrom(tree, this.#leaf)) return "compacted";
		return isOpen ? "open" : "standing";
	}
}

/** The first request that was sent behind a decision. */
function requestAfter({ decisions }: History, position: number): number | undefined {
	let [low, high] = [0, decisions.length - 1];
	while (low <= high) {
		const middle = (low + high) >> 1;
		const step = decisions[middle];
		if (!step || step.position === position) return step && step.after + 1;
		if (step.position < position) low = middle + 1;
		else high = middle - 1;
	}
	return undefined;
}

function depthOf(node: EntryNode | undefined): number {
	return node?.depth ?? -1;
}
