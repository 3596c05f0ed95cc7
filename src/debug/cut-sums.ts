import { type Cut, cutOf, type Forest, startOf } from "../../projections/forest.ts";
import { isFoldable, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";

/** What a fold stands for. */
export interface FoldSpan {
	/** characters and images of the originals */
	readonly chars: number;
	readonly images: number;
	/** entries a model is sent among them */
	readonly entries: number;
	/** the first cut it covers */
	readonly first: Cut;
}

interface Sum {
	readonly chars: number;
	readonly images: number;
	readonly entries: number;
}

const NOTHING: Sum = { chars: 0, images: 0, entries: 0 };

/**
 * What cuts come to, added up along their paths, so that a group of any level is told at once. A cut never changes, so
 * what was added up once holds for good; the first question of a path is O(entries that cuts of it hold).
 */
export class CutSums {
	readonly #through = new Map<string, Sum>();

	/** What a fold stands for that ends with a cut. O(levels), and the cuts of its path that were not asked for before. */
	span(states: SessionStates, last: Cut, level: number): FoldSpan {
		const before = startOf(states.forest, last, level);
		const all = this.#sum(states, last);
		const above = before ? this.#sum(states, before) : NOTHING;
		return {
			chars: all.chars - above.chars,
			images: all.images - above.images,
			entries: all.entries - above.entries,
			first: firstCut(states.forest, last, level),
		};
	}

	#sum(states: SessionStates, last: Cut): Sum {
		const missing: Cut[] = [];
		let cut: Cut | undefined = last;
		for (; cut && !this.#through.has(cut.id); cut = cutOf(states.forest, cut.before)) missing.push(cut);
		let sum = (cut && this.#through.get(cut.id)) ?? NOTHING;
		for (const one of missing.reverse()) {
			sum = {
				chars: sum.chars + one.chars,
				images: sum.images + one.images,
				entries: sum.entries + entriesOf(states, one),
			};
			this.#through.set(one.id, sum);
		}
		return sum;
	}
}

/** The first cut that a fold covers which ends with another. O(parts on each level). */
export function firstCut(forest: Forest, last: Cut, level: number): Cut {
	let first = last;
	for (let below = level; below > 0; below--) {
		const end = startOf(forest, first, below)?.number ?? 0;
		// back over the parts one level below, to the first of them
		for (;;) {
			const before = startOf(forest, first, below - 1);
			if (!before || before.number <= end) break;
			first = before;
		}
	}
	return first;
}

function entriesOf({ tree }: SessionStates, { from, to }: Cut): number {
	const above = (nodeOf(tree, from)?.depth ?? 0) - 1;
	let entries = 0;
	for (let node = nodeOf(tree, to); node && node.depth > above; node = nodeOf(tree, node.parent))
		if (node.fate === "sent" && isFoldable(node)) entries += 1;
	return entries;
}
