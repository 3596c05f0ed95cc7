import type { DomainEvent } from "../../events/catalogue.ts";
import type { Journal } from "../engine/journal.ts";
import type { StoredEvent } from "../store/store.ts";
import type { StoredStream } from "./history.ts";

/** Events handed over in one run. */
const RUN = 1_000;

/**
 * A stream in memory that begins as another does and goes on by itself. Nothing of it is ever written; content is its
 * own, else that of the other. Its events carry no hashes, for nobody checks them.
 */
export class ForkedLog implements StoredStream {
	readonly #stream: string;
	readonly #events: (StoredEvent | undefined)[] = [];
	readonly #contents = new Map<string, Uint8Array>();
	readonly #content: (digest: string) => Uint8Array | undefined;

	constructor(stream: string, content: (digest: string) => Uint8Array | undefined) {
		this.#stream = stream;
		this.#content = content;
	}

	/** Number of events, places of those that could not be read included. */
	get version(): number {
		return this.#events.length;
	}

	/** Takes over an event of the other stream, in its place. */
	take(event: StoredEvent): void {
		this.#events[event.position] = { ...event, hash: "" };
	}

	/** Content by its digest. */
	content(digest: string): Uint8Array | undefined {
		return this.#contents.get(digest) ?? this.#content(digest);
	}

	/** Where an engine puts what it decides. */
	journal(): Journal {
		return {
			append: async (recorded, position, { contents }) => {
				for (const { digest, bytes } of contents) this.#contents.set(digest, bytes);
				for (const [index, { event, at, actor, cause }] of recorded.entries()) {
					const { type, data } = event as DomainEvent;
					const stored = { stream: this.#stream, position: position + index, type, v: 1, at, actor, data };
					this.take({ ...stored, ...(cause !== undefined && { cause }), hash: "" });
				}
			},
			content: (digest) => this.content(digest),
		};
	}

	event(_stream: string, position: number): StoredEvent | undefined {
		return this.#events[position];
	}

	async *readRuns(
		_stream: string,
		{ from = 0 }: { readonly from?: number } = {},
	): AsyncGenerator<StoredEvent[]> {
		for (let start = from; start < this.#events.length; start += RUN) {
			const run = this.#events.slice(start, start + RUN).filter((event) => event !== undefined);
			if (run.length > 0) yield run;
		}
	}
}
