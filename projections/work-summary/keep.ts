import { CATEGORIES, type Category, type Evidence } from "./evidence.ts";
import { isReading } from "./runs.ts";

/** How much is kept. */
export interface Room {
	/** pieces */
	readonly most: number;
	/** characters, with what a piece takes of them, and its category's heading where there is one; no limit by default */
	readonly chars?: {
		readonly room: number;
		readonly of: (evidence: Evidence) => number;
		readonly heading: (category: Category) => number;
	};
}

/**
 * What a category may take of the room, in parts; the one that is most beyond its part gives way first. The valley is
 * flat: twice as much for files held 120 of 579 names used later in five recorded sessions, half as much 105.
 */
const PARTS: { readonly [category in Category]: number } = {
	goal: 20,
	decision: 12,
	open: 12,
	error: 12,
	tests: 8,
	changed: 20,
	command: 6,
	read: 20,
};

/** Parts are compared in whole numbers. */
const WHOLE = 10_000;

/**
 * What is kept of evidence, given oldest first: the first goal and the newest piece of each category longest; of the rest,
 * the oldest of the category that takes most beyond its part goes first, errors that went away and commands that only
 * looked before others. A pure function of its arguments.
 */
export function kept(evidence: readonly Evidence[], { most, chars }: Room): Evidence[] {
	const held = new Map<Category, Held>();
	let size = 0;
	for (const [place, piece] of evidence.entries()) {
		const { category } = piece;
		const others = held.get(category) ?? { pieces: [], size: 0 };
		if (others.pieces.length === 0) size += chars?.heading(category) ?? 0;
		const own = chars?.of(piece) ?? 0;
		others.pieces.push({ piece, place, size: own });
		others.size += own;
		size += own;
		held.set(category, others);
	}
	for (let count = evidence.length; count > 0; count--) {
		const isTooLong = chars !== undefined && size > chars.room;
		if (count <= most && !isTooLong) break;
		const { category, index } = leastWanted(held, isTooLong);
		const others = held.get(category) as Held;
		const [gone] = others.pieces.splice(index, 1);
		others.size -= gone?.size ?? 0;
		size -= gone?.size ?? 0;
		if (others.pieces.length > 0) continue;
		size -= chars?.heading(category) ?? 0;
		held.delete(category);
	}
	const left = [...held.values()].flatMap(({ pieces }) => pieces);
	return left.sort((a, b) => a.place - b.place).map(({ piece }) => piece);
}

/** What is left of a category. */
interface Held {
	/** oldest first; `place` counts from the start of all evidence, `size` is in characters */
	readonly pieces: { readonly piece: Evidence; readonly place: number; readonly size: number }[];
	/** characters of all */
	size: number;
}

/** What goes next, by what takes most characters or is most. */
function leastWanted(
	held: ReadonlyMap<Category, Held>,
	isTooLong: boolean,
): { category: Category; index: number } {
	let best: { category: Category; index: number; weight: number } | undefined;
	for (const category of CATEGORIES) {
		const { pieces, size } = held.get(category) ?? { pieces: [], size: 0 };
		const first = category === "goal" ? 1 : 0;
		if (pieces.length <= first + 1) continue;
		const weight = Math.floor(((isTooLong ? size : pieces.length) * WHOLE) / PARTS[category]);
		if (best && weight <= best.weight) continue;
		const over = pieces.findIndex(({ piece }, at) => isLeast(piece) && at < pieces.length - 1);
		best = { category, weight, index: over >= 0 ? over : first };
	}
	return best ?? oldest(held);
}

function isLeast({ category, text, gone }: Evidence): boolean {
	return gone !== undefined || (category === "command" && isReading(text));
}

/** Of what is kept longest the oldest goes first, and the first goal last of all. */
function oldest(held: ReadonlyMap<Category, Held>): { category: Category; index: number } {
	let found: { category: Category; index: number; place: number } | undefined;
	for (const [category, { pieces }] of held) {
		const index = pieces.length - 1;
		const isFirstGoal = category === "goal" && index === 0;
		const place = isFirstGoal ? Number.MAX_SAFE_INTEGER : (pieces[index]?.place ?? 0);
		if (!found || place < found.place) found = { category, index, place };
	}
	return found ?? { category: "goal", index: 0 };
}
