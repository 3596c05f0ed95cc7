import { IMAGE_TOKENS } from "../../projections/calibration.ts";
import type { Weight } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";

/** An entry as the bill sees it. Sums run over its path from the root, itself included. */
export interface SizedEntry {
	readonly id: string;
	readonly parent: SizedEntry | undefined;
	readonly depth: number;
	readonly tokens: number;
	/** characters that are sent */
	readonly chars: number;
	readonly upTo: number;
	/** content blocks down to here; providers look for cached prefixes block by block */
	readonly blocks: number;
}

/** Growth outside this share of what its characters suggest is something else, such as dropped thinking. */
const PLAUSIBLE = { least: 0.4, most: 2.5 };

/**
 * Tokens of every entry of a recording: where two requests in a row were measured and the second only added to the
 * first, the growth, shared out by characters; elsewhere characters by the session's rate.
 */
export class Sizes {
	private readonly byId = new Map<string, SizedEntry>();
	private readonly rate: number;

	/** `rate` in characters per token */
	constructor(rate: number) {
		this.rate = rate;
	}

	/**
	 * Adds entries that arrived between two requests, with what each adds to a request: nothing where it is never sent.
	 * `growth` is what the provider measured for all of them, tokens, if it did.
	 */
	add(entries: readonly { entry: TranscriptEntry; measure: Weight }[], growth: number | undefined): void {
		const estimates = entries.map(({ measure }) => this.estimate(measure));
		const sum = estimates.reduce((total, tokens) => total + tokens, 0);
		const plausible =
			growth !== undefined && sum > 0 && growth >= sum * PLAUSIBLE.least && growth <= sum * PLAUSIBLE.most;
		const scale = plausible ? growth / sum : 1;
		for (const [index, { entry, measure }] of entries.entries()) {
			const parent = entry.parent === null ? undefined : this.byId.get(entry.parent);
			const tokens = (estimates[index] ?? 0) * scale;
			this.byId.set(entry.id, {
				id: entry.id,
				parent,
				depth: (parent?.depth ?? -1) + 1,
				tokens,
				chars: measure.chars,
				upTo: (parent?.upTo ?? 0) + tokens,
				blocks: (parent?.blocks ?? 0) + (measure.chars + measure.images > 0 ? entry.blocks.length : 0),
			});
		}
	}

	/** The sizes of an entry; `undefined` for the root's parent. */
	of(id: string | null): SizedEntry | undefined {
		return id === null ? undefined : this.byId.get(id);
	}

	/** Tokens of text that stands for folds. */
	ofText(chars: number): number {
		return chars / this.rate;
	}

	private estimate({ chars, images }: Weight): number {
		return chars / this.rate + images * IMAGE_TOKENS;
	}
}

/** Whether one entry is on the path to another, or is that other. */
export function isOnPath(above: SizedEntry | undefined, below: SizedEntry | undefined): boolean {
	if (!above) return true;
	let node = below;
	while (node && node.depth > above.depth) node = node.parent;
	return node === above;
}

/** The deepest entry that two paths share. */
export function fork(a: SizedEntry | undefined, b: SizedEntry | undefined): SizedEntry | undefined {
	let [left, right] = [a, b];
	while (left !== right) {
		if (!left || !right) return undefined;
		if (left.depth >= right.depth) left = left.parent;
		else right = right.parent;
	}
	return left;
}
