import type { DomainEvent } from "../../events/catalogue.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";

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

/** A commit, by its event. */
export interface SeenCommit {
	readonly id: string;
	readonly position: number;
	readonly parent: string | null;
	readonly before: SeenCommit | undefined;
	readonly through: string;
	readonly held: ReadonlySet<string>;
	/** digest of what is left in view, by entry */
	readonly clips: Map<string, string>;
	readonly reasoning: "keep" | "strip";
	/** digest of the window it makes */
	readonly window: string;
}

/** Reads a session's entries and events as they come; shares nothing with the projections. */
export class SeenLog {
	private readonly hash: (bytes: Uint8Array) => string;
	private readonly report: (what: string, id: string) => void;
	private readonly entries = new Map<string, SeenEntry>();
	private readonly cuts = new Map<string, SeenCut>();
	private readonly folds = new Map<string, SeenFold>();
	private readonly commits = new Map<string, SeenCommit>();
	/** the commit in force behind each decision */
	private readonly inForce = new Map<number, SeenCommit | undefined>();
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

	/** The commit in force at an entry. */
	commitAt(entry: SeenEntry | undefined): SeenCommit | undefined {
		return entry?.decision === undefined ? undefined : this.inForce.get(entry.decision);
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
			case "mark/set": {
				const { id, from, to } = event.data;
				const before = event.data.before === null ? undefined : this.cuts.get(event.data.before);
				this.cuts.set(id, { id, number: (before?.number ?? 0) + 1, before, from, to });
				return;
			}
			case "brief/written":
				this.write(event.data);
				return;
			case "commit/applied":
				this.commit(event.data, position);
				return;
			case "commit/undone":
				this.inForce.set(position, this.commits.get(event.data.commit)?.before);
				return;
			case "fold/clipped":
				this.commits.get(event.data.commit)?.clips.set(event.data.entry, event.data.text);
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

	private commit(data: Extract<DomainEvent, { type: "commit/applied" }>["data"], position: number): void {
		const { id, parent, before, through, held, reasoning, window } = data;
		const commit: SeenCommit = {
			id,
			position,
			parent,
			before: before === null ? undefined : this.commits.get(before),
			through,
			held: new Set(held.map(({ entry }) => entry)),
			clips: new Map(),
			reasoning,
			window,
		};
		this.commits.set(id, commit);
		this.inForce.set(position, commit);
	}
}

const NONE: ReadonlySet<string> = new Set();

function without(set: ReadonlySet<string>, gone: string | undefined): ReadonlySet<string> {
	return new Set([...set].filter((member) => member !== gone));
}
