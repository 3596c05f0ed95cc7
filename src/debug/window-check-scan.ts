import type { Item } from "../../projections/window-plan.ts";
import { SeenEdits } from "./window-check-edits.ts";
import type { SeenCut, SeenEntry, SeenLog } from "./window-check-log.ts";
import type { SeenPlan } from "./window-check-plans.ts";

/** The properties of every window that are checked here, by their numbers in the README. */
export type Invariant = 1 | 2 | 3;

const NONE: ReadonlySet<string> = new Set();

/** Where in a window, and in what, a fault stands. */
export interface Where {
	/** index of the item */
	readonly at?: number;
	/** entry, fold or call */
	readonly id?: string;
}

/** What a scan asks and tells. */
export interface ScanParts {
	readonly log: SeenLog;
	/** whether what is stored under a digest can be read and has that digest */
	readonly holds: (digest: string) => boolean;
	readonly report: (invariant: Invariant, what: string, where: Where) => void;
}

/**
 * Reads one window beside its path: that each entry has its place, once and in order, and each call its answer. It can
 * go on with a window that only grew, in time that grows with what is new.
 */
export class WindowScan {
	private readonly parts: ScanParts;
	private readonly plan: SeenPlan | undefined;
	private readonly path: readonly SeenEntry[];
	private readonly edits: SeenEdits;
	private readonly shown = new Set<SeenEntry>();
	/** stretches of the path that fold texts stand for, by depth */
	private readonly spans: { readonly from: number; readonly to: number }[] = [];
	private lastCut: SeenCut | undefined;
	private lastShown = -1;
	private lastUser: SeenEntry | undefined;
	private waiting: ReadonlySet<string> = new Set();
	private asker: SeenEntry | undefined;
	private index = 0;
	/** entries of the path whose place was looked for */
	private placed = 0;

	/** `path` leads from the root to the leaf, and may grow before it is read on. */
	constructor(parts: ScanParts, path: readonly SeenEntry[]) {
		this.parts = parts;
		this.path = path;
		this.plan = parts.log.planAt(path.at(-1));
		this.edits = new SeenEdits(parts.log, path);
	}

	/** Reads on: the items that are new, up to where the path leads now. */
	read(items: readonly Item[]): void {
		const begins = this.index === 0;
		for (const item of items) {
			this.item(item);
			this.index++;
		}
		this.answered();
		this.place();
		if (begins) this.checkThrough();
	}

	private item(item: Item): void {
		switch (item.kind) {
			case "fold":
				this.answered();
				this.fold(item.fold, item.text, item.chars);
				return;
			case "shown":
				this.answered();
				if (this.edits.receiptOf(this.plan) !== item.text)
					this.fault(2, "a text the plan in force does not show", item.text);
				else if (!this.parts.holds(item.text)) this.fault(1, "a text of ours cannot be read back", item.text);
				return;
			case "answer":
				if (!this.take(item.call))
					this.fault(3, "an answer is put in for a call that does not wait", item.call);
				return;
			case "entry":
			case "clipped":
			case "edited": {
				const entry = this.parts.log.of(item.node.id);
				if (!entry || this.path[entry.depth] !== entry) {
					this.fault(1, "an entry that is not on the path", item.node.id);
					return;
				}
				this.form(item, entry);
				this.order(entry);
				this.pair(entry);
				return;
			}
			default:
				item satisfies never;
		}
	}

	private fold(id: string, text: string, chars: number): void {
		const { log } = this.parts;
		const fold = log.fold(id);
		if (!this.plan) this.fault(2, "a fold stands although no commit is in force", id);
		if (!fold) {
			this.fault(1, "a fold no text was written for", id);
			return;
		}
		const written = this.edits.leaving(this.plan?.texts.get(id) ?? fold);
		if (this.plan?.expanded.has(id)) this.fault(1, "a fold stands closed that was opened", id);
		if (written.text !== text || written.chars !== chars)
			this.fault(1, "a text that is not the one written for the fold", id);
		else if (!this.parts.holds(text)) this.fault(1, "the text of a fold cannot be read back", id);
		const from = log.of(fold.first.from);
		const to = log.of(fold.last.to);
		if (!from || !to || this.path[from.depth] !== from || this.path[to.depth] !== to) {
			this.fault(1, "a fold of entries that are not on the path", id);
			return;
		}
		if (this.behindOpen(fold.first.before) !== this.behindOpen(this.lastCut))
			this.fault(1, "a fold that does not follow the one before", id);
		if (this.lastShown >= from.depth) this.fault(1, "a held entry stands before the text that covers it", id);
		this.lastCut = fold.last;
		this.spans.push({ from: from.depth, to: to.depth });
		this.heeds(id, text, from.depth, to.depth);
		if (this.isNothingHidden(from.depth, to.depth))
			this.fault(1, "a fold of which edits left nothing, or nothing that is not raw", id);
	}

	/** The newest edit behind a fold of what it stands for has its text written anew; or something was supplied since. */
	private heeds(id: string, text: string, from: number, to: number): void {
		const newest = this.edits.newestOf(from, to);
		if (!newest) return;
		const supplied = this.plan?.texts.get(id);
		if (supplied && this.depthOf(supplied.leaf) >= newest.depth) return;
		const made = [...(this.parts.log.rewrittenBy(newest.id)?.values() ?? [])];
		if (!made.some((one) => one.text === text)) this.fault(1, "a text that does not heed an edit", id);
	}

	/** The last cut at or before one that is not open, and hides something that edits left. */
	private behindOpen(last: SeenCut | undefined): SeenCut | undefined {
		let cut = last;
		while (cut && (this.plan?.expanded.has(cut.id) || this.isCutBare(cut))) cut = cut.before;
		return cut;
	}

	private isCutBare({ from, to }: SeenCut): boolean {
		return this.isNothingHidden(this.depthOf(from), this.depthOf(to));
	}

	private isNothingHidden(from: number, to: number): boolean {
		return this.edits.tookAllBut(this.plan?.held ?? NONE, from, to);
	}

	private depthOf(id: string | null): number {
		return this.parts.log.of(id)?.depth ?? -1;
	}

	private form(item: Exclude<Item, { kind: "fold" | "answer" | "shown" }>, entry: SeenEntry): void {
		const edit = this.edits.of(entry.id);
		if (item.node.digest !== entry.digest) this.fault(1, "an entry under another digest", entry.id);
		if (!entry.speaks) this.fault(1, "an entry no model is sent", entry.id);
		if (edit?.omits) this.fault(1, "an entry that an edit left out", entry.id);
		else if (edit && item.kind !== "edited") this.fault(1, "an edit is not heeded", entry.id);
		switch (item.kind) {
			case "edited":
				if (!edit || item.edit.id !== edit.id || item.edit.digest !== edit.digest) {
					this.fault(1, "an edit that does not hold here", entry.id);
				}
				this.readable(entry);
				return;
			case "clipped":
				if (this.plan?.clips.get(entry.id) !== item.clip.text) {
					this.fault(1, "clipped otherwise than the commit in force says", entry.id);
				}
				if (!this.parts.holds(item.clip.text))
					this.fault(1, "what is left of a clipped result cannot be read back", entry.id);
				if (entry.role !== "result" && entry.role !== "user" && entry.role !== "note")
					this.fault(1, "clipped, but no result and without images", entry.id);
				if (this.plan?.pins.has(entry.id)) this.fault(1, "clipped although it is pinned", entry.id);
				this.readable(entry);
				return;
			case "entry": {
				const decided = this.parts.log.of(this.plan?.parent ?? null)?.depth ?? -1;
				const strips = this.plan?.reasoning === "strip" && entry.depth <= decided && entry.thinks;
				if (strips && item.form === "whole") this.fault(2, "thinking that the commit took away", entry.id);
				if (!strips && item.form === "unthought")
					this.fault(1, "thinking is gone that no commit took away", entry.id);
				if (item.form === "unthought") this.readable(entry);
				return;
			}
			default:
				item satisfies never;
		}
	}

	/** Entries stand in the order of their path, once; one that is folded as well must be held, right behind that text. */
	private order(entry: SeenEntry): void {
		if (this.shown.has(entry)) this.fault(1, "an entry stands twice", entry.id);
		else if (entry.depth < this.lastShown) this.fault(1, "an entry stands out of order", entry.id);
		const span = this.spans.at(-1);
		if (span && entry.depth <= span.to) {
			if (!this.plan?.held.has(entry.id)) this.fault(1, "an entry stands raw and folded", entry.id);
			if (entry.depth <= (this.spans.at(-2)?.to ?? -1)) {
				this.fault(1, "a held entry stands behind another text than the one that covers it", entry.id);
			}
		}
		this.shown.add(entry);
		this.lastShown = Math.max(this.lastShown, entry.depth);
	}

	private pair(entry: SeenEntry): void {
		if (entry.role === "result") {
			if (entry.answers === undefined || !this.take(entry.answers)) {
				this.fault(3, "a result without a call that waits for it", entry.id);
			}
			return;
		}
		this.answered();
		this.asker = entry;
		this.waiting = new Set(this.callsOf(entry));
	}

	private take(call: string): boolean {
		const left = new Set(this.waiting);
		const waited = left.delete(call);
		this.waiting = left;
		return waited;
	}

	/** Ends an exchange: no call may wait any more. */
	private answered(): void {
		if (this.waiting.size === 0) return;
		this.fault(3, `calls without an answer: ${[...this.waiting].join(", ")}`, this.asker?.id);
		this.waiting = new Set();
	}

	private callsOf(entry: SeenEntry): ReadonlySet<string> {
		return (this.edits.of(entry.id) ?? entry).calls;
	}

	/** Looks for the place of each entry that is new on the path: raw, folded, or rightly left out. */
	private place(): void {
		let next = 0;
		const asked = this.lastUser;
		for (; this.placed < this.path.length; this.placed++) {
			const entry = this.path[this.placed];
			if (!entry || entry.role === undefined) continue;
			while ((this.spans[next]?.to ?? Number.POSITIVE_INFINITY) < entry.depth) next++;
			const span = this.spans[next];
			const folded = span !== undefined && span.from <= entry.depth && entry.role !== "system";
			if (folded) this.readable(entry);
			const omitted = this.edits.of(entry.id)?.omits === true;
			if (entry.role === "user" && entry.speaks) this.lastUser = omitted ? undefined : entry;
			if (this.shown.has(entry) || !entry.speaks || omitted) continue;
			if (!folded) this.missing(entry);
			else if (
				entry.asker &&
				this.shown.has(entry.asker) &&
				this.callsOf(entry.asker).has(entry.answers ?? "")
			) {
				this.lack(3, "a result is folded apart from its call", entry.id);
			}
		}
		if (this.lastUser && this.lastUser !== asked && !this.shown.has(this.lastUser)) {
			this.lack(1, "the last user message does not stand raw", this.lastUser.id);
		}
	}

	private missing(entry: SeenEntry): void {
		const { asker, answers } = entry;
		const answersNothing =
			entry.role === "result" &&
			(!asker || this.edits.of(asker.id)?.omits || !this.callsOf(asker).has(answers ?? ""));
		if (!answersNothing) this.lack(1, "an entry of the path is missing", entry.id);
	}

	private checkThrough(): void {
		const { plan } = this;
		if (!plan || plan.through === null) return;
		if (this.behindOpen(this.lastCut) !== this.behindOpen(this.parts.log.cut(plan.through))) {
			this.lack(1, "the folds do not end where the plan in force ends", plan.id);
		}
	}

	private readable(entry: SeenEntry): void {
		if (!entry.readable) entry.readable = this.parts.holds(entry.digest);
		if (!entry.readable) this.lack(1, "an entry out of view cannot be read back", entry.id);
	}

	private fault(invariant: Invariant, what: string, id: string | undefined): void {
		this.parts.report(invariant, what, { at: this.index, ...(id !== undefined && { id }) });
	}

	/** A fault of something that has no item of its own. */
	private lack(invariant: Invariant, what: string, id: string): void {
		this.parts.report(invariant, what, { id });
	}
}
