import { setImmediate as turnOfOthers } from "node:timers/promises";
import { lastCutOf } from "../../projections/forest.ts";
import { committedPlans } from "../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { Content } from "./content.ts";
import { foundAround, saidIn, type WantedText } from "./found-text.ts";
import type { History } from "./history.ts";
import type { PastStanding, PastWindowView } from "./past-standing.ts";
import type { Watched } from "./watched.ts";

/** Something that holds a text. */
export interface TextHolder {
	readonly kind: "entry" | "fold" | "receipt";
	/** the entry, the fold, or the commit that the receipt is of */
	readonly id: string;
	/** entry: who speaks, of a result the tool too, and when, ms since the epoch */
	readonly role?: string;
	readonly tool?: string;
	readonly time?: number;
	/** what stands around the text, on one line */
	readonly around: string;
	/** whether it stands in thinking alone, which a commit may strip */
	readonly isThought?: true;
}

/** What holds a text, with how a window is asked for it there. */
export interface FoundHolder {
	readonly holder: TextHolder;
	readonly watched: Watched;
}

/** Everything that holds a text: entries of all branches by their time, then texts of ours. Reads all content once. */
export async function textHolders(
	history: History,
	content: Content,
	search: WantedText,
): Promise<{ readonly found: readonly FoundHolder[]; readonly unread: number }> {
	const reader = new Reader(content, search);
	const texts = await textsOfOurs(history, reader);
	const shows = ({ as, item, ...rest }: PastStanding): PastStanding => {
		const text = item?.kind === "fold" ? item.text : item?.kind === "clipped" ? item.clip.text : undefined;
		return { as: text !== undefined && texts.byDigest.has(text) ? as : "hidden", ...rest };
	};
	const found = [
		...(await entriesThatHold(history, reader, shows)),
		...foldsThatHold(history, texts),
		...receiptsThatHold(history, texts),
	];
	return { found, unread: reader.unread };
}

/** Contents read before others have their turn: a few tens of ms. */
const SLICE = 200;

class Reader {
	readonly search: WantedText;
	readonly #content: Content;
	/** contents that are not there */
	unread = 0;
	#reads = 0;

	constructor(content: Content, search: WantedText) {
		this.#content = content;
		this.search = search;
	}

	/** Lets others have their turn where it is time for that. */
	async pause(): Promise<void> {
		if (this.#reads < SLICE) return;
		this.#reads = 0;
		await turnOfOthers();
	}

	/** Where the text stands in stored text; `undefined` where it does not. */
	inText(digest: string): string | undefined {
		const bytes = this.#read(digest);
		return bytes && foundAround(Buffer.from(bytes).toString("utf8"), this.search);
	}

	inEntry(node: EntryNode): { around: string; isThought: boolean; tool?: string } | undefined {
		const bytes = this.#read(node.digest);
		if (!bytes) return undefined;
		const { blocks, tool } = this.#content.decode(bytes, node);
		const said = blocks.filter(({ type }) => type !== "thinking");
		for (const block of [...said, ...blocks.filter(({ type }) => type === "thinking")]) {
			const texts = block.type === "call" ? [saidIn(block), ...stringsIn(block.args)] : [saidIn(block)];
			for (const text of texts) {
				const around = foundAround(text, this.search);
				if (around === undefined) continue;
				return { around, isThought: block.type === "thinking", ...(tool !== undefined && { tool }) };
			}
		}
		return undefined;
	}

	#read(digest: string): Uint8Array | undefined {
		this.#reads++;
		try {
			const bytes = this.#content(digest);
			if (bytes) return bytes;
		} catch {
			// damaged: it is told of as what is gone is, and the rest is read
		}
		this.unread++;
		return undefined;
	}
}

/** Every text in a value of JSON. */
function* stringsIn(value: unknown): Generator<string> {
	if (typeof value === "string") yield value;
	else if (typeof value === "object" && value !== null)
		for (const part of Object.values(value)) yield* stringsIn(part);
}

/** Texts of ours that hold what is looked for, by digest and by the fold they are of, with what is around it. */
interface HoldingTexts {
	readonly byDigest: ReadonlyMap<string, string>;
	readonly byFold: ReadonlyMap<string, string>;
}

async function textsOfOurs({ states, decisions }: History, reader: Reader): Promise<HoldingTexts> {
	const byDigest = new Map<string, string>();
	const byFold = new Map<string, string>();
	for (const { text, fold } of [...writtenTexts(states, decisions)]) {
		await reader.pause();
		const around = byDigest.get(text) ?? reader.inText(text);
		if (around === undefined) continue;
		byDigest.set(text, around);
		if (fold !== undefined) byFold.set(fold, around);
	}
	return { byDigest, byFold };
}

/** Every text of ours that a window may hold, with the fold it is of: of folds, of clipped results and receipts. */
function* writtenTexts(
	{ forest, plans }: History["states"],
	decisions: History["decisions"],
): Generator<{ readonly text: string; readonly fold?: string }> {
	for (const bucket of forest.cuts) for (const { texts } of bucket.values()) yield* texts;
	for (const bucket of forest.rewritten) for (const rewriting of bucket.values()) yield* rewriting.values();
	for (const { event } of decisions) if ("texts" in event.data) yield* event.data.texts ?? [];
	for (const { clips, receipt } of committedPlans(plans)) {
		for (const { text } of clips.values()) yield { text };
		if (receipt) yield { text: receipt.text };
		if (receipt?.plain) yield { text: receipt.plain.text };
	}
}

async function entriesThatHold(
	{ states }: History,
	reader: Reader,
	shows: (standing: PastStanding) => PastStanding,
): Promise<FoundHolder[]> {
	const found: FoundHolder[] = [];
	for (const bucket of states.tree.nodes) {
		for (const node of bucket.values()) {
			await reader.pause();
			if (node.fate !== "sent" && node.target === undefined) continue;
			const hit = reader.inEntry(node);
			if (!hit) continue;
			const { around, isThought, tool } = hit;
			const holder: TextHolder = {
				kind: "entry",
				id: node.id,
				role: node.role ?? node.kind,
				...(tool !== undefined && { tool }),
				time: node.at,
				around,
				...(isThought && { isThought }),
			};
			const target = nodeOf(states.tree, node.target ?? null);
			const look = target ? lookAtEdit(node, target, shows) : lookAtEntry(node, isThought, shows);
			found.push({ holder, watched: { of: node.id, node, look } });
		}
	}
	return found.sort(
		(a, b) => a.watched.node.at - b.watched.node.at || a.watched.node.depth - b.watched.node.depth,
	);
}

/** How a text is read in the entry that holds it, or in what stands for that. */
function lookAtEntry(
	node: EntryNode,
	isThought: boolean,
	shows: (standing: PastStanding) => PastStanding,
): Watched["look"] {
	return (window) => {
		const standing = window.entry(node);
		const { as, item } = standing;
		if (as !== "whole") return as === "hidden" ? standing : shows(standing);
		if (isThought && item?.kind === "entry" && item.form === "unthought") return { as: "hidden" };
		return node.kind === "compaction" ? { as: "brief", through: node.id } : standing;
	};
}

/** How a text is read that an edit put in the place of what an entry said. */
function lookAtEdit(
	edit: EntryNode,
	target: EntryNode,
	shows: (standing: PastStanding) => PastStanding,
): Watched["look"] {
	return (window) => {
		const standing = window.entry(target);
		if (standing.item?.kind === "edited" && standing.item.edit.id === edit.id)
			return { as: "whole", through: target.id };
		return standing.as === "brief" ? shows(standing) : { ...standing, as: "hidden" };
	};
}

function* foldsThatHold({ states }: History, { byDigest, byFold }: HoldingTexts): Generator<FoundHolder> {
	for (const [fold, around] of byFold) {
		const cut = lastCutOf(states.forest, fold);
		const node = nodeOf(states.tree, cut?.to ?? null);
		if (!cut || !node) continue;
		const look = (window: PastWindowView): PastStanding => {
			const item = window.text(fold);
			if (item && byDigest.has(item.text)) return { as: "brief", through: fold };
			return { ...window.stretch(cut), as: "hidden" };
		};
		yield { holder: { kind: "fold", id: fold, around }, watched: { of: fold, node, look } };
	}
}

function* receiptsThatHold({ states }: History, { byDigest: texts }: HoldingTexts): Generator<FoundHolder> {
	for (const { id, leaf, receipt } of committedPlans(states.plans)) {
		const around = [receipt?.text, receipt?.plain?.text].map((text) => texts.get(text ?? "")).find(Boolean);
		const node = nodeOf(states.tree, leaf);
		if (around === undefined || !node) continue;
		const look = ({ head, plan }: PastWindowView): PastStanding => {
			const shown = head.find((item) => item.kind === "shown");
			const isRead = plan?.commit === id && shown?.kind === "shown" && texts.has(shown.text);
			return isRead ? { as: "brief", through: id } : { as: "hidden" };
		};
		yield { holder: { kind: "receipt", id, around }, watched: { of: id, node, look } };
	}
}
