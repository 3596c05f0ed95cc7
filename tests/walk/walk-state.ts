import type { DomainEvent } from "../../events/catalogue.ts";
import type { Valuation } from "../../events/valuation.ts";
import type { Placed } from "../../projections/projection.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { WindowChecker } from "../../src/debug/window-check.ts";
import type { NextRequest } from "../../src/engine/decision.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { Journal } from "../../src/engine/journal.ts";
import type { Observer } from "../../src/engine/observer.ts";
import { SentWindows } from "../../src/engine/sent-windows.ts";
import { REGISTRY, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { named } from "./compare.ts";
import { MODELS } from "./models.ts";
import { Reference } from "./reference.ts";
import { type Made, type Path, sha } from "./reference-path.ts";
import type { World } from "./reference-sizes.ts";
import { filled, type Laid, lay } from "./reference-window.ts";
import { HostSession } from "./session.ts";
import type { Walk } from "./steps.ts";

/** What a walk came by. */
export interface Tally {
	[what: string]: number;
}

/** How a walk differs from others. */
export interface WalkOptions {
	/** ms by which it begins later */
	readonly later?: number;
	/** put around the journal */
	readonly journal?: (journal: Journal) => Journal;
}

/** The stream of the session. */
export const STREAM = "session/walk";

/** A session, the log that follows it, and the reference beside it. */
export class WalkState {
	readonly tally: Tally;
	readonly walk: Walk;
	host = new HostSession();
	store!: Store;
	engine!: Engine;
	sent!: SentWindows;
	reference!: Reference;
	checker: WindowChecker | undefined;
	driver: "live" | "replay";
	settings: Settings;
	valuation: Valuation = MODELS[0] as Valuation;
	/** the window that went out last, and where */
	last: { keys: string[]; path: Path } | undefined;
	/** whether cuts may have been made by other rules than a node says */
	mixed = false;
	/** decisions that could not be had again somewhere above */
	refused = new Set<string>();

	readonly options: WalkOptions;

	constructor(walk: Walk, tally: Tally, options: WalkOptions) {
		this.walk = walk;
		this.options = options;
		this.host.at += options.later ?? 0;
		this.tally = tally;
		this.driver = walk.driver;
		const { briefs, minFoldChars, base } = walk;
		const cutting = { briefs, minFoldChars, consolidateAfter: base };
		this.settings = {
			...DEFAULT_SETTINGS,
			...cutting,
			policy: "economic",
			floorTokens: 400,
			inputBudget: 9_000,
		};
	}

	begin(): void {
		this.store = openMemoryStore({ registry: REGISTRY, hash: sha256Node });
		this.reference = new Reference(this.walk.heedsCompactions);
		this.checker = this.walk.heedsCompactions
			? undefined
			: new WindowChecker({ content: (digest) => this.store.blob(digest), hash: sha256Node });
		this.last = undefined;
		this.open();
	}

	open(): void {
		const session = this.host;
		this.engine = new Engine({
			journal: this.options.journal?.(storeJournal(this.store, STREAM)) ?? storeJournal(this.store, STREAM),
			hash: sha256Node,
			decode: (_bytes, { id }) => session.entry(id) as TranscriptEntry,
			driver: this.driver,
			heedsCompactions: this.walk.heedsCompactions,
			observer: bothOf(this.reference, this.checker),
			checkpointEvery: 40,
		});
		this.sent = new SentWindows(this.engine);
	}

	async record(entry: TranscriptEntry, made?: Made, position?: number): Promise<void> {
		await this.engine.record(entry, position);
		this.reference.record(entry, made);
	}

	request(): NextRequest {
		return { at: this.host.at, leaf: this.host.leaf, model: this.valuation.model };
	}

	/** What edits made of texts is taken from the states; everything else is worked out. */
	filled(path: Path, laid: readonly Laid[], plan = planAt(this.engine.states, path.leaf)): Laid[] {
		return filled(laid, windowItems(this.engine.states, path.leaf, plan).map(named));
	}

	get world(): World {
		return this.reference.world;
	}

	layUnder(path: Path, made: Made): Laid[] {
		return lay({ ...path, cuts: made.cuts?.after ?? path.cuts }, made.after, this.world);
	}

	/** Everything that was written. */
	async events(): Promise<Placed<DomainEvent>[]> {
		const events: Placed<DomainEvent>[] = [];
		for await (const run of this.store.readRuns(STREAM, {}))
			for (const { type, data, position, at } of run)
				events.push({ event: { type, data } as DomainEvent, position, at });
		return events;
	}

	count(what: string): void {
		this.tally[what] = (this.tally[what] ?? 0) + 1;
	}
}

/** The proof of a window that a node carries. */
export function proofOf(laid: readonly Laid[]): string {
	return sha(["palimpsest node 1", ...laid.map(({ proof }) => proof)].join("\n"));
}

/** Whether a path holds edits. */
export function hasEdits({ steps }: Path): boolean {
	return steps.some(({ entry }) => entry.target);
}

function bothOf(one: Observer, other: Observer | undefined): Observer {
	return {
		entry: (entry) => other?.entry(entry),
		event: (event, position) => {
			one.event(event, position);
			other?.event(event, position);
		},
		window: (window) => other?.window(window),
	};
}
