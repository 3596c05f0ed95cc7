import type { DomainEvent } from "../../events/catalogue.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Observer } from "../../src/engine/observer.ts";
import { type Known, type Made, type Path, type Rendered, sha, walk } from "./reference-path.ts";
import type { Told, World } from "./reference-sizes.ts";

/** What one log is told, and what that means: everything worked out anew from the entries of a path. */
export class Reference implements Observer {
	readonly #known = new Map<string, Known>();
	readonly #paths = new Map<string | null, Path>();
	readonly #rendered: Rendered = new Map();
	readonly #told: Told[] = [];
	readonly #refused = new Map<string, "keep" | "strip">();
	readonly #heeds: boolean;
	/** folds of all branches, each with the entries its stretch reaches from and to where it is a cut */
	readonly names = new Map<string, string>();
	settings: Settings = DEFAULT_SETTINGS;
	/** requests, and replies to others than those that are known */
	requests = 0;
	#waits = false;
	suspended = false;

	constructor(heeds: boolean) {
		this.#heeds = heeds;
	}

	/** Takes in an entry as it is recorded. */
	record(entry: TranscriptEntry, made?: Made): void {
		if (this.#known.has(entry.id)) return;
		if (entry.role === "assistant") {
			if (!this.#waits) this.requests++;
			this.#waits = false;
		}
		this.#known.set(entry.id, { entry, digest: sha(entry.bytes), rules: this.settings, made });
		const { steps, cuts } = this.path(entry.id);
		for (const { id, from, to, texts } of cuts)
			for (const { fold } of texts)
				this.names.set(fold, fold === id ? `${steps[from]?.id} ${steps[to]?.id}` : "");
	}

	/** Everything there is to know at a leaf. */
	path(leaf: string | null): Path {
		const found = this.#paths.get(leaf);
		if (found) return found;
		const known: Known[] = [];
		for (let one = this.#of(leaf); one; one = this.#of(one.entry.parent)) known.push(one);
		const path = walk(known.reverse(), this.#rendered);
		this.#paths.set(leaf, path);
		return path;
	}

	get world(): World {
		const { settings, requests } = this;
		return { heeds: this.#heeds, settings, requests, told: this.#told, refused: this.#refused };
	}

	/** What the log is told of the world; decisions and what comes of them are worked out, not taken over. */
	event(event: DomainEvent): void {
		if (event.type === "session/settingsChanged") this.settings = event.data;
		if (event.type === "valuation/changed") this.#told.push({ valued: event.data });
		if (event.type === "request/measured") this.#told.push({ measured: event.data });
		if (event.type === "request/prepared") {
			this.requests++;
			this.#waits = true;
		}
		if (event.type === "reasoning/changed") this.#refused.set(event.data.model, event.data.mode);
		if (event.type === "engine/suspended") this.suspended = true;
		if (event.type === "engine/resumed") this.suspended = false;
	}

	entry(): void {}

	window(): void {}

	#of(id: string | null): Known | undefined {
		return id === null ? undefined : this.#known.get(id);
	}
}
