import type { EntryEvent } from "../../events/entry.ts";
import { EventError } from "../../events/registry.ts";
import type { FoundTerm } from "../../projections/recall/blocks.ts";
import {
	encodeJson,
	INDEX_ROWS,
	INDEX_VERSION,
	type IndexMeta,
	META_KEY,
	type TermSpace,
} from "../../projections/recall/rows.ts";
import { type RecallRecord, Segment } from "../../projections/recall/segment.ts";
import type { Store, StoredEvent } from "../store/store.ts";
import { type RecallEntries, recallDocument } from "./recall-document.ts";
import { foundIn } from "./segment-search.ts";
import { Slices } from "./slices.ts";
import { readable, StoredSegments } from "./stored-segments.ts";

/** What an index is made from. The tree holds every entry of the stream. */
export interface RecallParts extends RecallEntries {
	readonly store: Store;
	readonly stream: string;
	/** asked before each slice whether the store may be read; where not, catching up ends early */
	readonly mayGoOn?: () => boolean;
}

/** What a search asks of an index. Documents are numbered from 0 in the order their entries were recorded. */
export interface RecallSource {
	/** by document number */
	readonly records: readonly RecallRecord[];
	/** words of all documents */
	readonly words: number;
	/**
	 * A term, and with a stem, which the term begins with, also those that begin with it, as far as they are few: as many
	 * results as segments hold one. Throws `STORE_DAMAGED` where a row is gone.
	 */
	find(space: TermSpace, term: string, stem?: string): readonly FoundTerm[];
}

/** Rows written in one batch. */
const ROWS = 32;

/** Events of a run: they are decoded at once, in a millisecond or so. */
const CHUNK = 96;

/** Events behind which are read one by one. */
const FEW = 16;

/**
 * The index of one session: closed segments as rows of its store, the one that is open in memory. It follows the events
 * by itself, whenever it is asked to catch up, in slices of a few ms; what an open segment held is read again after a
 * restart. Rows are written behind the events they derive from, and say last how far they reach, so that what was cut
 * short is made again, with the same bytes. A store that takes no rows has all of them in memory.
 */
export class RecallIndex implements RecallSource {
	readonly #parts: RecallParts;
	readonly #records: RecallRecord[] = [];
	readonly #stored: StoredSegments;
	/** closed segments whose rows are not in the store */
	#held: Segment[] = [];
	#open = new Segment(0, 0);
	#words = 0;
	/** events looked at; -1 before the rows were read */
	#covers = -1;
	#running: Promise<void> | undefined;
	#isClosed = false;

	constructor(parts: RecallParts) {
		this.#parts = parts;
		this.#stored = new StoredSegments(parts.store);
	}

	get records(): readonly RecallRecord[] {
		return this.#records;
	}

	get words(): number {
		return this.#words;
	}

	/** How far it is: documents it holds, segments that are closed, and events looked at; `undefined` before it was asked. */
	get reach():
		| { readonly documents: number; readonly segments: number; readonly covers: number }
		| undefined {
		if (this.#covers === -1) return undefined;
		const segments = this.#stored.count + this.#held.length;
		return { documents: this.#records.length, segments, covers: this.#covers };
	}

	/** Whether every event of the store was looked at. */
	get isComplete(): boolean {
		return this.#covers >= this.#parts.store.head(this.#parts.stream).version;
	}

	/**
	 * Looks at the events that came since the last time; at first reads how far the rows reach. Resolves where all were
	 * looked at, or the store may not be read on. Throws what the store throws; a later call goes on where it stopped.
	 */
	catchUp(): Promise<void> {
		this.#running ??= this.#follow().finally(() => {
			this.#running = undefined;
		});
		return this.#running;
	}

	/** Waits for the slice under way; nothing is read or written after that. */
	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#running?.catch(() => {});
	}

	find(space: TermSpace, term: string, stem?: string): readonly FoundTerm[] {
		const found = [...this.#stored.find(space, term, stem)];
		for (const segment of [...this.#held, this.#open]) found.push(...foundIn(segment, space, term, stem));
		return found;
	}

	async #follow(): Promise<void> {
		const slices = new Slices();
		const { store, stream } = this.#parts;
		const mayGoOn = () => !this.#isClosed && this.#parts.mayGoOn?.() !== false;
		if (this.#covers === -1 && mayGoOn()) await this.#readRows(slices);
		while (mayGoOn() && !this.isComplete) {
			const { version } = store.head(stream);
			const range = { from: this.#covers, to: version, chunk: CHUNK, onUnreadable: () => {} };
			const isFew = version - this.#covers <= FEW;
			for await (const run of isFew ? this.#eventsUpTo(version) : store.readRuns(stream, range)) {
				await slices.pause();
				for (const { type, data, position } of run) {
					if (!mayGoOn()) return;
					const isFull =
						type === "entry/recorded" && (await this.#take((data as EntryEvent["data"]).id, slices));
					// a row that cannot be written must not have the entry taken twice
					this.#covers = position + 1;
					if (isFull) await this.#closeSegment(slices);
					if (slices.isOver) await slices.pause();
					if (!mayGoOn()) return;
				}
			}
			// behind damage nothing is read
			if (store.damage.length > 0) return;
			// of the last ones some may have been unreadable
			this.#covers = version;
		}
	}

	/** Events that can be read of those not looked at yet: one by one, which for a few costs less than a scan. */
	*#eventsUpTo(version: number): Generator<readonly StoredEvent[]> {
		const { store, stream } = this.#parts;
		for (let position = this.#covers; position < version; position++) {
			try {
				const event = store.event(stream, position);
				if (event) yield [event];
			} catch (error) {
				if (!(error instanceof EventError)) throw error;
			}
		}
	}

	/** Takes an entry in; tells whether the open segment is full now. */
	async #take(id: string, slices: Slices): Promise<boolean> {
		const document = recallDocument(this.#parts, id);
		if (!document) return false;
		for (const _ of this.#open.add(document)) if (slices.isOver) await slices.pause();
		const record = this.#open.records.at(-1) as RecallRecord;
		this.#records.push(record);
		this.#words += record.words;
		return this.#open.isFull;
	}

	/** Closes the open segment and writes its rows, unless those of one before it could not be written. */
	async #closeSegment(slices: Slices): Promise<void> {
		const closed = this.#open;
		this.#open = new Segment(closed.number + 1, this.#records.length);
		this.#held.push(closed);
		if (this.#held.length === 1 && !this.#parts.store.readOnly) await this.#write(closed, slices);
	}

	async #write(segment: Segment, slices: Slices): Promise<void> {
		const { store } = this.#parts;
		let put: (readonly [Uint8Array, Uint8Array])[] = [];
		for (const row of segment.rows()) {
			if (put.length >= ROWS) {
				await store.index({ put });
				put = [];
			}
			if (row) put.push(row);
			if (slices.isOver) await slices.pause();
		}
		const meta: IndexMeta = {
			version: INDEX_VERSION,
			segments: segment.number + 1,
			documents: segment.first + segment.records.length,
			covers: this.#covers,
		};
		await store.index({ put: [...put, [META_KEY, encodeJson(meta)]] });
		this.#stored.add(segment.first);
		this.#held = [];
	}

	/** Reads what the rows say of documents; drops rows of another version, and those that cannot be read. */
	async #readRows(slices: Slices): Promise<void> {
		const meta = readable<IndexMeta>(this.#parts.store.row(META_KEY));
		// what a reading before left that did not come to its end
		this.#forget();
		if (meta?.version !== INDEX_VERSION) return this.#beginAnew(slices);
		for (let segment = 0; segment < meta.segments; segment++) {
			const records = this.#stored.read(this.#records.length);
			if (!records) return this.#beginAnew(slices);
			for (const record of records) {
				this.#records.push(record);
				this.#words += record.words;
			}
			await slices.pause();
		}
		this.#open = new Segment(meta.segments, this.#records.length);
		this.#covers = meta.covers;
	}

	#forget(): void {
		this.#records.length = 0;
		this.#stored.clear();
		this.#words = 0;
	}

	async #beginAnew(slices: Slices): Promise<void> {
		const { store } = this.#parts;
		this.#forget();
		if (!store.readOnly) {
			// the last to go says that there were rows
			let del: Uint8Array[] = [];
			for await (const run of store.rowRuns(INDEX_ROWS)) {
				for (const [key] of run) if (key[1] !== META_KEY[1]) del.push(key);
				await store.index({ del });
				del = [];
				await slices.pause();
			}
			await store.index({ del: [META_KEY] });
		}
		this.#covers = 0;
	}
}
