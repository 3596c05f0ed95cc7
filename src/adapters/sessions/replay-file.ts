import { utimes } from "node:fs/promises";
import { refreshesBetween } from "../../../projections/host-warming.ts";
import { budgetOf, defaultPolicy, floorOf, type Settings } from "../../../projections/rules.ts";
import type { ModelRef, TranscriptEntry } from "../../../projections/transcript.ts";
import { type Fault, WindowChecker } from "../../debug/window-check.ts";
import { Engine } from "../../engine/engine.ts";
import type { Observer } from "../../engine/observer.ts";
import { replaySession } from "../../engine/replay.ts";
import { sessionStream } from "../../engine/store-journal.ts";
import { sha256Node } from "../../store/hash.ts";
import type { Head } from "../../store/head.ts";
import type { Store } from "../../store/store.ts";
import type { SessionFile } from "./pi/session.ts";
import { Prices } from "./prices.ts";
import { decodeEntry, withWholeTimes } from "./recorded-session.ts";
import { openReplayStore, type ReplayPlace, replaceStore } from "./replay-store.ts";
import { ResumingJournal, StoreDiffers } from "./resuming-journal.ts";

/** What is replayed, by which rules, and where its log goes. */
export interface FileReplay {
	readonly file: SessionFile;
	readonly settings: Settings;
	/** whether the user named the policy; otherwise a model without prices is folded calmly */
	readonly policyGiven: boolean;
	/** priced instead of the models recorded */
	readonly model?: ModelRef | undefined;
	/** whether the host keeps an idle cache warm */
	readonly warming: boolean;
	readonly directory: string;
	/** told, in words, of what the user should know */
	readonly notice: (text: string) => void;
}

/** What a replay found and left. */
export interface FileReplayed {
	readonly head: Head;
	readonly events: number;
	readonly requests: number;
	readonly entries: number;
	readonly commits: number;
	/** provider/model of the last reply; absent where there was none */
	readonly model: string | undefined;
	readonly policy: Settings["policy"];
	readonly pricesAssumed: boolean;
	/** windows checked against the transcript and the log, by code that shares nothing with what made them */
	readonly windows: {
		readonly checked: number;
		/** those that hold more tokens than the budget in force allows */
		readonly overBudget: number;
		readonly faults: readonly Fault[];
	};
	/** where the last prices come from, and what was assumed */
	readonly priceSource: string | undefined;
	readonly unit: "usd" | "token";
	readonly floorTokens: number;
	readonly budgetTokens: number;
}

/**
 * Replays a session file into a store and closes it. A store that holds the beginning of the same replay is carried on,
 * one that holds another replay of the session makes way. Throws what the reader, the store and `openReplayStore` throw.
 */
export async function replayFile(options: FileReplay): Promise<FileReplayed> {
	const place: ReplayPlace = {
		directory: options.directory,
		session: options.file.id,
		notice: options.notice,
	};
	for (;;) {
		const store = await openReplayStore(place);
		try {
			const outcome = await replayInto(store, options);
			const now = new Date();
			// a replay that found everything there writes nothing, and yet is the last one made
			await utimes(options.directory, now, now);
			return { ...outcome, ...headOf(store, options.file.id) };
		} catch (error) {
			if (!(error instanceof StoreDiffers)) throw error;
			await store.close();
			await replaceStore(place, `from event ${error.position} on it is another (${error.message})`);
		} finally {
			await store.close();
		}
	}
}

function headOf(store: Store, session: string): { head: Head; events: number } {
	const head = store.head(sessionStream(session));
	return { head, events: head.version };
}

async function replayInto(store: Store, options: FileReplay): Promise<Omit<FileReplayed, "head" | "events">> {
	const { file, settings, warming } = options;
	const journal = new ResumingJournal(store, sessionStream(file.id));
	const checker = new WindowChecker({ content: (digest) => store.blob(digest), hash: sha256Node });
	let overBudget = 0;
	const observer: Observer = {
		entry: (entry) => checker.entry(entry),
		window: (window) => checker.window(window),
		event(event, position) {
			checker.event(event, position);
			if (event.type !== "request/prepared") return;
			if (event.data.tokens > budgetOf(engine.states.rules)) overBudget += 1;
		},
	};
	const engine: Engine = new Engine({
		journal,
		hash: sha256Node,
		decode: decodeEntry,
		driver: "replay",
		observer,
	});
	const prices = new Prices(options.model);
	let entries = 0;
	let current: TranscriptEntry | undefined;
	async function* counted(): AsyncGenerator<TranscriptEntry> {
		for await (const entry of withWholeTimes(file.entries)) {
			entries += 1;
			current = entry;
			yield entry;
		}
	}
	let requests = 0;
	try {
		const replay = replaySession(engine, {
			session: file.id,
			format: file.format,
			cwd: file.header?.cwd,
			entries: counted(),
			settings,
			valuation: async (model) => {
				const { valuation } = await prices.of(model);
				const at = current?.sentAt ?? current?.at ?? 0;
				if (!options.policyGiven)
					await engine.settle({ ...settings, policy: defaultPolicy(valuation) }, at, "rule");
				return valuation;
			},
			...(warming && {
				warmedAt: ({ at, tokens, valuation }, next) => refreshesBetween(valuation, tokens, at, next).at(-1),
			}),
		});
		for await (const _ of replay) requests += 1;
		await journal.finish();
	} finally {
		await journal.close();
	}
	const { rules, plans } = engine.states;
	return {
		requests,
		entries,
		commits: plans.commits.size,
		model: rules.valuation?.model,
		windows: { checked: checker.windows, overBudget, faults: checker.faults },
		policy: rules.settings.policy,
		pricesAssumed: prices.assumed,
		priceSource: rules.valuation?.source,
		unit: rules.valuation?.unit ?? "usd",
		floorTokens: floorOf(rules),
		budgetTokens: budgetOf(rules),
	};
}
