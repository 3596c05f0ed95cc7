import type { DomainEvent } from "../../events/catalogue.ts";
import type { Valuation } from "../../events/valuation.ts";
import type { Placed } from "../../projections/projection.ts";
import type { Settings } from "../../projections/rules.ts";
import type { ModelRef, TranscriptEntry } from "../../projections/transcript.ts";
import { CommandError } from "../../src/commands/command-error.ts";
import { WindowChecker } from "../../src/debug/window-check.ts";
import { Engine } from "../../src/engine/engine.ts";
import type { Journal } from "../../src/engine/journal.ts";
import type { Observer } from "../../src/engine/observer.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { type Asking, commandOf } from "./asking.ts";
import { PRICED } from "./priced.ts";

/** What a run over a session left behind. */
export interface Driven {
	readonly engine: Engine;
	readonly events: readonly Placed<DomainEvent>[];
	readonly checker: WindowChecker;
	readonly contents: ReadonlyMap<string, Uint8Array>;
}

/** What is decided before a request; `tighter` and `lighter`: as if the provider had refused it for tokens or bytes. */
export type Deciding = "now" | "due" | "tighter" | "lighter" | Asking;

/** How a run goes. */
export interface DriveOptions {
	readonly settings: Settings;
	readonly driver?: "live" | "replay";
	/** what is done before a request instead of asking the policy, by its ordinal from 0 */
	readonly decide?: (request: number) => Deciding;
	readonly observer?: (engine: () => Engine) => Observer;
}

/** Prices of the three models that answer in made-up sessions: one strips thinking, one is small and has no price. */
export async function valuation({ model }: ModelRef): Promise<Valuation> {
	if (model === "breakpoint")
		return { ...PRICED, model: "test/breakpoint", cache: "breakpoint", reasoning: "strip" };
	if (model !== "small") return PRICED;
	return {
		...PRICED,
		model: "test/small",
		unit: "token",
		input: 1e6,
		read: 1e5,
		write: 1e6,
		output: 5e6,
		tiers: [],
	};
}

/** Runs a session through an engine, every window checked. */
export async function drive(entries: readonly TranscriptEntry[], options: DriveOptions): Promise<Driven> {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const events: Placed<DomainEvent>[] = [];
	const contents = new Map<string, Uint8Array>();
	const journal: Journal = {
		append: async (batch, _version, more) => {
			for (const { digest, bytes } of more.contents) contents.set(digest, bytes);
			for (const { event, at } of batch) events.push({ event, at, position: events.length });
		},
		content: (digest) => contents.get(digest),
	};
	const checker = new WindowChecker({ content: (digest) => engine.content(digest), hash: sha256Node });
	const engine: Engine = new Engine({
		journal,
		hash: sha256Node,
		decode: (_bytes, node) => byId.get(node.id) as TranscriptEntry,
		driver: options.driver ?? "replay",
		observer: both(
			checker,
			options.observer?.(() => engine),
		),
	});
	const { settings, decide } = options;
	const run = decide
		? forced(engine, entries, settings, decide)
		: replaySession(engine, sessionOf(entries, settings));
	for await (const _ of run);
	return { engine, events, checker, contents };
}

function both(one: Observer, other: Observer | undefined): Observer {
	if (!other) return one;
	return {
		entry(entry) {
			one.entry(entry);
			other.entry(entry);
		},
		event(event, position) {
			one.event(event, position);
			other.event(event, position);
		},
		window(window) {
			one.window(window);
			other.window(window);
		},
	};
}

function sessionOf(entries: readonly TranscriptEntry[], settings: Settings) {
	return { session: "made-up", format: "pi-v3", entries, settings, valuation };
}

/** As a replay, but a commit comes, or the last one goes, when it is said. */
async function* forced(
	engine: Engine,
	entries: readonly TranscriptEntry[],
	settings: Settings,
	decide: (request: number) => Deciding,
): AsyncGenerator<void> {
	await engine.note([{ type: "session/settingsChanged", data: settings }], 0, "host");
	let requests = 0;
	for (const entry of entries) {
		if (entry.role !== "assistant" || !entry.model) {
			await engine.record(entry);
			continue;
		}
		const worth = await valuation(entry.model);
		await engine.value(worth, entry.at);
		const request = { at: entry.at, leaf: entry.parent, model: worth.model };
		const position = await decision(engine, request, decide(requests++));
		if (position !== undefined) {
			const node = nodeOf(position, entry);
			await engine.record(node, position);
			request.leaf = node.id;
		}
		await engine.prepare(request);
		await engine.record({ ...entry, parent: request.leaf });
		yield;
	}
}

async function decision(
	engine: Engine,
	request: { at: number; leaf: string | null; model: string },
	what: Deciding,
): Promise<number | undefined> {
	if (what === "now") return (await engine.commitNow(request))?.position;
	if (what === "due") return (await engine.commitIfDue(request))?.position;
	if (what === "tighter") return (await engine.commitTighter(request, "tokens"))?.position;
	if (what === "lighter") return (await engine.commitTighter(request, "bytes"))?.position;
	const command = commandOf(engine, request.leaf, what);
	try {
		return command && (await engine.decideCommand(command, request, { actor: "user" }))?.position;
	} catch (error) {
		if (error instanceof CommandError) return undefined;
		throw error;
	}
}

function nodeOf(position: number, { parent, at }: TranscriptEntry): TranscriptEntry {
	const bytes = new TextEncoder().encode(`{"decision":${position}}`);
	return { id: `node-${position}`, parent, kind: "custom", at, line: 0, bytes, blocks: [] };
}
