import type { DomainEvent } from "../../events/catalogue.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Item } from "../../projections/window-plan.ts";
import type { Observer, SentWindow } from "../engine/observer.ts";
import { type SeenEntry, SeenLog } from "./window-check-log.ts";
import type { SeenPlan } from "./window-check-plans.ts";
import { type Invariant, type Where, WindowScan } from "./window-check-scan.ts";

/** Something a window did that no window may do. */
export interface Fault extends Where {
	/** ordinal of the request; of the one to come where the log itself is at fault */
	readonly request: number;
	/** by the README: 1 lossless, 2 append-only between commits and as recorded, 3 pair-safe */
	readonly invariant: Invariant;
	readonly what: string;
}

/** What a check needs of the world. */
export interface CheckParts {
	/** stored content by its digest */
	readonly content: (digest: string) => Uint8Array | undefined;
	/** hex SHA-256 of bytes */
	readonly hash: (bytes: Uint8Array) => string;
}

type Prepared = Extract<DomainEvent, { type: "request/prepared" }>["data"];

/**
 * Checks every window an engine makes, from the transcript and the events alone, sharing no code with what made it. To
 * be an engine's observer from its first event on. A window that only grew takes time that grows with what is new. A
 * fault that stays in the window is told once, when it appears.
 */
export class WindowChecker implements Observer {
	private readonly parts: CheckParts;
	private readonly log: SeenLog;
	private readonly held = new Map<string, boolean>();
	private readonly found: Fault[] = [];
	private readonly first: string;
	private told: SentWindow | undefined;
	private requests = 0;
	/** the window before: its items, their keys, and its digest up to and with each of them */
	private items: Item[] = [];
	private keys: string[] = [];
	private digests: string[] = [];
	private leaf: SeenEntry | undefined;
	private readonly path: SeenEntry[] = [];
	private plan: SeenPlan | undefined;
	private scan: WindowScan | undefined;

	constructor(parts: CheckParts) {
		this.parts = parts;
		this.log = new SeenLog(parts.hash, (what, id) => this.fault(1, what, { id }));
		this.first = this.step("palimpsest window 1");
	}

	/** What was found so far, in order. */
	get faults(): readonly Fault[] {
		return this.found;
	}

	/** Windows checked so far. */
	get windows(): number {
		return this.requests;
	}

	/** An entry, before the events that record it; decision nodes as well. */
	entry(entry: TranscriptEntry): void {
		this.log.entry(entry);
	}

	/** An event as it is appended; `request/prepared` checks the window that was told last. */
	event(event: DomainEvent, position: number): void {
		this.log.event(event, position);
		if (event.type === "request/prepared") this.check(event.data);
	}

	/** The window the next `request/prepared` records. */
	window(window: SentWindow): void {
		this.told = window;
	}

	private check(prepared: Prepared): void {
		const sent = this.told;
		this.told = undefined;
		if (!sent || sent.leaf !== prepared.leaf) this.fault(2, "a request whose window was not told", {});
		else this.compare(sent, prepared);
		this.requests++;
	}

	private compare(sent: SentWindow, prepared: Prepared): void {
		const leaf = this.log.of(sent.leaf);
		const plan = this.log.planAt(leaf);
		const length = this.items.length;
		const differs = this.follow(sent);
		const digest = this.digests.at(-1) ?? this.first;
		if (digest !== prepared.window) this.fault(2, "the window's digest is not the one recorded", {});
		if (this.items.length !== prepared.items) this.fault(2, "another number of items than recorded", {});
		if (plan?.commit !== prepared.commit) this.fault(2, "another commit is in force than recorded", {});
		if (plan && isNodeOf(plan, leaf) && plan.window !== digest) {
			this.fault(2, "the window is not the one its decision made", { id: plan.id });
		}
		this.checkChange(prepared.change, differs, this.causes(leaf, plan));
		const grew = differs === undefined && this.causes(leaf, plan).size === 0 ? this.scan : undefined;
		this.goTo(leaf);
		this.scan = grew ?? this.beginScan();
		this.scan.read(grew ? this.items.slice(length) : this.items);
		this.leaf = leaf;
		this.plan = plan;
	}

	/** Takes the place of the window before; returns the first item of it that is no longer what it was. */
	private follow({ kept, items }: SentWindow): number | undefined {
		const keys = items.map(keyOf);
		let same = Math.min(kept, this.items.length);
		while (same < this.keys.length && this.keys[same] === keys[same - kept]) same++;
		const differs = same < this.keys.length ? same : undefined;
		this.items.length = Math.min(kept, this.items.length);
		for (const item of items) this.items.push(item);
		this.keys.length = same;
		this.digests.length = same;
		for (const key of keys.slice(same - kept)) {
			this.digests.push(this.step(`${this.digests.at(-1) ?? this.first} ${key}`));
			this.keys.push(key);
		}
		return differs;
	}

	private checkChange(
		change: Prepared["change"],
		differs: number | undefined,
		causes: ReadonlySet<string>,
	): void {
		if (differs === undefined) {
			if (change) this.fault(2, "a change is recorded although the window only grew", { at: change.item });
		} else if (!change) this.fault(2, "the window changed and no cause is recorded", { at: differs });
		else if (change.item !== differs)
			this.fault(2, `it changed first at item ${differs}`, { at: change.item });
		else if (!causes.has(change.cause)) {
			this.fault(2, `the cause recorded is ${change.cause}; there was ${[...causes].join(", ") || "none"}`, {
				at: differs,
			});
		}
	}

	/** What lies between the window before and the one at a leaf that may change what stood there. */
	private causes(leaf: SeenEntry | undefined, plan: SeenPlan | undefined): Set<string> {
		const causes = new Set<string>();
		if (!isAbove(this.leaf, leaf)) causes.add("leaf");
		const decided = this.log.causeBetween(this.plan, plan);
		if (decided) causes.add(decided);
		if (this.leaf?.lastEdit !== leaf?.lastEdit) causes.add("contextEdit");
		if (this.leaf && isAnswered(this.leaf, leaf)) causes.add("answer");
		return causes;
	}

	/** Leads the path to another leaf, from where the two part. */
	private goTo(leaf: SeenEntry | undefined): void {
		const fresh: SeenEntry[] = [];
		let entry = leaf;
		for (; entry && this.path[entry.depth] !== entry; entry = entry.parent) fresh.push(entry);
		this.path.length = entry ? entry.depth + 1 : 0;
		for (const next of fresh.reverse()) this.path.push(next);
	}

	private beginScan(): WindowScan {
		return new WindowScan(
			{
				log: this.log,
				holds: (digest) => this.holds(digest),
				report: (invariant, what, where) => this.fault(invariant, what, where),
			},
			this.path,
		);
	}

	/** Whether content can be read back under its digest; asked of the store once. */
	private holds(digest: string): boolean {
		let held = this.held.get(digest);
		if (held === undefined) {
			const bytes = this.parts.content(digest);
			held = bytes !== undefined && this.parts.hash(bytes) === digest;
			this.held.set(digest, held);
		}
		return held;
	}

	private step(text: string): string {
		return this.parts.hash(new TextEncoder().encode(text));
	}

	private fault(invariant: Invariant, what: string, where: Where): void {
		this.found.push({ request: this.requests + 1, invariant, what, ...where });
	}
}

/** What names an item in the digest of a window. */
function keyOf(item: Item): string {
	switch (item.kind) {
		case "entry":
			return `${item.form === "unthought" ? "u" : "e"} ${item.node.id} ${item.node.digest}`;
		case "clipped":
			return `c ${item.node.id} ${item.clip.text}`;
		case "edited":
			return `r ${item.node.id} ${item.edit.digest}`;
		case "fold":
			return `f ${item.fold} ${item.text}`;
		case "shown":
			return `s receipt ${item.text}`;
		case "answer":
			return `a ${item.call}`;
		default:
			return item satisfies never;
	}
}

/** Whether an entry stands on the path to another, or is it. Nothing stands above every entry. */
function isAbove(above: SeenEntry | undefined, below: SeenEntry | undefined): boolean {
	if (!above) return true;
	let entry = below;
	while (entry && entry.depth > above.depth) entry = entry.parent;
	return entry === above;
}

/** Whether a call that waited at an entry got its result on the way down to another. */
function isAnswered(above: SeenEntry, below: SeenEntry | undefined): boolean {
	if (above.waiting.size === 0) return false;
	let entry = below;
	for (; entry && entry.depth > above.depth; entry = entry.parent) {
		if (entry.asker !== undefined && entry.asker === above.asking) return true;
	}
	return false;
}

/** Whether a decision was recorded by this very entry. */
function isNodeOf(plan: SeenPlan, entry: SeenEntry | undefined): boolean {
	return entry?.decision === plan.position && entry.parent?.decision !== plan.position;
}
