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
 * looked before others. Each says how many are left out before it. A pure function of its arguments. O(pieces).
 */
export function kept(evidence: readonly Evidence[], { most, chars }: Room): Evidence[] {
	const held = shelved(evidence, chars);
	let count = evidence.length;
	let size = 0;
	for (const [category, shelf] of held) size += shelf.size + (chars?.heading(category) ?? 0);
	const gone = new Set<Evidence>();
	while (count > 0) {
		const isTooLong = chars !== undefined && size > chars.room;
		if (count <= most && !isTooLong) break;
		const category = heaviest(held, isTooLong) ?? oldest(held);
		const shelf = held.get(category);
		const last = shelf?.leaving.pop();
		if (!shelf || !last) break;
		gone.add(last.piece);
		shelf.size -= last.size;
		size -= last.size;
		count--;
		if (shelf.leaving.length > 0) continue;
		size -= chars?.heading(category) ?? 0;
		held.delete(category);
	}
	return gone.size === 0 ? [...evidence] : counted(evidence, gone);
}

/** What stays, each piece with how many of its category went before it. */
function counted(evidence: readonly Evidence[], gone: ReadonlySet<Evidence>): Evidence[] {
	const missing = new Map<Category, number>();
	const left: Evidence[] = [];
	const places = new Map<Category, number>();
	for (const piece of evidence) {
		const { category } = piece;
		const before = (missing.get(category) ?? 0) + (piece.left ?? 0);
		missing.set(category, gone.has(piece) ? before + 1 : 0);
		if (gone.has(piece)) continue;
		places.set(category, left.length);
		left.push(before === 0 ? piece : { ...piece, left: before });
	}
	for (const [category, behind] of missing) {
		const at = places.get(category);
		const last = at === undefined ? undefined : left[at];
		if (last && at !== undefined && behind > 0) left[at] = { ...last, left: (last.left ?? 0) + behind };
	}
	return left;
}

/** What is left of a category. */
interface Shelf {
	/** the next to go last; `place` counts from the start of all evidence, `size` is in characters */
	readonly leaving: { readonly piece: Evidence; readonly place: number; readonly size: number }[];
	/** how many of them stay as long as any other category has more than these */
	readonly lasting: number;
	/** characters of all */
	size: number;
}

function shelved(evidence: readonly Evidence[], chars: Room["chars"]): Map<Category, Shelf> {
	const pieces = new Map<Category, Shelf["leaving"][number][]>();
	for (const [place, piece] of evidence.entries()) {
		const own = { piece, place, size: chars?.of(piece) ?? 0 };
		const others = pieces.get(piece.category);
		if (others) others.push(own);
		else pieces.set(piece.category, [own]);
	}
	const held = new Map<Category, Shelf>();
	for (const [category, all] of pieces) {
		const first = category === "goal" ? all.slice(0, 1) : [];
		const newest = all.slice(first.length).slice(-1);
		const rest = all.slice(first.length, all.length - newest.length);
		const least = rest.filter(({ piece }) => isLeast(piece));
		const others = rest.filter(({ piece }) => !isLeast(piece));
		const leaving = [...first, ...newest, ...others.reverse(), ...least.reverse()];
		const size = leaving.reduce((sum, one) => sum + one.size, 0);
		held.set(category, { leaving, lasting: first.length + newest.length, size });
	}
	return held;
}

function isLeast({ category, text, gone }: Evidence): boolean {
	return gone !== undefined || (category === "command" && isReading(text));
}

/** The category that takes most beyond its part, in characters or in pieces, and has more than what stays longest. */
function heaviest(held: ReadonlyMap<Category, Shelf>, isTooLong: boolean): Category | undefined {
	let best: { category: Category; weight: number } | undefined;
	for (const category of CATEGORIES) {
		const shelf = held.get(category);
		if (!shelf || shelf.leaving.length <= shelf.lasting) continue;
		const taken = isTooLong ? shelf.size : shelf.leaving.length;
		const weight = Math.floor((taken * WHOLE) / PARTS[category]);
		if (!best || weight > best.weight) best = { category, weight };
	}
	return best?.category;
}

/** Of what stays longest the oldest goes first, and the first goal last of all. */
function oldest(held: ReadonlyMap<Category, Shelf>): Category {
	let found: { category: Category; place: number } | undefined;
	for (const [category, { leaving }] of held) {
		const isFirstGoal = category === "goal" && leaving.length === 1;
		const place = isFirstGoal ? Number.MAX_SAFE_INTEGER : (leaving.at(-1)?.place ?? 0);
		if (!found || place < found.place) found = { category, place };
	}
	return found?.category ?? "goal";
}
