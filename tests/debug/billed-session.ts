import type { Valuation } from "../../events/valuation.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import type { Block, EntryKind, TranscriptEntry } from "../../projections/transcript.ts";
import { type Item, itemKey, planAt, weightOf, windowItems } from "../../projections/window-plan.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Content } from "../../src/debug/content.ts";
import { History } from "../../src/debug/history.ts";
import { type Decision, USER } from "../../src/engine/decision.ts";
import { Engine } from "../../src/engine/engine.ts";
import { SentWindows } from "../../src/engine/sent-windows.ts";
import { REGISTRY, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { PREFIX } from "./recordings.ts";

const STREAM = "session/billed";

/** Tokens of a prompt that stand in no message. */
const BASE = 1_000;

/** Prices of a prefix cache without tiers, with a window that small sessions do not fill. */
export const PRICED: Valuation = { ...PREFIX, model: "test/one", tiers: [], window: 200_000 };

interface Sent {
	readonly keys: readonly string[];
	readonly tokens: readonly number[];
}

/** How a provider treats a request. */
export interface Treatment {
	/** reads nothing from its cache, whatever it holds */
	readonly forgets?: boolean;
	/** says nothing of what it took */
	readonly silent?: boolean;
	/** the policy may commit before it */
	readonly decides?: boolean;
}

/**
 * A live session whose provider caches the longest common prefix with the request before, and bills as it says. Every
 * token has three characters.
 */
export class BilledSession {
	readonly store: Store = openMemoryStore({ registry: REGISTRY, hash: sha256Node });
	readonly #entries = new Map<string, TranscriptEntry>();
	readonly engine: Engine;
	at = 1_700_000_000_000;
	leaf: string | null = null;
	valuation: Valuation;
	readonly #sent: SentWindows;
	#last: Sent | undefined;

	private constructor(valuation: Valuation) {
		this.valuation = valuation;
		this.engine = new Engine({
			journal: storeJournal(this.store, STREAM),
			hash: sha256Node,
			decode: this.decode,
			driver: "live",
			heedsCompactions: true,
		});
		this.#sent = new SentWindows(this.engine);
	}

	static async open(settings: Partial<Settings> = {}, valuation = PRICED): Promise<BilledSession> {
		const session = new BilledSession(valuation);
		const data = { session: "billed", root: null, format: "live" };
		await session.engine.note([{ type: "session/opened", data }], session.at, "host");
		await session.engine.settle(
			{ ...DEFAULT_SETTINGS, policy: "off", floorTokens: 500, minFoldChars: 3_000, ...settings },
			session.at,
			"host",
		);
		return session;
	}

	readonly decode = (_bytes: Uint8Array, { id }: { readonly id: string }): TranscriptEntry =>
		this.#entries.get(id) as TranscriptEntry;

	get content(): Content {
		return Object.assign((digest: string) => this.store.blob(digest), { decode: this.decode });
	}

	history(): Promise<History> {
		return History.read(this.store, STREAM);
	}

	async add(
		entry: Partial<TranscriptEntry> & { readonly kind: EntryKind },
		decision?: number,
	): Promise<string> {
		const id = `e${this.#entries.size + 1}`;
		this.at += 1_000;
		const blocks = entry.blocks ?? [];
		const bytes = new TextEncoder().encode(
			JSON.stringify({ id, message: { role: entry.role, content: blocks } }),
		);
		const full = { id, parent: this.leaf, at: this.at, line: 0, ...entry, blocks, bytes };
		this.#entries.set(id, full);
		await this.engine.record(full, decision);
		this.leaf = id;
		return id;
	}

	/** The user says so many characters. */
	says(chars: number): Promise<string> {
		return this.add({ kind: "message", role: "user", blocks: [words(chars, this.#entries.size)] });
	}

	/** A request and its reply of so many characters. */
	async asks(
		chars = 300,
		{ forgets = false, silent = false, decides = false }: Treatment = {},
	): Promise<string> {
		const { engine, valuation } = this;
		await engine.value(valuation, this.at);
		if (decides) {
			const due = await engine.commitIfDue(this.#next());
			if (due) await this.#place(due);
		}
		const sentAt = this.at;
		const request = { at: sentAt, leaf: this.leaf, model: valuation.model };
		await this.#sent.prepare(request);
		const items = windowItems(engine.states, this.leaf, planAt(engine.states, this.leaf));
		const usage = this.#bill({ keys: items.map(itemKey), tokens: items.map(tokensOf) }, forgets);
		const [provider = "", model = ""] = valuation.model.split("/");
		const reply = await this.add({
			kind: "message",
			role: "assistant",
			stop: "stop",
			sentAt,
			model: { provider, model },
			blocks: [words(chars, this.#entries.size)],
			...(!silent && { usage }),
		});
		await this.#sent.measure(this.#entries.get(reply) as TranscriptEntry);
		return reply;
	}

	/** So many rounds of a user and a reply, each of as many characters. */
	async works(rounds: number, chars = 3_000, treatment: Treatment = {}): Promise<void> {
		for (let round = 0; round < rounds; round++) {
			await this.says(chars / 2);
			await this.asks(chars, treatment);
		}
	}

	async commits(): Promise<string> {
		return this.#place(await this.engine.commitNow(this.#next()));
	}

	async decides(command: WindowCommand): Promise<string> {
		return this.#place(await this.engine.decideCommand(command, this.#next(), USER));
	}

	/** Folds of the window, oldest first. */
	folds(): string[] {
		const { states } = this.engine;
		const items = windowItems(states, this.leaf, planAt(states, this.leaf) ?? BARE_PLAN);
		return items.flatMap((item) => (item.kind === "fold" ? [item.fold] : []));
	}

	#next() {
		return { at: this.at, leaf: this.leaf, model: this.valuation.model };
	}

	async #place(decision: Decision | undefined): Promise<string> {
		if (!decision) throw new Error("nothing was decided");
		await this.add({ kind: "custom" }, decision.position);
		return decision.id;
	}

	#bill(now: Sent, forgets: boolean) {
		const before = this.#last;
		this.#last = now;
		const same = before ? firstDifference(before.keys, now.keys) : 0;
		const sum = (tokens: readonly number[]) => BASE + tokens.reduce((total, one) => total + one, 0);
		const cacheRead = !before || forgets ? 0 : sum(now.tokens.slice(0, same));
		return { input: sum(now.tokens) - cacheRead, output: 100, cacheRead, cacheWrite: 0 };
	}
}

function firstDifference(a: readonly string[], b: readonly string[]): number {
	const index = a.findIndex((key, place) => key !== b[place]);
	return index === -1 ? a.length : index;
}

function tokensOf(item: Item): number {
	return Math.round(weightOf(item).chars / 3);
}

function words(chars: number, seed: number): Block {
	const text = `word${seed} and src/file-${seed}.ts then `.repeat(Math.ceil(chars / 20)).slice(0, chars);
	return { type: "text", text };
}
