import type { DomainEvent } from "../../events/catalogue.ts";
import type { CommitEvent } from "../../events/commit.ts";
import type { Valuation } from "../../events/valuation.ts";
import { charsPerToken } from "../../projections/calibration.ts";
import { cutOf } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import type { Settings } from "../../projections/rules.ts";
import { nodeOf, onlyGrew } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { ModelRef, Role, TranscriptEntry } from "../../projections/transcript.ts";
import { headItems, itemKey, UNTOUCHED } from "../../projections/window-plan.ts";
import { Engine } from "../engine/engine.ts";
import { forgetfulJournal } from "../engine/journal.ts";
import { rendererOf } from "../engine/renderer.ts";
import { replaySession } from "../engine/replay.ts";
import { sha256Node } from "../store/hash.ts";
import { type ShownText, StoredTexts, shownTexts } from "./shown-texts.ts";
import { isOnPath, type SizedEntry, Sizes } from "./sizes.ts";

/** What a commit at a request makes of the window. By the canonical forest it depends on the path alone. */
export interface CommitOption {
	/** request at which it can be made, by index */
	readonly request: number;
	/** last entry folded */
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
	/** the request it follows on its path, by index; -1 where it is the first there */
	readonly follows: number;
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
	readonly events: readonly DomainEvent[];
	readonly arrived: readonly TranscriptEntry[];
}

/** Runs a recording without a commit and notes what a commit at each request would make of the window. */
export async function traceOf(recording: Recording, settings: Settings): Promise<Trace> {
	const engine = engineOver(recording);
	const drafts: Draft[] = [];
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
	return assemble(recording, engine, drafts, arrived, new StoredTexts(engine, rendererOf(settings.briefs)));
}

function assemble(
	recording: Recording,
	engine: Engine,
	drafts: readonly Draft[],
	rest: readonly TranscriptEntry[],
	texts: StoredTexts,
): Trace {
	const { states } = engine;
	const sizes = new Sizes(charsPerToken(states.calibration));
	const measured = (entry: TranscriptEntry) => ({
		entry,
		measure: nodeOf(states.tree, entry.id)?.weight ?? { chars: 0, images: 0 },
	});
	const requests: TraceRequest[] = [];
	let base: number | undefined;
	for (const [index, draft] of drafts.entries()) {
		sizes.add(draft.arrived.map(measured), growthSince(states, drafts[index - 1], draft));
		const leaf = sizes.of(draft.reply.parent);
		const prompt = promptOf(draft.reply);
		if (prompt > 0) base ??= Math.max(0, prompt - (leaf?.upTo ?? 0));
		let follows = index - 1;
		while (follows >= 0 && !isOnPath(sizes.of(drafts[follows]?.reply.id ?? null), leaf)) follows--;
		requests.push({
			index,
			at: draft.at,
			leaf,
			reply: draft.reply,
			follows,
			valuation: draft.valuation,
			option: optionOf(index, draft, states, sizes, texts),
		});
	}
	sizes.add(rest.map(measured), undefined);
	return {
		requests,
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
	texts: StoredTexts,
): CommitOption | undefined {
	const applied = events[0];
	if (applied?.type !== "commit/applied") return undefined;
	const { through, held, reasoning, parent } = applied.data;
	const foldedTo = sizes.of(cutOf(states.forest, through)?.to ?? null);
	if (!foldedTo || through === null) return undefined;
	const shown = shownTexts(states, parent, through, texts);
	const clips = new Map<string, string>();
	let fixed = 0;
	for (const { text } of shown) fixed += sizes.ofText(text.length);
	for (const { entry } of held) fixed += sizes.of(entry)?.tokens ?? 0;
	for (const event of events) {
		if (event.type === "shown/appended") fixed += sizes.ofText(event.data.chars);
		if (event.type !== "fold/clipped" && event.type !== "fold/released") continue;
		const { entry, text, chars } = event.data;
		const size = sizes.of(entry);
		if (size && size.chars > 0) fixed -= size.tokens * (1 - chars / size.chars);
		clips.set(entry, texts.text(text));
	}
	if (reasoning === "strip") fixed -= strippedTokens(states, sizes, parent, foldedTo, clips);
	return {
		request: index,
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
	{ parent, through, held, reasoning }: CommitData,
): { key: string; tokens: number }[] {
	const head = { ...BARE_PLAN, parent, through, reasoning, held: held.map(({ entry }) => entry) };
	return headItems(states, parent, head, UNTOUCHED).map((item) => ({
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

function leadingSystem(entries: readonly TranscriptEntry[], sizes: Sizes): number {
	let tokens = 0;
	for (const { id, role } of entries) {
		if (role !== undefined && role !== "system") break;
		tokens += sizes.of(id)?.tokens ?? 0;
	}
	return tokens;
}

/** Tokens the provider measured in the prompt behind a reply; 0 where it measured none. */
export function promptOf({ usage }: TranscriptEntry): number {
	return usage ? usage.input + usage.cacheRead + usage.cacheWrite : 0;
}

/** Whether what the recorded host sent for one reply begins with what it sent for another. */
export function goesOn({ tree }: SessionStates, before: TranscriptEntry, reply: TranscriptEntry): boolean {
	const above = nodeOf(tree, before.parent);
	const below = nodeOf(tree, reply.parent);
	return above !== undefined && below !== undefined && onlyGrew(tree, above, below);
}

/**
 * Tokens by which the measured prompt grew from one request to the next, where it only grew and one model counted both.
 */
function growthSince(states: SessionStates, before: Draft | undefined, now: Draft): number | undefined {
	if (!before || before.valuation.model !== now.valuation.model) return undefined;
	const [earlier, prompt] = [promptOf(before.reply), promptOf(now.reply)];
	if (earlier === 0 || prompt === 0 || !goesOn(states, before.reply, now.reply)) return undefined;
	return prompt - earlier;
}
