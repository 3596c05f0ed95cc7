import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Engine } from "../engine/engine.ts";
import { entryRows } from "./fold-rows.ts";
import { foundAround, saidIn } from "./found-text.ts";

/** A place where a text was found. */
interface Found {
	readonly entry: string;
	readonly role: string;
	/** what stands around it, on one line */
	readonly around: string;
}

/** The first place in an entry where a text stands, whatever the case of its letters; `undefined` where it does not. */
function foundIn({ id, role, blocks }: TranscriptEntry, text: string): Found | undefined {
	for (const block of blocks) {
		const around = foundAround(saidIn(block), { text, ignoreCase: true });
		if (around !== undefined) return { entry: id, role: role ?? "", around };
	}
	return undefined;
}

/** What a search of a path found. */
export interface SearchResult {
	/** newest first */
	readonly found: readonly (Found & { readonly fold?: string })[];
	/** messages in which the text stands */
	readonly total: number;
}

/** Entries read at a stretch, a few tens of ms: the host goes on in between. */
const STRETCH = 200;

/** Looks for a text on the path to a leaf; `most` places are told. O(path), read in stretches. */
export async function searchPath(
	engine: Pick<Engine, "states" | "entry">,
	leaf: string | null,
	text: string,
	most: number,
): Promise<SearchResult> {
	const found: (Found & { fold?: string })[] = [];
	let total = 0;
	for (const [index, row] of entryRows(engine.states, leaf).reverse().entries()) {
		if (index % STRETCH === STRETCH - 1) await turnOfOthers();
		const entry = engine.entry(row.id);
		const place = entry && foundIn(entry, text);
		if (!place) continue;
		total += 1;
		if (found.length < most) found.push({ ...place, ...(row.fold !== undefined && { fold: row.fold }) });
	}
	return { found, total };
}
