import { INDEX_ROWS } from "../../projections/recall/rows.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import type { Block, TranscriptEntry } from "../../projections/transcript.ts";
import { Recall } from "../../src/debug/recall/recall.ts";
import { Engine } from "../../src/engine/engine.ts";
import { RecallIndex } from "../../src/engine/recall-index.ts";
import { loadFromStore, REGISTRY, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { collect } from "../store/collect.ts";

const STREAM = "session/recalled";

/** What an entry says, beside who says it. */
export type Said = Partial<TranscriptEntry> & { readonly says?: string; readonly calls?: readonly Block[] };

/** Entries one below the other, unless they name their parent. Ids are `e1`, `e2`, … */
export function entriesOf(said: readonly Said[]): TranscriptEntry[] {
	let before: string | null = null;
	return said.map(({ says, calls = [], ...fields }, index) => {
		const text: Block[] = says === undefined ? [] : [{ type: "text", text: says }];
		const entry: TranscriptEntry = {
			id: `e${index + 1}`,
			parent: before,
			kind: "message",
			role: "user",
			at: 1_000 * (index + 1),
			line: index + 2,
			bytes: new Uint8Array(),
			blocks: [...text, ...calls],
			...fields,
		};
		before = entry.id;
		return { ...entry, bytes: Buffer.from(JSON.stringify({ ...entry, bytes: undefined })) };
	});
}

/** A call of a tool, as a block. */
export function call(callId: string, tool: string, args: { readonly [key: string]: string }): Block {
	return { type: "call", callId, tool, args };
}

/** A session with its store and index. */
export interface Recalled {
	readonly store: Store;
	readonly engine: Engine;
	readonly index: RecallIndex;
	readonly recall: Recall;
	record(entries: readonly TranscriptEntry[]): Promise<void>;
}

/** Opens a session over a store, which may hold it already. */
export async function recalled(store: Store = openMemoryStore({ registry: REGISTRY })): Promise<Recalled> {
	const engine = new Engine({
		journal: storeJournal(store, STREAM),
		hash: sha256Node,
		decode: (bytes) => ({ ...(JSON.parse(Buffer.from(bytes).toString()) as TranscriptEntry), bytes }),
		driver: "live",
	});
	if (store.head(STREAM).version > 0) await loadFromStore(engine, store, STREAM);
	else await engine.settle({ ...DEFAULT_SETTINGS, minFoldChars: 1e9 }, 0, "host");
	const entries = { tree: () => engine.states.tree, entry: (id: string) => engine.entry(id) };
	const index = new RecallIndex({ ...entries, store, stream: STREAM });
	return {
		store,
		engine,
		index,
		recall: new Recall(index, entries),
		record: async (entries) => {
			for (const entry of entries) await engine.record(entry);
		},
	};
}

/** A session in which this was said. */
export async function sessionWith(said: readonly Said[]): Promise<Recalled> {
	const session = await recalled();
	await session.record(entriesOf(said));
	return session;
}

/** Every row of the index, keys and values in hex. */
export async function rowsOf(store: Store): Promise<Map<string, string>> {
	const rows = await collect(store.rows(INDEX_ROWS));
	return new Map(
		rows.map(([key, value]) => [Buffer.from(key).toString("hex"), Buffer.from(value).toString("hex")]),
	);
}
