import type { Valuation } from "../../events/valuation.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { initialStates } from "../../projections/states.ts";
import type { Block, TranscriptEntry, Usage } from "../../projections/transcript.ts";
import { decodeEntry } from "../../src/adapters/sessions/recorded-session.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { Journal } from "../../src/engine/journal.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store, StoredContent } from "../../src/store/store.ts";
import { Dice } from "./dice.ts";

/** Events written in one batch. */
const BATCH = 4_000;

/** A window small enough that it is folded every few hundred requests, as those of long sessions are. */
const VALUATION: Valuation = {
	model: "bench/bench-1",
	unit: "usd",
	input: 5,
	read: 0.5,
	write: 6.25,
	output: 25,
	tiers: [],
	lifetimeMs: 300_000,
	cache: "breakpoint",
	window: 200_000,
	reasoning: "keep",
	source: "bench",
};

/** Events after which a session begins anew from its root: the engine's own work grows with what it holds. */
const FROM_ROOT = 50_000;

/**
 * Writes a session of at least so many events into a store: calls and results, now and then a question, a pause that lets
 * the cache die and a turn from an earlier entry or from the root. The engine decides, but tells of folds by their
 * beginnings alone.
 */
export async function writeHistory(directory: string, stream: string, events: number): Promise<void> {
	const store = await openStore({ directory, registry: REGISTRY, hash: sha256Node });
	const journal = new BatchedJournal(store, stream);
	const settings = { ...DEFAULT_SETTINGS, briefs: "truncation", minFoldChars: 60_000 } as const;
	const host = new MadeUpHost();
	let before: Engine | undefined;
	while ((before?.version ?? 0) < events) {
		const engine = new Engine({ journal, hash: sha256Node, decode: decodeEntry, driver: "replay" });
		// what came before goes on, but for the entries: no path from the new root has any of them on it
		if (before) {
			const { rules, calibration, ledger } = before.states;
			engine.restore({ ...initialStates(), rules, calibration, ledger }, before.version);
		}
		const end = Math.min(events, engine.version + FROM_ROOT);
		const run = replaySession(engine, {
			session: "bench",
			format: "live",
			entries: host.entries(() => engine.version >= end),
			settings,
			valuation: async () => VALUATION,
		});
		for await (const _ of run);
		before = engine;
	}
	await journal.flush();
	await store.close();
}

/** A store as an engine's journal that writes many events at once, and gives content back before it is written. */
class BatchedJournal implements Journal {
	readonly #store: Store;
	readonly #stream: string;
	#events: Parameters<Journal["append"]>[0][number][] = [];
	readonly #contents = new Map<string, StoredContent>();
	#written = 0;

	constructor(store: Store, stream: string) {
		this.#store = store;
		this.#stream = stream;
	}

	async append(
		events: Parameters<Journal["append"]>[0],
		_version: number,
		{ contents }: Parameters<Journal["append"]>[2],
	): Promise<void> {
		for (const event of events) this.#events.push(event);
		for (const content of contents) this.#contents.set(content.digest, content);
		if (this.#events.length >= BATCH) await this.flush();
	}

	content(digest: string): Uint8Array | undefined {
		return this.#contents.get(digest)?.bytes ?? this.#store.blob(digest);
	}

	async flush(): Promise<void> {
		const [events, blobs] = [this.#events, [...this.#contents.values()]];
		this.#events = [];
		this.#contents.clear();
		await this.#store.append(this.#stream, events, this.#written, { blobs });
		this.#written += events.length;
	}
}

/** Steps of a turn: a question, calls with their results, and the answer. */
const STEPS = 60;

const USAGE: Usage = { input: 10, output: 100, cacheRead: 20_000, cacheWrite: 200, usd: 0.01 };

/** A host whose user goes on, and goes back now and then. */
class MadeUpHost {
	readonly #dice = new Dice(7);
	#at = Date.UTC(2026, 0, 1);
	#count = 0;

	/** Entries from a root of their own, until it is enough and a turn is over. */
	*entries(isEnough: () => boolean): Generator<TranscriptEntry> {
		const dice = this.#dice;
		const ids: string[] = [];
		let parent: string | null = null;
		for (let step = 0; step !== 0 || !isEnough(); step = (step + 1) % STEPS) {
			// the cache has died before one turn in forty, and one in a hundred goes on from the end of an earlier one
			this.#at += step === 0 && dice.between(1, 40) === 1 ? 3_600_000 : dice.between(500, 5_000);
			const turns = ids.length / STEPS;
			if (step === 0 && turns > 1 && dice.between(1, 100) === 1)
				parent = ids[STEPS * Math.max(1, turns - dice.between(1, 10)) - 1] ?? parent;
			const n = this.#count++;
			const id = (n + 1).toString(16).padStart(8, "0");
			yield entryOf(id, parent, this.#at, { step, n, dice });
			ids.push(id);
			parent = id;
		}
	}
}

function entryOf(
	id: string,
	parent: string | null,
	at: number,
	{ step, n, dice }: { readonly step: number; readonly n: number; readonly dice: Dice },
): TranscriptEntry {
	const call = `call_${n}`;
	const role = step === 0 ? "user" : step % 2 === 0 ? "result" : "assistant";
	const isCall = role === "assistant" && step < STEPS - 1;
	const text = `${role} ${n}: ${`src/page-${n % 977}.ts line ${n}, value_${n % 7}; `.repeat(dice.between(2, 14))}`;
	const args = { path: `src/page-${n % 977}.ts` };
	const blocks: Block[] = [{ type: "text", text }];
	if (isCall) blocks.push({ type: "call", callId: call, tool: "read", args });
	const content = [
		{ type: "text", text },
		...(isCall ? [{ type: "toolCall", id: call, name: "read", arguments: args }] : []),
	];
	const message = {
		role: role === "result" ? "toolResult" : role,
		content,
		...(role === "result" && { toolCallId: `call_${n - 1}`, toolName: "read", isError: false }),
		timestamp: at,
	};
	const bytes = Buffer.from(JSON.stringify({ type: "message", id, parentId: parent, message }));
	const base = { id, parent, kind: "message", role, at, line: n + 1, bytes, blocks } as const;
	if (role === "result") return { ...base, answers: `call_${n - 1}`, tool: "read", failed: false };
	if (role === "user") return base;
	const model = { provider: "bench", model: "bench-1" };
	return { ...base, model, usage: USAGE, sentAt: at, stop: isCall ? "toolUse" : "stop" };
}
