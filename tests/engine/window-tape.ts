import type { DomainEvent } from "../../events/catalogue.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { type Item, planAt, windowItems } from "../../projections/window-plan.ts";
import { type Fault, WindowChecker } from "../../src/debug/window-check.ts";
import type { Observer } from "../../src/engine/observer.ts";
import { digestOf } from "../../src/engine/window-chain.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { drive } from "./drive.ts";

type Prepared = Extract<DomainEvent, { type: "request/prepared" }>["data"];

/** A window as it was sent, whole. */
export interface TapedWindow {
	readonly items: readonly Item[];
	readonly prepared: Prepared;
}

/** How a tape is played; what is absent stays as it was. */
export interface Playing {
	/** requests that are told, by ordinal from 1 */
	readonly requests: readonly number[];
	/** changes the last of them */
	readonly change?: (window: TapedWindow) => TapedWindow;
	/** changes what is stored */
	readonly content?: (digest: string, bytes: Uint8Array | undefined) => Uint8Array | undefined;
	/** changes what is recorded */
	readonly event?: (event: DomainEvent) => DomainEvent;
}

type Note =
	| { entry: TranscriptEntry }
	| { event: DomainEvent; position: number }
	| { window: TapedWindow; position: number };

/** Everything a run told its observer, to be told again with one thing changed. */
export class Tape {
	private readonly notes: readonly Note[];
	private readonly contents: ReadonlyMap<string, Uint8Array>;
	/** windows by request, from 0 */
	readonly windows: readonly TapedWindow[];

	private constructor(notes: readonly Note[], contents: ReadonlyMap<string, Uint8Array>) {
		this.notes = notes;
		this.contents = contents;
		this.windows = notes.flatMap((note) => ("window" in note ? [note.window] : []));
	}

	/** Runs a session; `commits` are the requests, from 1, before which one is made. */
	static async of(
		entries: readonly TranscriptEntry[],
		settings: Partial<Settings>,
		commits: readonly number[],
	): Promise<Tape> {
		const notes: Note[] = [];
		const { contents } = await drive(entries, {
			settings: { ...DEFAULT_SETTINGS, policy: "off", ...settings },
			decide: (request) => (commits.includes(request + 1) ? "now" : "due"),
			observer: (engine): Observer => ({
				entry: (entry) => notes.push({ entry }),
				window: () => undefined,
				event: (event, position) => {
					if (event.type !== "request/prepared") return notes.push({ event, position });
					const { states } = engine();
					const items = windowItems(states, event.data.leaf, planAt(states, event.data.leaf));
					return notes.push({ window: { items, prepared: event.data }, position });
				},
			}),
		});
		return new Tape(notes, contents);
	}

	/** Tells a checker and returns what it found. */
	play({ requests, change, content, event: changed }: Playing): readonly Fault[] {
		const checker = new WindowChecker({
			hash: sha256Node,
			content: (digest) => {
				const bytes = this.contents.get(digest);
				return content ? content(digest, bytes) : bytes;
			},
		});
		let request = 0;
		for (const note of this.notes) {
			if ("entry" in note) checker.entry(note.entry);
			else if ("event" in note) checker.event(changed?.(note.event) ?? note.event, note.position);
			else if (requests.includes(++request)) {
				const told = request === requests[0] ? asFirst(note.window) : note.window;
				const { items, prepared } = request === requests.at(-1) && change ? change(told) : told;
				checker.window({ leaf: prepared.leaf, kept: 0, items });
				checker.event({ type: "request/prepared", data: prepared }, note.position);
			}
		}
		return checker.faults;
	}
}

/** A window with other items, recorded as such. */
export function withItems({ prepared }: TapedWindow, items: readonly Item[]): TapedWindow {
	const window = digestOf(items, (text) => sha256Node(new TextEncoder().encode(text)));
	return { items, prepared: { ...prepared, window, items: items.length } };
}

/** The first window that is told has none before it to differ from. */
function asFirst({ items, prepared: { change: _, ...prepared } }: TapedWindow): TapedWindow {
	return { items, prepared };
}
