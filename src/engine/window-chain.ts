import { compactionAt } from "../../projections/host-view.ts";
import { type DecisionEvent, type Plan, planAfter } from "../../projections/plans.ts";
import { type EntryNode, isAtOrAbove, nodeOf } from "../../projections/session-tree.ts";
import {
	type Item,
	itemKey,
	planAt,
	proofKey,
	tailItems,
	type WindowState,
	windowItems,
} from "../../projections/window-plan.ts";

/** A hex SHA-256. */
export type Sha256Text = (text: string) => string;

/** A window as the log knows it: a digest that chains its items, and their number. */
export interface ChainedWindow {
	readonly digest: string;
	readonly items: number;
	/** the first item that differs from the window before, and why; absent where it only grew */
	readonly change?: { readonly item: number; readonly cause: string };
	/** the items that follow the first `kept` of the window before; all of them where it did not just grow */
	readonly fresh: { readonly kept: number; readonly items: readonly Item[] };
}

/** The digest of a window: each step hashes the digest so far and the key of the next item. */
export function digestOf(
	items: readonly Item[],
	hash: Sha256Text,
	from = hash("palimpsest window 1"),
): string {
	let digest = from;
	for (const item of items) digest = hash(`${digest} ${itemKey(item)}`);
	return digest;
}

/** The proof of a window that a decision's node carries; it holds on every machine and in every fork. */
export function proofOf(items: readonly Item[], hash: Sha256Text): string {
	return hash(["palimpsest node 1", ...items.map(proofKey)].join("\n"));
}

/** Follows the windows of one session, each from the one before, in time that grows with what is new. */
export class WindowChain {
	private readonly hash: Sha256Text;
	private keys: string[] = [];
	private digest = "";
	private leaf: string | null = null;
	private decision: string | undefined;
	private begun = false;

	constructor(hash: Sha256Text) {
		this.hash = hash;
	}

	/** Takes up the thread where another process left it: the last window that was sent. Nothing once it was taken up. */
	resume(state: WindowState, leaf: string | null): void {
		if (!this.begun) this.follow(state, leaf);
	}

	/** The window at a leaf. */
	follow(state: WindowState, leaf: string | null): ChainedWindow {
		const plan = planAt(state, leaf);
		const before = this.begun ? nodeOf(state.tree, this.leaf) : undefined;
		const extended = before && this.decision === plan?.id ? extension(state, before, leaf) : undefined;
		const cause = this.causeOf(state, before, leaf, plan);
		this.leaf = leaf;
		this.decision = plan?.id;
		if (extended) {
			const fresh = { kept: this.keys.length, items: extended };
			for (const item of extended) this.keys.push(itemKey(item));
			this.digest = digestOf(extended, this.hash, this.digest);
			return { digest: this.digest, items: this.keys.length, fresh };
		}
		const items = windowItems(state, leaf, plan);
		const keys = items.map(itemKey);
		const differs = this.begun ? firstDifference(this.keys, keys) : undefined;
		this.keys = keys;
		this.digest = digestOf(items, this.hash);
		this.begun = true;
		return {
			digest: this.digest,
			items: keys.length,
			fresh: { kept: 0, items },
			...(differs !== undefined && { change: { item: differs, cause } }),
		};
	}

	private causeOf(
		state: WindowState,
		before: EntryNode | undefined,
		leaf: string | null,
		plan: Plan | undefined,
	): string {
		const at = nodeOf(state.tree, leaf);
		if (!before || !at || !isAtOrAbove(state.tree, before, at)) return "leaf";
		const decided = this.decision === plan?.id ? undefined : causeBetween(state, plan, this.decision);
		if (decided) return decided;
		if (compactionAt(state.tree, before.id)?.node.id !== compactionAt(state.tree, leaf)?.node.id)
			return "compaction";
		if (before.lastEdit !== at.lastEdit) return "contextEdit";
		return before.open.length > 0 ? "answer" : "unknown";
	}
}

/** The newest decision behind an earlier one that moves what stands in a window, by what a request calls it. */
function causeBetween(
	{ plans }: WindowState,
	last: Plan | undefined,
	before: string | undefined,
): string | undefined {
	for (let plan = last; plan && plan.id !== before; plan = planAfter(plans, plan.on)) {
		const cause = plan.made && CAUSES[plan.made];
		if (cause) return cause;
	}
	return undefined;
}

const CAUSES: { readonly [made in DecisionEvent["type"]]?: string } = {
	"commit/applied": "commit",
	"commit/undone": "undo",
	"fold/expanded": "expand",
	"fold/refolded": "refold",
	"pin/placed": "pin",
};

/** The items between two leaves of one path, if nothing but growth lies between them. */
function extension(state: WindowState, before: EntryNode, leaf: string | null): Item[] | undefined {
	const at = nodeOf(state.tree, leaf);
	if (!at || before.open.length > 0 || before.lastEdit !== at.lastEdit) return undefined;
	if (compactionAt(state.tree, before.id)?.node.id !== compactionAt(state.tree, leaf)?.node.id)
		return undefined;
	if (!isAtOrAbove(state.tree, before, at)) return undefined;
	return tailItems(state, leaf, planAt(state, leaf), before.depth);
}

/** Index of the first key that was there and is not any more; absent where the old window is a prefix of the new. */
function firstDifference(before: readonly string[], now: readonly string[]): number | undefined {
	for (const [index, key] of before.entries()) if (key !== now[index]) return index;
	return undefined;
}
