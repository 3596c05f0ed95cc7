import { compactionAt, hiddenDepth } from "../../projections/host-view.ts";
import { type EntryNode, nodeOf } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { foldedDepth, headItems, planAt } from "../../projections/window-plan.ts";
import { type Content, entryIn } from "./content.ts";
import type { History } from "./history.ts";
import type { FoldText, TrajectoryRequest, WindowView } from "./trajectory.ts";

/**
 * What the model saw at each request of a history, as its log tells, and the reply that came, for those of which the
 * reply is known. Entries whose content is gone say nothing. O(entries), and O(window) where a window does not just go on.
 * @param entries decoded entries by id, shared by histories that hold the same
 */
export function trajectoryIn(
	history: History,
	content: Content,
	replies: ReadonlyMap<number, string>,
	entries = new Map<string, TranscriptEntry>(),
): TrajectoryRequest[] {
	const paths = new Paths(history, content, entries);
	return history.requests.flatMap(({ prepared: { request, leaf } }) => {
		const reply = nodeOf(history.states.tree, replies.get(request) ?? null);
		if (!reply) return [];
		const path = paths.to(leaf);
		return { view: path.view, upTo: path.upTo, reply: paths.entry(reply) };
	});
}

interface Path {
	readonly nodes: EntryNode[];
	readonly entries: TranscriptEntry[];
	readonly views: Map<string, WindowView>;
}

/** Follows the leaf; one list serves as long as the leaf only moves on. */
class Paths {
	readonly #history: History;
	readonly #content: Content;
	readonly #entries: Map<string, TranscriptEntry>;
	#current: Path = { nodes: [], entries: [], views: new Map() };

	constructor(history: History, content: Content, entries: Map<string, TranscriptEntry>) {
		this.#history = history;
		this.#content = content;
		this.#entries = entries;
	}

	to(leaf: string | null): { readonly view: WindowView; readonly upTo: number } {
		const { tree } = this.#history.states;
		const tip = this.#current.nodes.at(-1);
		const added: EntryNode[] = [];
		let node = nodeOf(tree, leaf);
		for (; node && node.id !== tip?.id; node = nodeOf(tree, node.parent)) added.push(node);
		if (!node && tip) this.#current = { nodes: [], entries: [], views: new Map() };
		for (const one of added.reverse()) {
			this.#current.nodes.push(one);
			this.#current.entries.push(this.entry(one));
		}
		return { view: this.#view(leaf), upTo: this.#current.nodes.length };
	}

	entry(node: EntryNode): TranscriptEntry {
		const known = this.#entries.get(node.id);
		if (known) return known;
		const entry = entryIn(this.#content, node) ?? goneEntry(node);
		this.#entries.set(node.id, entry);
		return entry;
	}

	#view(leaf: string | null): WindowView {
		const { states } = this.#history;
		const { views, entries } = this.#current;
		const node = nodeOf(states.tree, leaf);
		const key = `${node?.decision} ${node?.lastCompaction} ${node?.lastEdit}`;
		const known = views.get(key);
		if (known) return known;
		const plan = planAt(states, leaf);
		const head = headItems(states, leaf, plan);
		const view: WindowView = {
			path: entries,
			folded: hiddenDepth(compactionAt(states.tree, leaf), foldedDepth(states, plan)) + 1,
			kept: new Set(head.flatMap((item) => (item.kind === "entry" ? [item.node.id] : []))),
			clipped: new Map([...(plan?.clips ?? [])].map(([id, { text }]) => [id, this.#text(text)])),
			texts: head.flatMap((item): FoldText[] => {
				if (item.kind !== "fold") return [];
				const text = this.#text(item.text);
				return [{ id: item.fold, text, brief: text, first: 0, last: 0 }];
			}),
		};
		views.set(key, view);
		return view;
	}

	#text(digest: string): string {
		return new TextDecoder().decode(this.#content(digest));
	}
}

function goneEntry({ id, parent, kind, role, at }: EntryNode): TranscriptEntry {
	return {
		id,
		parent,
		kind: kind as TranscriptEntry["kind"],
		...(role !== undefined && { role: role as NonNullable<TranscriptEntry["role"]> }),
		at,
		line: 0,
		bytes: new Uint8Array(),
		blocks: [],
	};
}
