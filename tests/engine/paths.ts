import type { TranscriptEntry } from "../../projections/transcript.ts";

/** The entries from the root to a leaf. */
export function pathTo(entries: readonly TranscriptEntry[], leaf: string): TranscriptEntry[] {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const path: TranscriptEntry[] = [];
	for (let entry = byId.get(leaf); entry; entry = byId.get(entry.parent ?? "\n")) path.push(entry);
	return path.reverse();
}

/** An entry of the last quarter. */
export function someLeaf(entries: readonly TranscriptEntry[], which: number): TranscriptEntry | undefined {
	return entries.at(-1 - (which % Math.ceil((entries.length + 1) / 4)));
}
