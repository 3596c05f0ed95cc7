import { lastCutOf, levelOf } from "../../projections/forest.ts";
import { budgetOf } from "../../projections/rules.ts";
import { type EntryNode, isFoldable, nodeOf, stretch } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { Item } from "../../projections/window-plan.ts";
import { type Content, entryIn } from "./content.ts";
import { type Paid, paidFor } from "./cost.ts";
import { firstCut } from "./cut-sums.ts";
import { expiredIn } from "./expired.ts";
import type { History } from "./history.ts";
import { digestOfItems, itemsOf } from "./past-items.ts";
import { entrySaid } from "./screen-text.ts";
import { type WindowRow, WindowRows } from "./window-rows.ts";

/** The window of a request, as it was sent. Sizes are estimated tokens, by what was known then. */
export interface WindowView {
	/** ordinal, from 1 */
	readonly request: number;
	/** place of the request in the stream */
	readonly position: number;
	/** ms since the epoch */
	readonly time: number;
	/** provider/model */
	readonly model: string;
	readonly leaf: string | null;
	/** in force */
	readonly commit?: string;
	/** whether the cache it would have read had expired */
	readonly cold: boolean;
	/** the first item that differs from the window before, and why */
	readonly change?: { readonly item: number; readonly cause: string };
	/** of the whole prompt, as it was estimated */
	readonly tokens: number;
	/** of prompt and tools, which are no row */
	readonly base: number;
	/** that a request might hold */
	readonly budget: number;
	/** hex digest as it was recorded */
	readonly window: string;
	/** hex digest as it is rebuilt from the log */
	readonly rebuilt: string;
	/** whether these are one: else the rows are not what was sent */
	readonly same: boolean;
	/** what it was paid for */
	readonly paid?: Paid;
	/** in all */
	readonly items: number;
	/** those that were asked for, in the order the model read them */
	readonly rows: readonly WindowRow[];
}

/**
 * The window of a request; `undefined` where none of that number was made. `from` and `limit` say which rows are told;
 * all of them unless given. O(items of the window and decisions in force), and the content of rows not told before.
 */
export function windowView(
	history: History,
	content: Content,
	request: number,
	{ from = 0, limit = Number.POSITIVE_INFINITY }: { from?: number; limit?: number } = {},
): WindowView | undefined {
	const past = history.request(request);
	if (!past) return undefined;
	const { prepared, position, sizes } = past;
	const { leaf, commit, change, window } = prepared;
	const items = itemsOf(history, past);
	const rows = new WindowRows(history, content, past);
	const rebuilt = digestOfItems(items);
	const paid = paidFor(past, history);
	return {
		request,
		position,
		time: prepared.at,
		model: prepared.model,
		leaf,
		...(commit !== undefined && { commit }),
		cold: expiredIn(history)(past),
		...(change && { change }),
		tokens: Math.round(prepared.tokens),
		base: Math.round(sizes.base),
		budget: budgetOf({ settings: past.settings, valuation: past.valuation ?? null }),
		window,
		rebuilt,
		same: rebuilt === window,
		...(paid && { paid }),
		items: items.length,
		rows: items.slice(from, from + limit).map((item, index) => rows.row(item, from + index)),
	};
}

/** What the model was sent for something, and what it was. */
export interface ItemText {
	/** as a row of the window names it */
	readonly id: string;
	readonly request: number;
	/**
	 * the text as it stood in the window, the blocks of a message behind each other; `undefined` where it did not stand
	 * there, or its content is gone
	 */
	readonly inView: string | undefined;
	/** the JSON of the entry byte for byte, or of all entries a fold stands for, one a line */
	readonly original: string | undefined;
	/** whether content of it was destroyed or is not stored any more */
	readonly gone: boolean;
	/** of an entry's original, hex */
	readonly sha256?: string;
	/** of the original, whole */
	readonly bytes?: number;
	/** bytes of the original, and characters in view, that are left out because they are more than were asked for */
	readonly truncated?: number;
}

/** Bytes of an original that are told unless more are asked for: what a page shows without coming to a halt. */
const LIMIT = 1_000_000;

/**
 * What the model was sent for a row of the window of a request, and its original; of an entry or fold that is not in
 * that window, the original alone. `undefined` where no such request was made, or the session knows no such thing.
 * Throws as `content` does. O(items of the window, entries the fold stands for).
 */
export function itemText(
	history: History,
	content: Content,
	request: number,
	id: string,
	limit = LIMIT,
): ItemText | undefined {
	const past = history.request(request);
	if (!past) return undefined;
	const item = itemsOf(history, past).find((one) => idOf(one) === id);
	const nodes = nodesOf(history.states, item, id);
	if (!item && nodes.length === 0) return undefined;
	const inView = item && textOf(content, item);
	const original = originalOf(content, nodes, limit);
	const shown = inView?.slice(0, limit);
	const truncated = original.bytes - original.told + (inView?.length ?? 0) - (shown?.length ?? 0);
	const [node] = nodes;
	return {
		id,
		request,
		inView: shown,
		original: nodes.length === 0 || original.gone ? undefined : original.text,
		gone: original.gone || (item !== undefined && inView === undefined),
		...(nodes.length === 1 && node && { sha256: node.digest }),
		...(nodes.length > 0 && !original.gone && { bytes: original.bytes }),
		...(truncated > 0 && { truncated }),
	};
}

function idOf(item: Item): string {
	if (item.kind === "fold") return item.fold;
	if (item.kind === "shown") return "receipt";
	return item.kind === "answer" ? item.call : item.node.id;
}

/** The entries something stands for: itself, or all of a fold that a model is sent. */
function nodesOf({ tree, forest }: SessionStates, item: Item | undefined, id: string): EntryNode[] {
	if (item?.kind === "shown" || item?.kind === "answer") return [];
	const node = item?.kind === "fold" ? undefined : nodeOf(tree, id);
	if (node) return [node];
	const last = lastCutOf(forest, id);
	if (!last) return [];
	const { from } = firstCut(forest, last, levelOf(last, id));
	const above = (nodeOf(tree, from)?.depth ?? 0) - 1;
	return stretch(tree, last.to, above).filter((one) => one.fate === "sent" && isFoldable(one));
}

/** What an item shows; `undefined` where its content is not there any more. */
function textOf(content: Content, item: Item): string | undefined {
	switch (item.kind) {
		case "fold":
		case "shown":
			return decoded(content(item.text));
		case "clipped":
			return decoded(content(item.clip.text));
		case "answer":
			return "";
		case "edited":
		case "entry": {
			const entry = entryIn(content, item.kind === "edited" ? item.edit : item.node);
			if (!entry) return undefined;
			const isUnthought = item.kind === "entry" && item.form === "unthought";
			const blocks = isUnthought ? entry.blocks.filter(({ type }) => type !== "thinking") : entry.blocks;
			return entrySaid({ blocks });
		}
		default:
			return item satisfies never;
	}
}

function originalOf(content: Content, nodes: readonly EntryNode[], limit: number) {
	const texts: string[] = [];
	let [bytes, told, gone] = [0, 0, false];
	for (const { digest } of nodes) {
		const stored = content(digest);
		if (!stored) {
			gone = true;
			continue;
		}
		bytes += stored.length;
		const room = Math.max(0, Math.min(limit - told, stored.length));
		if (room > 0) texts.push(decoded(stored.subarray(0, room)) ?? "");
		told += room;
	}
	return { text: texts.join("\n"), bytes, told, gone };
}

function decoded(bytes: Uint8Array | undefined): string | undefined {
	return bytes && new TextDecoder().decode(bytes);
}
