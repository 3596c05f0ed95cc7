import { tokensIn } from "../../projections/brief/names.ts";
import { eachText } from "../../projections/brief/texts.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { eachNeed, type Need, textNames } from "./needs.ts";
import type { FoldText, TrajectoryRequest } from "./trajectory.ts";

/** What the briefs of a trajectory kept of the names that were used after their entries were hidden. */
export interface Retention {
	/** names used although hidden, each hiding once: the denominator of `kept` and `attributed` */
	readonly needs: number;
	/** share of them that some visible text named, 0 to 1; 1 when there were none */
	readonly kept: number;
	/** share of them that the brief of a fold which contains them named */
	readonly attributed: number;
	/** pairs of them, used in one reply and standing in one line of a hidden entry: the denominator of `paired` */
	readonly pairs: number;
	/** share of the pairs that one item of a brief held together */
	readonly paired: number;
	/** characters of every brief that was ever visible, each counted once */
	readonly chars: number;
	/** characters of briefs in the window, mean over requests */
	readonly meanVisibleChars: number;
}

/** Measures what the briefs of a trajectory kept. */
export function retention(trajectory: readonly TrajectoryRequest[]): Retention {
	const count = { needs: 0, kept: 0, attributed: 0, pairs: 0, paired: 0 };
	let reply: Need[] = [];
	const close = () => {
		if (reply.length > 1) countPairs(reply, count);
		reply = [];
	};
	eachNeed(trajectory, (need) => {
		if (reply[0] !== undefined && reply[0].request !== need.request) close();
		reply.push(need);
		count.needs++;
		if (need.met) count.kept++;
		if (isAttributed(need)) count.attributed++;
	});
	close();
	return {
		needs: count.needs,
		kept: share(count.kept, count.needs),
		attributed: share(count.attributed, count.needs),
		pairs: count.pairs,
		paired: share(count.paired, count.pairs),
		...briefChars(trajectory),
	};
}

/**
 * The items of a brief, by its text: every line after the opening; of a brief in one line, the pieces between its
 * ` · ` and ` | `.
 */
export function itemsOf(brief: string): string[] {
	const [first = "", ...lines] = brief.split("\n");
	return lines.length > 0 ? lines.filter((line) => line !== "") : first.split(/ [·|] /);
}

function isAttributed({ name, positions, request }: Need): boolean {
	return request.view.texts.some((fold) => holdsAny(fold, positions) && textNames(fold.brief, name));
}

function holdsAny(fold: FoldText, positions: readonly number[]): boolean {
	return positions.some((position) => position >= fold.first && position <= fold.last);
}

function countPairs(reply: readonly Need[], count: { pairs: number; paired: number }): void {
	const view = (reply[0] as Need).request.view;
	const pairs = new Set<string>();
	for (const position of sharedPositions(reply)) {
		for (const line of linesOf(view.path[position] as TranscriptEntry)) {
			const held = reply.filter((need) => line.has(need.name)).map((need) => need.name);
			for (const [i, a] of held.entries()) for (const b of held.slice(i + 1)) pairs.add(`${a}\n${b}`);
		}
	}
	for (const pair of pairs) {
		const [a = "", b = ""] = pair.split("\n");
		count.pairs++;
		if (view.texts.some((fold) => itemTokens(fold.brief).some((item) => item.has(a) && item.has(b))))
			count.paired++;
	}
}

/** Positions that hold at least two of a reply's needs. */
function sharedPositions(reply: readonly Need[]): number[] {
	const times = new Map<number, number>();
	for (const need of reply)
		for (const position of need.positions) times.set(position, (times.get(position) ?? 0) + 1);
	return [...times].filter(([, n]) => n > 1).map(([position]) => position);
}

const entryLines = new WeakMap<TranscriptEntry, readonly ReadonlySet<string>[]>();

function linesOf(entry: TranscriptEntry): readonly ReadonlySet<string>[] {
	let lines = entryLines.get(entry);
	if (lines === undefined) {
		const found: ReadonlySet<string>[] = [];
		eachText(entry, (text) => {
			for (const line of text.split("\n")) {
				const tokens = tokensIn(line);
				if (tokens.size > 1) found.push(tokens);
			}
		});
		lines = found;
		entryLines.set(entry, lines);
	}
	return lines;
}

const briefItems = new Map<string, readonly ReadonlySet<string>[]>();
/** Briefs whose items are remembered; the oldest go first. */
const BRIEFS = 4096;

function itemTokens(brief: string): readonly ReadonlySet<string>[] {
	let items = briefItems.get(brief);
	if (items === undefined) {
		items = itemsOf(brief).map((item) => tokensIn(item));
		if (briefItems.size >= BRIEFS) briefItems.delete(briefItems.keys().next().value as string);
		briefItems.set(brief, items);
	}
	return items;
}

function briefChars(trajectory: readonly TrajectoryRequest[]): { chars: number; meanVisibleChars: number } {
	const seen = new Map<string, number>();
	let visible = 0;
	for (const { view } of trajectory) {
		for (const fold of view.texts) {
			visible += fold.brief.length;
			seen.set(fold.id, fold.brief.length);
		}
	}
	const chars = [...seen.values()].reduce((sum, length) => sum + length, 0);
	return { chars, meanVisibleChars: trajectory.length > 0 ? visible / trajectory.length : 0 };
}

function share(part: number, whole: number): number {
	return whole === 0 ? 1 : part / whole;
}
