import { basename } from "node:path";
import type { MemoryFact } from "../../../projections/memory/record.ts";
import { StoreError } from "../../store/errors.ts";
import type { Store } from "../../store/store.ts";
import { factOf } from "./facts.ts";
import type { Keys } from "./keys.ts";
import { Known } from "./known.ts";
import { MemoryLogError } from "./memory-log.ts";

/** Events read before others have their turn. */
const SLICE = 250;

/** What was read of a folder's memory, and whether more may be written behind it. */
export class WorkspaceReader {
	readonly #cwd: string;
	readonly #directory: string;
	readonly #own: string;
	readonly #keys: Keys;
	#stream: string;
	#known = new Known();
	/** how much of the stream was read, and the hash of the last event */
	#read = { version: 0, hash: "" };
	#refusal: Error | undefined;

	/** `directory` is the store's folder, whose name is that of the stream of the folder `cwd`. */
	constructor(cwd: string, directory: string, keys: Keys) {
		this.#cwd = cwd;
		this.#directory = directory;
		this.#own = `memory/${basename(directory)}`;
		this.#stream = this.#own;
		this.#keys = keys;
	}

	/** name of the stream that is read, which may be another folder's */
	get stream(): string {
		return this.#stream;
	}

	get known(): Known {
		return this.#known;
	}

	/** Why nothing may be written behind what was read, if so: damage, an event of a newer release, another folder's stream. */
	get refusal(): Error | undefined {
		if (this.#refusal || !this.#known.isElsewhere) return this.#refusal;
		const move = `\`palimpsest memory move\` says that it belongs to ${this.#cwd}`;
		return new MemoryLogError(
			"MEMORY_ELSEWHERE",
			`the memory in ${this.#directory} is that of ${this.#stream}; ${move}`,
		);
	}

	/** Takes in what stands behind what was read, or all of it where the stream is not the one that was read; whether anything does. */
	async readNew(store: Store): Promise<boolean> {
		const stream = streamIn(store, this.#own);
		const before = this.#read;
		const last = before.version === 0 ? undefined : store.event(stream, before.version - 1);
		const goesOn = stream === this.#stream && (last?.hash ?? "") === before.hash;
		const known = goesOn ? this.#known : new Known(stream === this.#own ? undefined : this.#cwd);
		const { facts, read, refusal } = await this.#events(
			store,
			stream,
			goesOn ? before : { version: 0, hash: "" },
		);
		await known.take(facts, (digest) => store.blob(digest));
		this.#known = known;
		this.#stream = stream;
		this.#read = read;
		this.#refusal = refusal ?? (goesOn ? this.#refusal : undefined);
		return !goesOn || facts.length > 0;
	}

	/** Events from a place on, as far as they are vouched for. */
	async #events(store: Store, stream: string, from: { version: number; hash: string }) {
		const facts: MemoryFact[] = [];
		let read = from;
		let refusal: Error | undefined;
		const onUnreadable = ({ position, hash }: { position: number; hash: string }, error: Error) => {
			read = { version: position + 1, hash };
			refusal = error;
		};
		try {
			for await (const run of store.readRuns(stream, { from: from.version, chunk: SLICE, onUnreadable })) {
				for (const event of run) {
					const fact = factOf(event, store.sealed(stream, event.position), this.#keys);
					if (fact) facts.push(fact);
					if (event.position >= read.version) read = { version: event.position + 1, hash: event.hash };
				}
			}
		} catch (error) {
			if (!(error instanceof StoreError)) throw error;
			refusal = error;
		}
		const [damage] = store.damage;
		if (damage) refusal = new StoreError("STORE_DAMAGED", damage.what, { directory: this.#directory });
		return { facts, read, refusal };
	}
}

/** The stream of memory in a store: the folder's own, or else the one there is. */
function streamIn(store: Store, own: string): string {
	const streams = store.streams().filter((name) => name.startsWith("memory/"));
	return streams.includes(own) ? own : (streams[0] ?? own);
}
