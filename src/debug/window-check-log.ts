import type { DomainEvent } from "../../events/catalogue.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { type SeenPlan, SeenPlans } from "./window-check-plans.ts";

/** An entry as the check understands it, by reading the transcript itself. */
export interface SeenEntry {
	readonly id: string;
	readonly parent: SeenEntry | undefined;
	/** entries above it */
	readonly depth: number;
	readonly role: TranscriptEntry["role"];
	/** hex SHA-256 of its bytes, taken here */
	readonly digest: string;
	/** a model would be sent it: it speaks, is no run kept private, no reply cut off and no summary of the host's */
	readonly speaks: boolean;
	/** ids of the calls its blocks make */
	readonly calls: ReadonlySet<string>;
	readonly answers: string | undefined;
	/** `result`: the message whose call it answers, where that call was still waiting when it came */
	readonly asker: SeenEntry | undefined;
	readonly thinks: boolean;
	/** contextEdit: the entry it changes */
	readonly target: string | undefined;
	readonly omits: boolean;
	/** the nearest edit at or above it */
	lastEdit: SeenEntry | undefined;
	/** the message whose calls wait here, and those calls */
	asking: SeenEntry | undefined;
	waiting: ReadonlySet<string>;
	/** the nearest decision at or above it, by the position of its event */
	decision: number | undefined;
	/** its bytes were read back once, and are what they were */
	readable: boolean;
}

/** A cut that closed. */
export interface SeenCut {
	readonly id: string;
	/** its place on its path, from 1 */
	readonly number: number;
	readonly before: SeenCut | undefined;
	readonly from: string;
	readonly to: string;
}

/** A text written for a fold, and the cuts it stands for. */
export interface SeenFold {
	readonly text: string;
	readonly chars: number;
	readonly first: SeenCut;
	readonly last: SeenCut;
}

/** A text, by its digest. */
export interface SeenText {
	readonly text: string;
	readonly chars: number;
}

/** Reads a session's entries and events as they come; shares nothing with the projections. */
export class SeenLog {
	private readonly hash: (bytes: Uint8Array) => string;
	private readonly report: (what: string, id: string) => void;
	private readonly entries = new Map<string, SeenEntry>();
	private readonly cuts = new Map<string, SeenCut>();
	private readonly folds = new Map<string, SeenFold>();
	/** texts that edits put in place of others, by the edit and the digest of the other */
	private readonly rewritten = new Map<string, Map<string, SeenText>>();
	private readonly plans = new SeenPlans();
	private base = 10;

	/** `report` is told where the log breaks its own word. */
	constructor(hash: (bytes: Uint8Array) => string, report: (what: string, id: string) => void) {
		this.hash = hash;
		this.report = report;
	}

	/** The entry of an id, if it came. */
	of(id: string | null): SeenEntry | undefined {
		return id === null ? undefined : this.entries.get(id);
	}

	/** The cut of an id, if it closed. */
	cut(id: string): SeenCut | undefined {
		return this.cuts.get(id);
	}

	/** What was written for a fold. */
	fold(id: string): SeenFold | undefined {
		return this.folds.get(id);
	}

	/** What an edit put in place of texts, by their digests. */
	rewrittenBy(edit: string): ReadonlyMap<string, SeenText> | undefined {
		return this.rewritten.get(edit);
	}

	/** What is in force at an entry. */
	planAt(entry: SeenEntry | undefined): SeenPlan | undefined {
		return this.plans.after(entry?.decision ?? null);
	}

	/** What windows give as the cause where one plan follows another: the newest decision between that moves something. */
	causeBetween(before: SeenPlan | undefined, after: SeenPlan | undefined): string | undefined {
		return this.plans.causeBetween(before, after);
	}

	/** Takes in an entry; one already known changes nothing. */
	entry(entry: TranscriptEntry): void {
		if (this.entries.has(entry.id)) return;
		const parent = this.of(entry.parent);
		const { role } = entry;
		const cutOff = entry.stop === "aborted" || entry.stop === "error";
		const speaks = role !== undefined && entry.hidden !== true && entry.kind !== "compaction" && !cutOff;
		const calls = new Set(entry.blocks.flatMap((block) => (block.type === "call" ? [block.callId] : [])));
		const answered = speaks && role === "result" ? entry.answers : undefined;
		const asker = answered !== undefined && parent?.waiting.has(answered) ? parent.asking : undefined;
		const seen: SeenEntry = {
			id: entry.id,
			parent,
			depth: parent ? parent.depth + 1 : 0,
			role,
			digest: this.hash(entry.bytes),
			speaks,
			calls,
			answers: entry.answers,
			asker,
			thinks: entry.blocks.some((block) => block.type === "thinking" && block.text.length > 0),
			target: entry.target,
			omits: entry.omits === true,
			lastEdit: parent?.lastEdit,
			asking: parent?.asking,
			waiting: asker && parent ? without(parent.waiting, answered) : (parent?.waiting ?? NONE),
			decision: parent?.decision,
			readable: false,
		};
		if (entry.target !== undefined) seen.lastEdit = seen;
		if (speaks && role !== "result") {
			seen.asking = seen;
			seen.waiting = calls;
		}
		this.entries.set(entry.id, seen);
	}

	/** Takes in an event of the session's stream. */
	event(event: DomainEvent, position: number): void {
		this.plans.event(event, position);
		switch (event.type) {
			case "session/settingsChanged":
				this.base = event.data.consolidateAfter;
				return;
			case "entry/recorded": {
				const { id, digest, decision } = event.data;
				const entry = this.entries.get(id);
				if (entry?.digest !== digest) this.report("recorded under another digest than its bytes have", id);
				if (entry && decision !== undefined) entry.decision = decision;
				return;
			}
			case "mark/set":
				this.cutClosed(event.data);
				return;
			case "mark/recut":
				for (const cut of event.data.cuts) this.cutClosed(cut);
				return;
			case "brief/written":
				this.write(event.data);
				return;
			case "brief/rewritten":
				this.rewrite(event.data);
				return;
			default:
				return;
		}
	}

	private write({
		fold,
		level,
		cut,
		text,
		chars,
	}: {
		fold: string;
		level: number;
		cut: string;
		text: string;
		chars: number;
	}): void {
		const size = this.base ** level;
		const last = this.cuts.get(cut);
		let first = last;
		for (let left = size; first && left > 1; left--) first = first.before;
		if (!last || !first) {
			this.report("written for cuts that did not close", fold);
			return;
		}
		if (last.number % size !== 0) this.report(`ends at cut ${last.number}, no multiple of ${size}`, fold);
		const known = this.folds.get(fold);
		if (known && known.text !== text) this.report("written twice, in other words", fold);
		this.folds.set(fold, { text, chars, first, last });
	}

	private rewrite({ edit, texts }: Extract<DomainEvent, { type: "brief/rewritten" }>["data"]): void {
		const made = this.rewritten.get(edit) ?? new Map<string, SeenText>();
		if (this.of(edit)?.target === undefined) this.report("rewritten by what is no edit", edit);
		for (const { fold, instead, text, chars } of texts) {
			if (!this.folds.has(fold)) this.report("rewritten although it was never written", fold);
			const known = made.get(instead);
			if (known && known.text !== text) this.report("rewritten twice for one edit, in other words", fold);
			made.set(instead, { text, chars });
		}
		this.rewritten.set(edit, made);
	}

	private cutClosed({
		id,
		before,
		from,
		to,
	}: {
		id: string;
		before: string | null;
		from: string;
		to: string;
	}) {
		// another branch closed it already
		if (this.cuts.has(id)) return;
		const previous = before === null ? undefined : this.cuts.get(before);
		this.cuts.set(id, { id, number: (previous?.number ?? 0) + 1, before: previous, from, to });
	}
}

const NONE: ReadonlySet<string> = new Set();

function without(set: ReadonlySet<string>, gone: string | undefined): ReadonlySet<string> {
	return new Set([...set].filter((member) => member !== gone));
}
