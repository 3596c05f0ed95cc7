import type { Block, EntryKind, StopReason, TranscriptEntry } from "../../projections/transcript.ts";
import { ODD_IDS, WORDS } from "./odd-words.ts";

/** One thing that happens in a made-up session. Sizes are characters; `which` picks among what is there, modulo. */
export type Step = { readonly wait: number; readonly size: number } & (
	| { readonly does: "user" | "system" | "note" | "bash" | "hidden" | "summary" | "compaction" }
	| { readonly does: "custom" | "label" | "model" }
	| {
			readonly does: "reply";
			readonly calls: number;
			readonly thinks: boolean;
			readonly stop: StopReason;
			readonly model: number;
			/** the call ids of an earlier message come again */
			readonly again: boolean;
			/** two calls of the message share an id */
			readonly twice: boolean;
	  }
	| { readonly does: "result"; readonly which: number; readonly of: "waiting" | "answered" | "nothing" }
	| { readonly does: "edit"; readonly which: number; readonly as: "omitted" | "text" | "calls" }
	| { readonly does: "goto"; readonly which: number }
);

const MODELS = ["prefix", "breakpoint", "small"];

/** Turns steps into the entries of a session, each with bytes of its own. */
export function buildSession(steps: readonly Step[]): TranscriptEntry[] {
	const builder = new SessionBuilder();
	for (const step of steps) builder.take(step);
	return builder.entries;
}

class SessionBuilder {
	readonly entries: TranscriptEntry[] = [];
	private leaf: TranscriptEntry | undefined;
	private at = Date.UTC(2026, 0, 1);
	private calls = 0;

	take(step: Step): void {
		this.at += step.wait;
		const text = textOf(step.size, this.entries.length);
		switch (step.does) {
			case "goto":
				this.leaf = this.entries[step.which % (this.entries.length + 1)];
				return;
			case "user":
			case "system":
			case "bash":
				this.add("message", { role: step.does, blocks: withImage(text, step.size) });
				return;
			case "hidden":
				this.add("message", { role: "bash", hidden: true, blocks: [] });
				return;
			case "note":
				this.add("note", { role: "note", blocks: [{ type: "text", text }] });
				return;
			case "summary":
				this.add("branchSummary", { role: "summary", blocks: [{ type: "text", text }] });
				return;
			case "compaction":
				this.add("compaction", { role: "summary", blocks: [{ type: "text", text }] });
				return;
			case "custom":
			case "label":
				this.add(step.does, { blocks: [] });
				return;
			case "model":
				this.add("model", { blocks: [], model: { provider: "test", model: "small" } });
				return;
			case "reply":
				this.reply(step, text);
				return;
			case "result": {
				const call = this.callFor(step);
				const blocks = withImage(text, step.size);
				this.add("message", {
					role: "result",
					answers: call,
					tool: "run",
					failed: step.size % 5 === 0,
					blocks,
				});
				return;
			}
			case "edit":
				this.edit(step, text);
				return;
			default:
				step satisfies never;
		}
	}

	private reply(step: Extract<Step, { does: "reply" }>, text: string): void {
		const blocks: Block[] = step.thinks ? [{ type: "thinking", text: `${text} thus`, signed: true }] : [];
		if (step.size % 3 > 0) blocks.push({ type: "text", text });
		const first = step.again ? 0 : this.calls;
		for (let n = 0; n < step.calls; n++) {
			const callId = callIdOf(first + (step.twice ? 0 : n));
			blocks.push({
				type: "call",
				callId,
				tool: "run",
				args: { path: `src/${n}.ts`, with: text.slice(0, 20) },
			});
		}
		if (!step.again) this.calls += step.calls;
		let chars = 0;
		for (const entry of this.path())
			for (const block of entry.blocks) if ("text" in block) chars += block.text.length;
		this.add("message", {
			role: "assistant",
			stop: step.stop,
			sentAt: this.at - 500,
			model: { provider: "test", model: MODELS[step.model % MODELS.length] ?? "prefix" },
			usage: { input: 500 + Math.round(chars / 3), output: 50, cacheRead: 0, cacheWrite: 0 },
			blocks,
		});
	}

	private edit(step: Extract<Step, { does: "edit" }>, text: string): void {
		const roles = ["user", "assistant", "result", "note"];
		const targets = this.path().filter(({ role }) => role !== undefined && roles.includes(role));
		const target = targets[step.which % Math.max(1, targets.length)];
		if (!target) return;
		const kept = step.as === "calls" ? target.blocks.filter((block) => block.type === "call") : [];
		const omits = step.as === "omitted";
		const blocks: Block[] = omits ? [] : [{ type: "text", text: `edited ${text}` }, ...kept];
		this.add("contextEdit", { target: target.id, omits, blocks });
	}

	/** A call that waits where the session stands, one that has its answer, or one nobody made. */
	private callFor(step: Extract<Step, { does: "result" }>): string {
		const waiting: string[] = [];
		const answered: string[] = [];
		for (const entry of this.path()) {
			for (const block of entry.blocks) if (block.type === "call") waiting.push(block.callId);
			const at = entry.answers === undefined ? -1 : waiting.indexOf(entry.answers);
			if (at >= 0) answered.push(...waiting.splice(at, 1));
		}
		const from = step.of === "waiting" ? waiting.slice(-4) : answered;
		return (step.of === "nothing" ? undefined : from[step.which % Math.max(1, from.length)]) ?? "nobody";
	}

	private path(): TranscriptEntry[] {
		const byId = new Map(this.entries.map((entry) => [entry.id, entry]));
		const path: TranscriptEntry[] = [];
		for (let entry = this.leaf; entry; entry = byId.get(entry.parent ?? "\n")) path.push(entry);
		return path.reverse();
	}

	private add(kind: EntryKind, rest: Partial<TranscriptEntry> & { blocks: readonly Block[] }): void {
		const n = this.entries.length;
		const place = { id: idOf(n), parent: this.leaf?.id ?? null, kind, at: this.at, line: n + 1 };
		const bytes = new TextEncoder().encode(JSON.stringify({ ...place, ...rest }));
		this.leaf = { ...place, ...rest, bytes };
		this.entries.push(this.leaf);
	}
}

function idOf(n: number): string {
	return ODD_IDS[n] ?? (n % 3 === 0 ? String(n + 10) : n.toString(16).padStart(8, "0"));
}

function callIdOf(n: number): string {
	return ODD_IDS[n] ?? `call-${n}`;
}

function withImage(text: string, size: number): Block[] {
	const blocks: Block[] = [{ type: "text", text }];
	if (size % 11 === 0) blocks.push({ type: "image", mime: "image/png", bytes: 100 });
	return blocks;
}

function textOf(size: number, seed: number): string {
	let text = `entry ${seed}`;
	for (let n = seed; text.length < size; n = (n * 31 + 7) % 1009)
		text += ` ${WORDS[n % WORDS.length]}${n % 13}`;
	return text;
}
