import type { EntryEvent } from "../../events/entry.ts";
import type { ShownEvent } from "../../events/shown.ts";
import { Slices } from "../engine/slices.ts";
import { StoreError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";
import { referencesOf } from "./references.ts";

/** What is looked for in a log. */
export interface Sought {
	/** records of memory, by id */
	readonly records: readonly string[];
	/** texts, as far as they are known */
	readonly texts: readonly string[];
}

/** Events decoded at a time. */
const CHUNK = 96;

/** How an entry of the host's says that a tool of memory answered in it. */
const ANSWERED = Buffer.from('"toolName":"pi_memory_');

/**
 * What of a session's content tells of records of memory: content that holds one of the texts, messages of ours that told of
 * a record, what tools of memory answered of it and the calls of these, and what stands for these in a window. A text is
 * found as it is, as JSON holds it, and as JSON in a text of JSON does. What memory itself keeps is not looked at.
 */
export class Traces {
	readonly store: Store;
	readonly #stream: string;
	readonly #records: ReadonlySet<string>;
	readonly #ids: readonly Buffer[];
	readonly #texts: readonly Buffer[];
	readonly #found = new Set<string>();
	/** digests of entries, by the calls they make */
	readonly #askers = new Map<string, string>();
	readonly #entries = new Set<string>();
	/** what stands in a window for an entry */
	readonly #clips: { readonly entry: string; readonly text: string }[] = [];
	/** texts about memory whose entry has not come, and whether they name a record that is sought */
	readonly #shown: { readonly text: string; readonly names: boolean }[] = [];
	#covers = 0;

	constructor({ store, stream }: { readonly store: Store; readonly stream: string }, sought: Sought) {
		this.store = store;
		this.#stream = stream;
		this.#records = new Set(sought.records);
		this.#ids = sought.records.map((id) => Buffer.from(id));
		this.#texts = [...new Set(sought.texts.flatMap(spellings))].map((text) => Buffer.from(text));
	}

	/** Entries that were found. */
	get entries(): number {
		return this.#entries.size;
	}

	/** Digests of what was found and is still stored. */
	get contents(): string[] {
		const clips = this.#clips.flatMap(({ entry, text }) => (this.#entries.has(entry) ? text : []));
		const shown = this.#shown.flatMap(({ text, names }) => (names ? text : []));
		return [...new Set([...this.#found, ...clips, ...shown])].filter((digest) => this.store.hasBlob(digest));
	}

	/**
	 * Looks at the events that were not looked at yet, in slices of a few ms, as long as it may go on; whether all were looked
	 * at. Throws what the store throws. O(bytes of what they refer to).
	 */
	async follow(mayGoOn: () => boolean = () => true): Promise<boolean> {
		const slices = new Slices();
		const range = { from: this.#covers, chunk: CHUNK, onUnreadable: () => {} };
		for await (const run of this.store.readRuns(this.#stream, range)) {
			for (const event of run) {
				this.#take(event);
				this.#covers = event.position + 1;
				if (slices.isOver) await slices.pause();
				if (!mayGoOn()) return false;
			}
		}
		return this.store.damage.length === 0;
	}

	#take({ type, data }: { readonly type: string; readonly data: unknown }): void {
		if (type === "entry/recorded") this.#takeEntry(data as EntryEvent["data"]);
		if (type === "entry/recorded" || type.startsWith("memory/")) return;
		if (type === "fold/clipped" || type === "fold/released")
			this.#clips.push(data as { readonly entry: string; readonly text: string });
		if (type === "shown/appended") {
			const { memory, text } = data as ShownEvent["data"];
			if (memory) this.#shown.push({ text, names: memory.records.some((id) => this.#records.has(id)) });
		}
		if (this.#texts.length === 0) return;
		for (const digest of referencesOf({ type, data }))
			if (!this.#found.has(digest) && holdsAny(this.#bytesOf(digest), this.#texts)) this.#found.add(digest);
	}

	#takeEntry({ id, digest, opens = [], answers, memory }: EntryEvent["data"]): void {
		for (const call of opens) this.#askers.set(call, digest);
		// that a record holds no more is said without its text
		const { block = [], told = [], lines = [] } = memory ?? {};
		const tells = [...block, ...told, ...lines].some((id) => this.#records.has(id));
		const shown = memory && this.#shown.shift();
		if (shown && tells) this.#found.add(shown.text);
		if (!tells && answers === undefined && this.#texts.length === 0) return;
		const bytes = this.#bytesOf(digest);
		const isAnswer = answers !== undefined && bytes?.includes(ANSWERED) && holdsAny(bytes, this.#ids);
		if (!bytes || !(tells || isAnswer || holdsAny(bytes, this.#texts))) return;
		this.#found.add(digest);
		this.#entries.add(id);
		const asker = isAnswer ? this.#askers.get(answers) : undefined;
		if (asker !== undefined) this.#found.add(asker);
	}

	/** What is damaged cannot be looked into. */
	#bytesOf(digest: string): Buffer | undefined {
		try {
			const bytes = this.store.blob(digest);
			return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		} catch (error) {
			if (error instanceof StoreError && error.code === "STORE_BLOB_DAMAGED") return undefined;
			throw error;
		}
	}
}

/** A text as it may stand in content. */
function spellings(text: string): string[] {
	const once = escaped(text);
	return [text, once, escaped(once)];
}

function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}

function holdsAny(bytes: Buffer | undefined, needles: readonly Buffer[]): boolean {
	return bytes !== undefined && needles.some((needle) => needle.length > 0 && bytes.includes(needle));
}
