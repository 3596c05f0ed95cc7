import { editsAt, isTakenOut } from "../../projections/edits.ts";
import { type Cut, cutOf } from "../../projections/forest.ts";
import { compactionAt, type HostCompaction, isShown } from "../../projections/host-view.ts";
import { BARE_PLAN, type Plan } from "../../projections/plans.ts";
import { type EntryNode, isFoldable, nodeOf } from "../../projections/session-tree.ts";
import { isTextShown, standingAt } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import { foldedDepth, headItems, type Item, tailItems } from "../../projections/window-plan.ts";

/** What of something a window shows: all of it, a part, a text that stands for it, or nothing. */
export type ShownAs = "whole" | "clip" | "brief" | "hidden";

/** How something stands in a window. */
export interface PastStanding {
	readonly as: ShownAs;
	/** the fold or entry it is read in; of what is hidden, the compaction or the edit that hides it */
	readonly through?: string;
	/** why it is hidden, where no decision of ours is behind that */
	readonly because?: "compaction" | "edit" | "unsent";
	/** the item of the window that shows it */
	readonly item?: Item;
}

/** What stands for a stretch of what is folded. */
interface Part {
	readonly fold: string;
	/** depths of its first and last entry */
	readonly from: number;
	readonly to: number;
	readonly how: "text" | "open" | "compacted" | "gone";
}

/** A window of the past that is asked of single entries and folds. It is rebuilt only as far as that needs. */
export class PastWindowView {
	readonly states: SessionStates;
	readonly leaf: string | null;
	readonly plan: Plan | undefined;
	readonly #compaction: HostCompaction | undefined;
	readonly #folded: number;
	#head: readonly Item[] | undefined;
	#inHead: ReadonlyMap<string, Item> | undefined;
	#inTail: ReadonlyMap<string, Item> | undefined;
	#edits: ReadonlyMap<string, EntryNode> | undefined;
	#parts: readonly Part[] | undefined;
	readonly #under = new Map<number, PastWindowView>();

	constructor(states: SessionStates, leaf: string | null, plan: Plan | undefined) {
		this.states = states;
		this.leaf = leaf;
		this.plan = plan;
		this.#compaction = compactionAt(states.tree, leaf);
		this.#folded = foldedDepth(states, plan);
	}

	/** The same window, had another plan been in force there; made once for each. */
	under(plan: Plan | undefined): PastWindowView {
		const place = plan?.position ?? -1;
		let other = this.#under.get(place);
		if (!other) {
			other = new PastWindowView(this.states, this.leaf, plan);
			this.#under.set(place, other);
		}
		return other;
	}

	/** What stands before the raw tail, in the order the model reads it. */
	get head(): readonly Item[] {
		this.#head ??= headItems(this.states, this.leaf, this.plan);
		return this.#head;
	}

	/** How an entry on the path to the leaf stands. */
	entry(node: EntryNode): PastStanding {
		const item = this.#itemOf(node);
		if (item?.kind === "entry") return { as: "whole", through: node.id, item };
		if (item?.kind === "clipped") return { as: "clip", through: node.id, item };
		if (item?.kind === "edited") return { as: "hidden", because: "edit", through: item.edit.id, item };
		if (node.fate !== "sent") return { as: "hidden", because: "unsent" };
		const edit = this.#editOver(node);
		if (edit) return edit;
		const part = isFoldable(node) ? this.#partOver(node.depth) : undefined;
		if (part?.how === "text") return this.#inFold(part);
		if (this.#compaction && !isShown(node, this.#compaction)) {
			const { id } = this.#compaction.node;
			// the host states prompt patches again, in one with its summary
			return node.role === "system" ? { as: "whole", through: id } : this.#compacted();
		}
		return this.#folded >= node.depth ? { as: "hidden" } : { as: "hidden", because: "unsent" };
	}

	/** How what a fold stands for is read, where its last cut is on the path: raw, or by the text that stands for it. */
	stretch(last: Cut): PastStanding {
		const depth = nodeOf(this.states.tree, last.to)?.depth ?? -1;
		const part = this.#partOver(depth);
		if (part?.how === "text") return this.#inFold(part);
		if (part?.how === "gone") return { as: "hidden", because: "edit" };
		const from = this.#compaction?.keeps.from ?? 0;
		return depth < from ? this.#compacted() : { as: "whole" };
	}

	/** Whether a fold's own text stands, and which. */
	text(fold: string): Extract<Item, { kind: "fold" }> | undefined {
		const item = this.#heads.get(`f ${fold}`);
		return item?.kind === "fold" ? item : undefined;
	}

	#inFold({ fold }: Part): PastStanding {
		const item = this.text(fold);
		return { as: "brief", through: fold, ...(item && { item }) };
	}

	#compacted(): PastStanding {
		const id = this.#compaction?.node.id;
		return { as: "hidden", because: "compaction", ...(id !== undefined && { through: id }) };
	}

	#itemOf(node: EntryNode): Item | undefined {
		const inHead = this.#heads.get(`e ${node.id}`);
		if (inHead || node.depth <= this.#folded) return inHead;
		this.#inTail ??= byId(tailItems(this.states, this.leaf, this.plan));
		return this.#inTail.get(`e ${node.id}`);
	}

	get #heads(): ReadonlyMap<string, Item> {
		this.#inHead ??= byId(this.head);
		return this.#inHead;
	}

	#editOver(node: EntryNode): PastStanding | undefined {
		this.#edits ??= editsAt(this.states.tree, this.leaf);
		if (this.#edits.size === 0 || !isTakenOut(this.states.tree, node, this.#edits)) return undefined;
		const edit = this.#edits.get(node.id);
		return { as: "hidden", because: "edit", ...(edit && { through: edit.id }) };
	}

	#partOver(depth: number): Part | undefined {
		if (depth > this.#folded) return undefined;
		this.#parts ??= this.#partsNow();
		const parts = this.#parts;
		let [low, high] = [0, parts.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((parts[middle]?.to ?? depth) >= depth) high = middle;
			else low = middle + 1;
		}
		const part = parts[low];
		return part && part.from <= depth ? part : undefined;
	}

	#partsNow(): Part[] {
		const { states, leaf, plan = BARE_PLAN } = this;
		const shownFrom = this.#compaction?.keeps.from ?? 0;
		const depthOf = (id: string | undefined) => nodeOf(states.tree, id ?? null)?.depth ?? -1;
		let from = depthOf(cutOf(states.forest, plan.through)?.origin);
		return standingAt(states, leaf, plan).map((part) => {
			const to = depthOf(part.cut.to);
			const closed = isTextShown(part) ? "text" : "gone";
			const how = to < shownFrom ? "compacted" : part.isOpen ? "open" : closed;
			const made: Part = { fold: part.text.fold, from, to, how };
			from = to + 1;
			return made;
		});
	}
}

/** Items by what they are of: `e` and an entry's id, or `f` and a fold's. */
function byId(items: readonly Item[]): Map<string, Item> {
	const found = new Map<string, Item>();
	for (const item of items) {
		if (item.kind === "fold") found.set(`f ${item.fold}`, item);
		else if ("node" in item) found.set(`e ${item.node.id}`, item);
	}
	return found;
}
