import { lastCutOf } from "../../projections/forest.ts";
import { type EntryNode, isAtOrAbove, nodeOf } from "../../projections/session-tree.ts";
import { type Item, itemKey, planAt } from "../../projections/window-plan.ts";
import { decisionName } from "./decision-words.ts";
import type { History, PastRequest } from "./history.ts";
import { type PastStanding, PastWindowView } from "./past-standing.ts";
import { decisionBehind } from "./watched.ts";

/** Why an item stands in one of two windows and not, or otherwise, in the other. */
export interface ChangeCause {
	/**
	 * a kind of decision; `compaction`, `edit`, `leaf`; `new` for what came since, `answer` where a result took the place
	 * of words of ours
	 */
	readonly cause: string;
	/** the decision behind it */
	readonly decision?: string;
	/** the fold whose text stands for what went */
	readonly into?: string;
}

/** Finds the causes of what differs between the windows of two requests, the earlier one first. */
export class ChangeCauses {
	readonly #history: History;
	readonly #before: PastRequest;
	readonly #a: PastWindowView;
	readonly #b: PastWindowView;
	/** whether the path only went on */
	readonly #goesOn: boolean;
	#known: ReadonlySet<string> | undefined;

	constructor(history: History, before: PastRequest, after: PastRequest) {
		const { states } = history;
		const viewOf = ({ prepared: { leaf } }: PastRequest) =>
			new PastWindowView(states, leaf, planAt(states, leaf));
		this.#history = history;
		this.#before = before;
		this.#a = viewOf(before);
		this.#b = viewOf(after);
		this.#goesOn = this.#isOn(nodeOf(states.tree, before.prepared.leaf), this.#b);
	}

	/** Why an item of the earlier window is none of the later one, or another there. */
	ofLost(item: Item): ChangeCause {
		switch (item.kind) {
			case "fold": {
				const cut = lastCutOf(this.#history.states.forest, item.fold);
				const last = nodeOf(this.#history.states.tree, cut?.to ?? null);
				if (!cut || !this.#isOn(last, this.#b)) return { cause: "leaf" };
				return this.#since((window) => window.text(item.fold)?.text ?? "", this.#b.stretch(cut));
			}
			case "shown":
				return this.#since(receiptIn);
			case "answer":
				return { cause: "answer" };
			default: {
				if (!this.#isOn(item.node, this.#b)) return { cause: "leaf" };
				return this.#since((window) => keyOf(window.entry(item.node)), this.#b.entry(item.node));
			}
		}
	}

	/** Why an item of the later window is none of the earlier one, or another there. */
	ofGained(item: Item): ChangeCause {
		switch (item.kind) {
			case "fold":
				return this.#since((window) => window.text(item.fold)?.text ?? "");
			case "shown":
				return this.#since(receiptIn);
			case "answer":
				return { cause: "new" };
			default: {
				const { node } = item;
				if (node.kind === "compaction") return { cause: "compaction" };
				if (!this.#isOn(node, this.#a)) return { cause: this.#isKnown(node) ? "leaf" : "new" };
				return this.#since((window) => keyOf(window.entry(node)), this.#b.entry(node));
			}
		}
	}

	/** What made the later window show something as it does, `standing` being how it does. */
	#since(look: (window: PastWindowView) => string, standing?: PastStanding): ChangeCause {
		const into = standing?.as === "brief" ? standing.through : undefined;
		const rest = into === undefined ? {} : { into };
		if (standing?.because === "compaction" || standing?.because === "edit")
			return { cause: standing.because };
		const { plan } = this.#a;
		let decision = decisionBehind(this.#b, look, plan);
		if (decision === undefined) {
			const outside = this.#outside();
			if (outside) return { cause: outside, ...rest };
			// it stands in both, and what stands around it changed places
			decision = decisionBehind(this.#b, headIn, plan);
		}
		const step = this.#history.decisions.find(({ event }) => event.data.id === decision);
		if (!step) return { cause: "unknown", ...rest };
		const cause = step.position < this.#before.position ? "leaf" : decisionName(step.event.type);
		return { cause, decision: step.event.data.id, ...rest };
	}

	/** What the host did between the two. */
	#outside(): string | undefined {
		if (!this.#goesOn) return "leaf";
		const { tree } = this.#history.states;
		const [was, is] = [nodeOf(tree, this.#a.leaf), nodeOf(tree, this.#b.leaf)];
		if (was?.lastCompaction !== is?.lastCompaction) return "compaction";
		return was?.lastEdit === is?.lastEdit ? undefined : "edit";
	}

	#isOn(node: EntryNode | undefined, window: PastWindowView): boolean {
		const leaf = nodeOf(this.#history.states.tree, window.leaf);
		return node !== undefined && leaf !== undefined && isAtOrAbove(this.#history.states.tree, node, leaf);
	}

	/** Whether an entry of the later path was on that of a request no later than the earlier one. */
	#isKnown({ id }: EntryNode): boolean {
		if (this.#goesOn) return false;
		this.#known ??= this.#knownBefore();
		return this.#known.has(id);
	}

	#knownBefore(): ReadonlySet<string> {
		const { tree } = this.#history.states;
		const known = new Set<string>();
		for (const { prepared } of this.#history.requests) {
			if (prepared.request > this.#before.prepared.request) break;
			for (
				let node = nodeOf(tree, prepared.leaf);
				node && !known.has(node.id);
				node = nodeOf(tree, node.parent)
			)
				known.add(node.id);
		}
		return known;
	}
}

function keyOf({ as, through, item }: PastStanding): string {
	return `${as} ${through ?? ""} ${item && "node" in item ? itemKey(item) : ""}`;
}

function headIn({ head }: PastWindowView): string {
	return head.map(itemKey).join("\n");
}

function receiptIn({ head }: PastWindowView): string {
	const shown = head.find(({ kind }) => kind === "shown");
	return shown?.kind === "shown" ? shown.text : "";
}
