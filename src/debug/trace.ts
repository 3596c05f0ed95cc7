import type { CommitEvent } from "../../events/commit.ts";
import type { FoldEvent } from "../../events/fold.ts";
import type { Valuation } from "../../events/valuation.ts";
import { charsPerToken } from "../../projections/calibration.ts";
import { cutOf, standingTexts } from "../../projections/forest.ts";
import type { Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { ModelRef, Role, TranscriptEntry } from "../../projections/transcript.ts";
import { headItems, itemKey } from "../../projections/window-plan.ts";
import { Engine } from "../engine/engine.ts";
import { forgetfulJournal } from "../engine/journal.ts";
import { replaySession } from "../engine/replay.ts";
import { sha256Node } from "../store/hash.ts";
import { type SizedEntry, Sizes } from "./sizes.ts";

/** A fold text as a commit would show it. */
interface ShownText {
	readonly fold: string;
	readonly text: string;
	readonly brief: string;
	/** first and last entry it covers */
	readonly from: string;
	readonly to: string;
}

/** What a commit at a request makes of the window. By the canonical forest it depends on the path alone. */
export interface CommitOption {
	/** request at which it can be made, by index */
	readonly request: number;
	readonly through: string;
	readonly foldedTo: SizedEntry;
	readonly texts: readonly ShownText[];
	/** held entries, path order */
	readonly held: readonly string[];
	/** what is left in view, by entry */
	readonly clips: ReadonlyMap<string, string>;
	/** tokens before the raw tail, less what is clipped or stripped from it */
	readonly fixed: number;
	/** what stands before the raw tail, in window order */
	readonly head: readonly { readonly key: string; readonly tokens: number }[];
}

/** One request of a recording. */
export interface TraceRequest {
	readonly index: number;
	/** ms since the epoch, at its start */
	readonly at: number;
	readonly leaf: SizedEntry | undefined;
	readonly reply: TranscriptEntry;
	readonly replied: SizedEntry;
	readonly valuation: Valuation;
	readonly option: CommitOption | undefined;
}

/** A recording, ready to be priced under any schedule of commits. */
export interface Trace {
	readonly requests: readonly TraceRequest[];
	readonly entries: readonly TranscriptEntry[];
	readonly sizes: Sizes;
	/** tokens of every prompt that the recording does not hold */
	readonly base: number;
	/** `base` and the system messages before anything else: what every window begins with */
	readonly system: number;
	/** who speaks, by entry */
	readonly roles: ReadonlyMap<string, Role | undefined>;
	readonly states: SessionStates;
}

/** What a run of the engine needs of a recording. */
export interface Recording {
	readonly session: string;
	readonly format: string;
	readonly entries: readonly TranscriptEntry[];
	readonly valuation: (model: ModelRef) => Promise<Valuation>;
}

/** An engine over a recording that is held in memory, whose log goes nowhere. */
export function engineOver(recording: Recording): Engine {
	const byId = new Map(recording.entries.map((entry) => [entry.id, entry]));
	return new Engine({
		journal: forgetfulJournal(),
		hash: sha256Node,
		decode: (_bytes, node) => byId.get(node.id) as TranscriptEntry,
		driver: "replay",
	});
}

type CommitData = Extract<CommitEvent, { type: "commit/applied" }>["data"];

interface Draft {
	readonly at: number;
	readonly reply: TranscriptEntry;
	readonly valuation: Valuation;
	readonly events: readonly (CommitEvent | FoldEvent)[];
	readonly arrived: readonly TranscriptEntry[];
}

/** Runs a recording without a commit and notes what a commit at each request would make of the window. */
export async function traceOf(recording: Recording, settings: Settings): Promise<Trace> {
	const engine = engineOver(recording);
	const drafts: Draft[] = [];
	const decoder = new TextDecoder();
	const textOf = (digest: string) => decoder.decode(engine.content(digest) ?? new Uint8Array());
	let arrived: TranscriptEntry[] = [];
	async function* entries(): AsyncGenerator<TranscriptEntry> {
		for (const entry of recording.entries) {
			yield entry;
			arrived.push(entry);
		}
	}
	const { session, format, valuation } = recording;
	const options = {
		session,
		format,
		valuation,
		entries: entries(),
		settings: { ...settings, policy: "off" as const },
	};
	for await (const { prepared, reply, valuation: worth } of replaySession(engine, options)) {
		const request = { at: prepared.at, leaf: prepared.leaf, model: prepared.model };
		const events = engine.proposal(request);
		drafts.push({ at: prepared.at, reply, valuation: worth, events, arrived });
		arrived = [];
	}
	return assemble(recording, engine, drafts, arrived, textOf);
}

function assemble(
	recording: Recording,
	engine: Engine,
	drafts: readonly Draft[],
	rest: readonly TranscriptEntry[],
	textOf: (digest: string) => string,
): Trace {
	const { states } = engine;
	const sizes = new Sizes(charsPerToken(states.calibration));
	const measured = (entry: TranscriptEntry) => ({
		entry,
		measure: nodeOf(states.tree, entry.id)?.weight ?? { chars: 0, images: 0 },
	});
	const requests: TraceRequest[] = [];
	let base: number | undefined;
	let last: { prompt: number; leaf: SizedEntry | undefined } | undefined;
	for (const [index, draft] of drafts.entries()) {
		const prompt = promptOf(draft.reply);
		const grows =
			last !== undefined && prompt > 0 && extendsMeasured(states, last.leaf?.id ?? null, draft.reply.parent);
		sizes.add(draft.arrived.map(measured), grows && last ? prompt - last.prompt : undefined);
		const leaf = sizes.of(draft.reply.parent);
		if (prompt > 0) base ??= Math.max(0, prompt - (leaf?.upTo ?? 0));
		last = prompt > 0 ? { prompt, leaf } : undefined;
		requests.push({
			index,
			at: draft.at,
			leaf,
			reply: draft.reply,
			replied: undefined as unknown as SizedEntry,
			valuation: draft.valuation,
			option: optionOf(index, draft, states, sizes, textOf),
		});
	}
	sizes.add(rest.map(measured), undefined);
	return {
		requests: requests.map((request) => ({ ...request, replied: sizes.of(request.reply.id) as SizedEntry })),
		entries: recording.entries,
		roles: new Map(recording.entries.map(({ id, role }) => [id, role])),
		sizes,
		base: base ?? 0,
		system: (base ?? 0) + leadingSystem(recording.entries, sizes),
		states,
	};
}

function optionOf(
	index: number,
	{ events }: Draft,
	states: SessionStates,
	sizes: Sizes,
	textOf: (digest: string) => string,
): CommitOption | undefined {
	const applied = events[0];
	if (applied?.type !== "commit/applied") return undefined;
	const { through, held, reasoning, parent } = applied.data;
	const foldedTo = sizes.of(cutOf(states.forest, through)?.to ?? null);
	if (!foldedTo) return undefined;
	const shown = shownTexts(states, through, textOf);
	const clips = new Map<string, string>();
	let fixed = 0;
	for (const { text } of shown) fixed += sizes.ofText(text.length);
	for (const { entry } of held) fixed += sizes.of(entry)?.tokens ?? 0;
	for (const event of events) {
		if (event.type !== "fold/clipped") continue;
		const { entry, text, chars } = event.data;
		const size = sizes.of(entry);
		if (size && size.chars > 0) fixed -= size.tokens * (1 - chars / size.chars);
		clips.set(entry, textOf(text));
	}
	if (reasoning === "strip") fixed -= strippedTokens(states, sizes, parent, foldedTo, clips);
	return {
		request: index,
		through,
		foldedTo,
		texts: shown,
		held: held.map(({ entry }) => entry),
		clips,
		fixed,
		head: headOf(states, sizes, applied.data),
	};
}

function headOf(
	states: SessionStates,
	sizes: Sizes,
	{ through, held, parent, cut, reasoning, fixed, id, before }: CommitData,
): { key: string; tokens: number }[] {
	const entries = held.map(({ entry }) => entry);
	const commit = { id, parent, before, through, cut, held: entries, clips: new Map(), reasoning, fixed };
	return headItems(states, commit).map((item) => ({
		key: itemKey(item),
		tokens:
			item.kind === "fold"
				? sizes.ofText(item.chars)
				: item.kind === "entry"
					? (sizes.of(item.node.id)?.tokens ?? 0)
					: 0,
	}));
}

function strippedTokens(
	states: SessionStates,
	sizes: Sizes,
	leaf: string | null,
	foldedTo: SizedEntry,
	clips: ReadonlyMap<string, string>,
): number {
	let stripped = 0;
	for (let size = sizes.of(leaf); size && size.depth > foldedTo.depth; size = size.parent) {
		const thinking = nodeOf(states.tree, size.id)?.thinking ?? 0;
		if (thinking > 0 && size.chars > 0 && !clips.has(size.id))
			stripped += size.tokens * (thinking / size.chars);
	}
	return stripped;
}

function shownTexts(states: SessionStates, through: string, textOf: (digest: string) => string): ShownText[] {
	let previous: string | null = null;
	return standingTexts(states.forest, through).map(({ cut, text }) => {
		const first = text.level === 0 ? cut : firstCutAfter(states, cut.id, previous);
		previous = cut.id;
		return {
			fold: text.fold,
			text: textOf(text.text),
			brief: JSON.parse(textOf(text.brief)).brief.text,
			from: cutOf(states.forest, first.id)?.from ?? cut.from,
			to: cut.to,
		};
	});
}

function firstCutAfter(states: SessionStates, last: string, stop: string | null): { id: string } {
	let first = last;
	for (let cut = cutOf(states.forest, last); cut && cut.id !== stop; cut = cutOf(states.forest, cut.before)) {
		first = cut.id;
	}
	return { id: first };
}

function leadingSystem(entries: readonly TranscriptEntry[], sizes: Sizes): number {
	let tokens = 0;
	for (const { id, role } of entries) {
		if (role !== undefined && role !== "system") break;
		tokens += sizes.of(id)?.tokens ?? 0;
	}
	return tokens;
}

function promptOf({ usage }: TranscriptEntry): number {
	return usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0;
}

/** Whether the recorded host's window at one leaf only grew into that at another. */
function extendsMeasured(states: SessionStates, before: string | null, now: string | null): boolean {
	const above = nodeOf(states.tree, before);
	const below = nodeOf(states.tree, now);
	if (above?.lastCompaction !== below?.lastCompaction) return false;
	let node = below;
	while (node && above && node.depth > above.depth) node = nodeOf(states.tree, node.parent);
	return node?.id === above?.id;
}
