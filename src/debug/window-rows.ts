import { lastCutOf, levelOf } from "../../projections/forest.ts";
import type { Plan } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { foldedDepth, type Item, weightOf } from "../../projections/window-plan.ts";
import type { Content } from "./content.ts";
import type { History, PastRequest } from "./history.ts";
import { readingOf } from "./history-reading.ts";
import { tokensThen } from "./past-sizes.ts";
import { PlanChain } from "./plan-chain.ts";

/** How an item stands in a window. */
export type Standing =
	| "raw"
	| "folded"
	| "grouped"
	| "clipped"
	| "pinned"
	| "held"
	| "edited"
	| "peeked"
	| "opened"
	| "shown"
	| "answer"
	| "summary";

/** One item of a window. Sizes are estimated tokens, by what was known when it was sent. */
export interface WindowRow {
	/** place in the window, from 0 */
	readonly index: number;
	/** the same for the same thing in every window of a session, and no two rows of a window have one */
	readonly key: string;
	/** of the entry, the fold or the call it answers; `receipt` */
	readonly id: string;
	readonly standing: Standing;
	/** who speaks; `fold` and `receipt` for texts of ours */
	readonly role: string;
	readonly tokens: number;
	/** of what it stands for */
	readonly source?: number;
	/** of the entry, or of the first one it stands for, ms since the epoch */
	readonly time?: number;
	/** that a fold stands for */
	readonly entries?: number;
	/** of a fold: 0 a cut, 1 a group of cuts, … */
	readonly level?: number;
	/** what is shown, its beginning on one line of at most 160 characters, control characters spelt out */
	readonly title: string;
	/** that ran, or that is called first */
	readonly tool?: string;
	/** the decision since which it stands so without a break */
	readonly decision?: string;
}

/** Items of a past window as rows. */
export class WindowRows {
	readonly #states: SessionStates;
	readonly #content: Content;
	readonly #request: PastRequest;
	readonly #reading: ReturnType<typeof readingOf>;
	readonly #plan: Plan;
	readonly #chain: PlanChain;
	readonly #held: ReadonlySet<string>;
	readonly #foldedTo: number;

	constructor(history: History, content: Content, request: PastRequest) {
		const { states } = history;
		this.#states = states;
		this.#content = content;
		this.#request = request;
		this.#reading = readingOf(history);
		this.#chain = new PlanChain(states, request.prepared.leaf);
		this.#plan = this.#chain.plan;
		this.#held = new Set(this.#plan.held);
		this.#foldedTo = foldedDepth(states, this.#plan);
	}

	/** An item of the window as a row. */
	row(item: Item, index: number): WindowRow {
		const tokens = this.#tokens(weightOf(item));
		switch (item.kind) {
			case "fold":
				return { ...this.#fold(item.fold, item.text), index, tokens };
			case "shown": {
				const { text: title } = this.#reading.titles.ofText(this.#states, this.#content, item.text);
				const row = { index, key: "receipt", id: "receipt", standing: "shown", role: "receipt" } as const;
				return { ...row, tokens, title, ...decided(this.#plan.commit ?? undefined) };
			}
			case "answer": {
				const title = "(no result was recorded for this call)";
				const row = { index, key: `answer:${item.call}`, id: item.call, tokens, title };
				return { ...row, standing: "answer", role: "result" };
			}
			default:
				return { ...this.#entry(item), index, tokens };
		}
	}

	#fold(fold: string, text: string): Omit<WindowRow, "index" | "tokens"> {
		const { sums, titles } = this.#reading;
		const { text: title } = titles.ofFold(this.#states, this.#content, text);
		const last = lastCutOf(this.#states.forest, fold);
		const level = last ? levelOf(last, fold) : 0;
		const row = { key: `fold:${fold}`, id: fold, role: "fold", title, level } as const;
		const standing = level === 0 ? "folded" : "grouped";
		if (!last) return { ...row, standing };
		const span = sums.span(this.#states, last, level);
		const time = nodeOf(this.#states.tree, span.first.from)?.at;
		return {
			...row,
			standing,
			source: this.#tokens(span),
			entries: span.entries,
			...(time !== undefined && { time }),
			...decided(this.#chain.foldedBy(last)?.id),
		};
	}

	#entry(item: Extract<Item, { node: EntryNode }>): Omit<WindowRow, "index" | "tokens"> {
		const { node } = item;
		const { titles } = this.#reading;
		const shown = item.kind === "edited" ? item.edit : node;
		const title =
			item.kind === "clipped"
				? { ...titles.ofEntry(this.#states, this.#content, node), ...this.#clipTitle(item.clip.text) }
				: titles.ofEntry(this.#states, this.#content, shown);
		const standing = this.#standing(item);
		return {
			key: `entry:${node.id}`,
			id: node.id,
			standing,
			role: node.role ?? "",
			time: node.at,
			title: title.text,
			...(title.tool !== undefined && { tool: title.tool }),
			...((item.kind === "clipped" || item.kind === "edited") && { source: this.#tokens(node.weight) }),
			...decided(this.#decisionOn(node, standing)),
		};
	}

	#clipTitle(text: string): { readonly text: string } {
		return { text: this.#reading.titles.ofText(this.#states, this.#content, text).text };
	}

	#standing({ kind, node }: Extract<Item, { node: EntryNode }>): Standing {
		if (kind !== "entry") return kind;
		if (node.kind === "compaction") return "summary";
		if (this.#plan.pins.has(node.id)) return "pinned";
		if (node.depth <= this.#foldedTo) return this.#held.has(node.id) ? "held" : "opened";
		return node.isPeek ? "peeked" : "raw";
	}

	#decisionOn(node: EntryNode, standing: Standing): string | undefined {
		switch (standing) {
			case "pinned":
				return this.#chain.since(({ pins }) => pins.has(node.id))?.id;
			case "held":
				return this.#chain.since(({ held }) => held.includes(node.id))?.id;
			case "clipped":
				return this.#chain.since(({ clips }) => clips.has(node.id))?.id;
			case "opened": {
				const fold = this.#openedAround(node);
				return fold === undefined ? undefined : this.#chain.since(({ expanded }) => expanded.has(fold))?.id;
			}
			default:
				return undefined;
		}
	}

	#openedAround({ depth }: EntryNode): string | undefined {
		for (const fold of this.#plan.expanded.keys()) {
			const cut = lastCutOf(this.#states.forest, fold);
			const [from, to] = [
				nodeOf(this.#states.tree, cut?.from ?? null),
				nodeOf(this.#states.tree, cut?.to ?? null),
			];
			if (from && to && depth >= from.depth && depth <= to.depth) return fold;
		}
		return undefined;
	}

	#tokens(weight: { readonly chars: number; readonly images: number }): number {
		return Math.round(tokensThen(this.#request.sizes, weight));
	}
}

function decided(decision: string | undefined): { readonly decision?: string } {
	return decision === undefined ? {} : { decision };
}
