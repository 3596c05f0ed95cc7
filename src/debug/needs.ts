import { eachName, tokensIn } from "../../projections/brief/names.ts";
import { eachArgument, eachText, isSent } from "../../projections/brief/texts.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { TrajectoryRequest, WindowView } from "./trajectory.ts";

/** A name a reply used although it stood only in hidden entries when the request was sent. */
export interface Need {
	readonly name: string;
	readonly request: TrajectoryRequest;
	/** indices on the path of the entries that hold the name, ascending, all before the request and hidden */
	readonly positions: readonly number[];
	/** whether a fold's text or the rest of a clipped result named it */
	readonly met: boolean;
}

/** How much a trajectory hid of what was used later. */
export interface NeedCounts {
	/** names in a reply that stood only in hidden entries; a (name, last entry that held it) counts once */
	readonly hiddenNeeds: number;
	/** those that no visible text named either */
	readonly unmetNeeds: number;
}

/** Counts a trajectory's hidden and unmet needs. */
export function needs(trajectory: readonly TrajectoryRequest[]): NeedCounts {
	let hiddenNeeds = 0;
	let unmetNeeds = 0;
	eachNeed(trajectory, (need) => {
		hiddenNeeds++;
		if (!need.met) unmetNeeds++;
	});
	return { hiddenNeeds, unmetNeeds };
}

/** Calls `visit` with each need of a trajectory, request by request, names in the order the reply used them. */
export function eachNeed(trajectory: readonly TrajectoryRequest[], visit: (need: Need) => void): void {
	const counted = new Set<string>();
	for (const request of trajectory) {
		const { view, upTo } = request;
		const index = indexOf(view.path, upTo);
		for (const name of namesOf(request.reply)) {
			const positions = before(index.get(name), upTo);
			const last = positions.at(-1);
			if (last === undefined || positions.some((position) => isVisible(view, position))) continue;
			const hiding = `${view.path[last]?.id}\n${name}`;
			if (counted.has(hiding)) continue;
			counted.add(hiding);
			visit({ name, request, positions, met: names(view, name) });
		}
	}
}

/** Whether a text names `name`, as a whole. Texts are read once. */
export function textNames(text: string, name: string): boolean {
	return tokensOfText(text).has(name);
}

const entryTokens = new WeakMap<TranscriptEntry, ReadonlySet<string>>();
const replyNames = new WeakMap<TranscriptEntry, ReadonlySet<string>>();
const pathIndexes = new WeakMap<readonly TranscriptEntry[], { upTo: number; index: Map<string, number[]> }>();
const viewTokens = new WeakMap<WindowView, readonly ReadonlySet<string>[]>();
const textTokens = new Map<string, ReadonlySet<string>>();
/** Texts whose tokens are remembered; the oldest go first. */
const TEXTS = 4096;

function isVisible(view: WindowView, position: number): boolean {
	const entry = view.path[position];
	if (entry === undefined || view.clipped.has(entry.id)) return false;
	return position >= view.folded || entry.role === "system" || view.kept.has(entry.id);
}

function names(view: WindowView, name: string): boolean {
	let texts = viewTokens.get(view);
	if (texts === undefined) {
		texts = [...view.texts.map((fold) => fold.text), ...view.clipped.values()].map(tokensOfText);
		viewTokens.set(view, texts);
	}
	return texts.some((tokens) => tokens.has(name));
}

/** A copy: the index grows while needs are still looked at. */
function before(positions: readonly number[] | undefined, upTo: number): readonly number[] {
	return positions?.filter((position) => position < upTo) ?? [];
}

/** Where on a path each token stands. A path only grows, so its index does too. */
function indexOf(path: readonly TranscriptEntry[], upTo: number): ReadonlyMap<string, number[]> {
	let known = pathIndexes.get(path);
	if (known === undefined) {
		known = { upTo: 0, index: new Map() };
		pathIndexes.set(path, known);
	}
	for (; known.upTo < upTo; known.upTo++) {
		for (const token of tokensOf(path[known.upTo] as TranscriptEntry)) {
			const positions = known.index.get(token);
			if (positions === undefined) known.index.set(token, [known.upTo]);
			else positions.push(known.upTo);
		}
	}
	return known.index;
}

function tokensOf(entry: TranscriptEntry): ReadonlySet<string> {
	let tokens = entryTokens.get(entry);
	if (tokens === undefined) {
		const found = new Set<string>();
		if (isSent(entry)) eachText(entry, (text) => tokensIn(text, found));
		tokens = found;
		entryTokens.set(entry, tokens);
	}
	return tokens;
}

/** The names a reply used: in its prose and call arguments, not in its thinking. */
function namesOf(reply: TranscriptEntry): ReadonlySet<string> {
	let used = replyNames.get(reply);
	if (used === undefined) {
		const found = new Set<string>();
		const note = (text: string) => eachName(text, (name) => found.add(name));
		for (const block of reply.blocks) {
			if (block.type === "text") note(block.text);
			else if (block.type === "call") eachArgument(block.args, note);
		}
		used = found;
		replyNames.set(reply, used);
	}
	return used;
}

function tokensOfText(text: string): ReadonlySet<string> {
	let tokens = textTokens.get(text);
	if (tokens === undefined) {
		tokens = tokensIn(text);
		if (textTokens.size >= TEXTS) textTokens.delete(textTokens.keys().next().value as string);
		textTokens.set(text, tokens);
	}
	return tokens;
}
