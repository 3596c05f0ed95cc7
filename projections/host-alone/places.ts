import type { EntryEvent } from "../../events/entry.ts";
import { type Buckets, lookUp } from "../buckets.ts";
import type { Weight } from "../session-tree.ts";
import { type Compaction, KEEP_CHARS, SUMMARISED_RESULT_CHARS } from "./compaction.ts";

/** An entry as the host alone would send it. Sums run over its path from the root, itself included. */
export interface Place {
	readonly id: string;
	readonly parent: string | null;
	readonly depth: number;
	/** characters it adds to a request */
	readonly chars: number;
	readonly upToChars: number;
	readonly upToImages: number;
	/** characters a summariser would be shown */
	readonly told: number;
	readonly isResult: boolean;
	/** calls made at or above it that still wait for a result */
	readonly open: readonly string[];
	/** characters of the system messages that the path begins with */
	readonly lead: number;
	/** nothing but system messages came yet */
	readonly leads: boolean;
	/** the compaction in force, by its name */
	readonly compaction: string | null;
	/** the nearest entry at or above it at which a request went out */
	readonly asked: string | null;
	/** when the newest request went out here, ms since the epoch, and to which model */
	readonly sentAt: number | null;
	readonly sentTo: string | null;
}

/** Every entry, by id. */
export type Places = Buckets<Place>;

/** The place of an entry, if it was recorded. */
export function placeOf(places: Places, id: string | null): Place | undefined {
	return id === null ? undefined : lookUp(places, id);
}

/** The place an arriving entry takes. */
export function placeFor(places: Places, entry: EntryEvent["data"]): Place {
	const parent = placeOf(places, entry.parent);
	const open = parent?.open ?? [];
	const isSent = isShown(entry, open);
	const { chars, images } = isSent ? entry : { chars: 0, images: 0 };
	const isResult = entry.role === "result";
	const leads = (parent?.leads ?? true) && (entry.role === undefined || entry.role === "system");
	return {
		id: entry.id,
		parent: entry.parent,
		depth: (parent?.depth ?? -1) + 1,
		chars,
		upToChars: (parent?.upToChars ?? 0) + chars,
		upToImages: (parent?.upToImages ?? 0) + images,
		told: (parent?.told ?? 0) + (isResult ? Math.min(chars, SUMMARISED_RESULT_CHARS) : chars),
		isResult,
		open: isSent ? openAfter(open, entry) : open,
		lead: (parent?.lead ?? 0) + (leads ? chars : 0),
		leads,
		compaction: parent?.compaction ?? null,
		asked: parent?.asked ?? null,
		sentAt: null,
		sentTo: null,
	};
}

/** Size of the window at a place under a compaction: prompt, summary and what is kept, or everything there is. */
export function windowAt(places: Places, place: Place, compaction: Compaction | undefined): Weight {
	const { upToChars: chars, upToImages: images } = place;
	if (!compaction) return { chars, images };
	const dropped = placeOf(places, compaction.to);
	return {
		chars: place.lead + compaction.chars + chars - (dropped?.upToChars ?? 0),
		images: images - (dropped?.upToImages ?? 0),
	};
}

/**
 * The last entry the host would drop at a leaf: above what it keeps, a call never kept apart from its results. O(kept).
 */
export function lastDropped(places: Places, leaf: Place): Place | undefined {
	let kept = 0;
	for (let place: Place | undefined = leaf; place; place = placeOf(places, place.parent)) {
		kept += place.chars;
		if (kept >= KEEP_CHARS && !place.isResult) return placeOf(places, place.parent);
	}
	return undefined;
}

/** Characters the host would show its summariser, given the compaction in force before. */
export function summarisedChars(places: Places, before: Compaction | undefined, to: Place): number {
	const told = to.told - (placeOf(places, before?.to ?? null)?.told ?? 0);
	return told + (before?.chars ?? 0);
}

/** The deepest entry that two paths share. O(entries behind it). */
export function forkOf(places: Places, a: Place | undefined, b: Place | undefined): Place | undefined {
	let [left, right] = [a, b];
	while (left && right && left.id !== right.id) {
		if (left.depth >= right.depth) left = placeOf(places, left.parent);
		else right = placeOf(places, right.parent);
	}
	return left && right;
}

function isShown(
	{ role, kind, hidden, stop, answers }: EntryEvent["data"],
	open: readonly string[],
): boolean {
	if (role === undefined || kind === "compaction" || hidden === true) return false;
	if (stop === "aborted" || stop === "error") return false;
	return role !== "result" || (answers !== undefined && open.includes(answers));
}

function openAfter(open: readonly string[], { role, opens, answers }: EntryEvent["data"]): readonly string[] {
	if (open.length === 0 && !opens) return open;
	return role === "result" ? open.filter((call) => call !== answers) : [...(opens ?? [])];
}
