import type { Block, EntryKind, TranscriptEntry } from "../../projections/transcript.ts";
import type { DecisionNode } from "../../src/engine/decision-node.ts";
import { ODD_IDS, WORDS } from "../engine/odd-words.ts";
import type { Growth } from "./steps.ts";

const TOOLS = ["run", "read", "pi_fold_context"];

/** A session as its host keeps it: entries as a tree, and where the user is in it. */
export class HostSession {
	readonly entries: TranscriptEntry[] = [];
	readonly #byId = new Map<string, TranscriptEntry>();
	/** what entries say of a decision, by their ids */
	readonly nodes = new Map<string, DecisionNode>();
	leaf: string | null = null;
	/** ms since the epoch */
	at = 1_767_225_600_000;
	#calls = 0;

	/** The part of a session that leads to an entry, as a fork holds it: without labels, so that some get another parent. */
	forkAt(leaf: string | null): HostSession {
		const fork = new HostSession();
		for (const entry of this.path(leaf)) {
			if (entry.kind === "label") continue;
			const { bytes: _, ...rest } = entry;
			const moved = { ...rest, parent: fork.leaf };
			fork.#put(moved.parent === entry.parent ? entry : { ...moved, bytes: bytesOf(moved) });
			fork.leaf = entry.id;
			const node = this.nodes.get(entry.id);
			if (node) fork.nodes.set(entry.id, node);
		}
		fork.at = this.at;
		fork.#calls = this.#calls;
		return fork;
	}

	/** Entries from the root to one of them. */
	path(leaf = this.leaf): TranscriptEntry[] {
		const path: TranscriptEntry[] = [];
		for (let entry = this.entry(leaf); entry; entry = this.entry(entry.parent)) path.push(entry);
		return path.reverse();
	}

	entry(id: string | null): TranscriptEntry | undefined {
		return id === null ? undefined : this.#byId.get(id);
	}

	/** Entries that come, in order. Going elsewhere brings none. */
	grow(step: Growth, reply: Partial<TranscriptEntry>): TranscriptEntry[] {
		switch (step.does) {
			case "goto":
				this.leaf = this.entries[step.which % (this.entries.length + 1)]?.id ?? null;
				return [];
			case "user":
			case "system":
			case "bash":
				return [this.add("message", { role: step.does, blocks: this.#blocks(step.size) })];
			case "hidden":
				return [this.add("message", { role: "bash", hidden: true, blocks: this.#blocks(step.size) })];
			case "note":
				return [this.add("note", { role: "note", blocks: this.#blocks(step.size) })];
			case "summary":
				return [this.add("branchSummary", { role: "summary", blocks: this.#blocks(step.size) })];
			case "label":
			case "custom":
				return [this.add(step.does, { blocks: [] })];
			case "compaction": {
				const path = this.path().filter(({ role }) => role !== undefined);
				const kept = step.keeps ? path[path.length - 1 - (step.which % (path.length + 1))] : undefined;
				const firstKept = kept && { firstKept: kept.id };
				return [this.add("compaction", { role: "summary", blocks: this.#blocks(step.size), ...firstKept })];
			}
			case "result":
				return [this.#result(step.size, this.#callFor(step))];
			case "edit":
				return this.#edit(step);
			case "exchange":
				return this.#exchange(step, reply);
			default:
				return step satisfies never;
		}
	}

	/** Adds an entry at the leaf. */
	add(kind: EntryKind, rest: Partial<TranscriptEntry> & { blocks: readonly Block[] }): TranscriptEntry {
		const n = this.entries.length;
		const place = { id: this.#idOf(n), parent: this.leaf, kind, at: this.at, line: n + 1 };
		const entry = { ...place, ...rest, bytes: bytesOf({ ...place, ...rest }) };
		this.#put(entry);
		this.leaf = entry.id;
		return entry;
	}

	/** Adds the node of a decision at the leaf. */
	addNode(node: DecisionNode): TranscriptEntry {
		const entry = this.add("custom", { blocks: [] });
		this.nodes.set(entry.id, node);
		return entry;
	}

	#put(entry: TranscriptEntry): void {
		this.entries.push(entry);
		this.#byId.set(entry.id, entry);
	}

	/** A fork goes on where its parent may have, with other ids. */
	#idOf(n: number): string {
		let id = ODD_IDS[n] ?? (n % 3 === 0 ? String(n + 10) : n.toString(16).padStart(8, "0"));
		while (this.#byId.has(id)) id += "x";
		return id;
	}

	#exchange(step: Extract<Growth, { does: "exchange" }>, reply: Partial<TranscriptEntry>): TranscriptEntry[] {
		const blocks: Block[] = step.thinks
			? [{ type: "thinking", text: `thinking ${textOf(step.size, this.entries.length)}`, signed: true }]
			: [];
		if (step.size % 3 > 0 || step.calls === 0) blocks.push(...this.#blocks(step.size));
		const first = step.again ? 0 : this.#calls;
		const ids = Array.from({ length: step.calls }, (_, n) => `call-${first + (step.twice ? 0 : n)}`);
		for (const [n, callId] of ids.entries()) {
			const tool = TOOLS[n === 0 ? step.tool : 0] ?? "run";
			const args =
				tool === "pi_fold_context"
					? { action: "peek", id: "0" }
					: { path: `src/${n}.ts`, with: `${step.size}` };
			blocks.push({ type: "call", callId, tool, args });
		}
		if (!step.again) this.#calls += step.calls;
		const entries = [this.add("message", { role: "assistant", stop: step.stop, ...reply, blocks })];
		if (step.reversed) ids.reverse();
		for (const [n, size] of step.results.entries()) entries.push(this.#result(size, ids[n] ?? "nobody"));
		return entries;
	}

	#result(size: number, answers: string): TranscriptEntry {
		return this.add("message", { role: "result", answers, tool: "run", blocks: this.#blocks(size) });
	}

	#edit(step: Extract<Growth, { does: "edit" }>): TranscriptEntry[] {
		const targets = this.path().filter(({ role }) => role && role !== "system" && role !== "summary");
		const target = targets[step.which % Math.max(1, targets.length)];
		if (!target) return [];
		const kept = step.as === "calls" ? target.blocks.filter((block) => block.type === "call") : [];
		const omits = step.as === "omitted";
		const blocks: Block[] = omits ? [] : [{ type: "text", text: `edited ${step.size}` }, ...kept];
		return [this.add("contextEdit", { target: target.id, omits, blocks })];
	}

	/** A call that waits where the session stands, or any that was made on the way. */
	#callFor(step: Extract<Growth, { does: "result" }>): string {
		const calls: string[] = [];
		for (const entry of this.path()) {
			for (const block of entry.blocks) if (block.type === "call") calls.push(block.callId);
			const at = step.of === "waiting" ? calls.lastIndexOf(entry.answers ?? "\n") : -1;
			if (at >= 0) calls.splice(at, 1);
		}
		const from = step.of === "waiting" ? calls.slice(-3) : calls;
		return from[step.which % Math.max(1, from.length)] ?? "nobody";
	}

	#blocks(size: number): Block[] {
		const blocks: Block[] = [{ type: "text", text: textOf(size, this.entries.length) }];
		if (size % 11 === 0) blocks.push({ type: "image", mime: "image/png", bytes: 100 });
		return blocks;
	}
}

/** What is said and by whom, not when: so that a session that begins later has the same bytes. */
function bytesOf(entry: Omit<TranscriptEntry, "bytes">): Uint8Array {
	return new TextEncoder().encode(JSON.stringify({ ...entry, at: undefined }));
}

function textOf(size: number, seed: number): string {
	let text = `entry ${seed}`;
	for (let n = seed; text.length < size; n = (n * 31 + 7) % 1009)
		text += ` ${WORDS[n % WORDS.length]}${n % 13}`;
	return text;
}
