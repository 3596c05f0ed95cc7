import { committedPlans } from "../../../projections/plans.ts";
import { type EntryNode, nodeOf } from "../../../projections/session-tree.ts";
import type { SessionStates } from "../../../projections/states.ts";
import type { TranscriptEntry } from "../../../projections/transcript.ts";
import { entriesOf, foldSpans } from "../../debug/fold-spans.ts";
import { pastStates } from "../../debug/past-states.ts";
import { REGISTRY, sessionStream } from "../../engine/store-journal.ts";
import { StoreError } from "../../store/errors.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { SessionFile } from "./pi/session.ts";

/** What of everything that was ever folded or clipped the store gives back, byte for byte. */
export interface Restored {
	/** folds that stood in a window */
	readonly folds: number;
	/** those of them whose entries were all read from the store as they stand in the session file */
	readonly exact: number;
	/** results that were shown by their head alone */
	readonly clipped: number;
	readonly clippedExact: number;
	/** entries read and compared */
	readonly entries: number;
	/** and their bytes */
	readonly bytes: number;
}

/**
 * Opens the store of a finished replay and reads every entry that any commit folded or clipped, by its digest; compares
 * each with the session file, read again. Memory grows with the number of entries, not with their size.
 */
export async function readBack(directory: string, file: SessionFile): Promise<Restored> {
	const store = await openStore({ directory, registry: REGISTRY, readOnly: true });
	try {
		return await compareWith(store, file);
	} finally {
		await store.close();
	}
}

async function compareWith(store: Store, file: SessionFile): Promise<Restored> {
	const { states } = await pastStates(store, sessionStream(file.id));
	const spans = hiddenSpans(states);
	const sound = new Set<string>();
	let entries = 0;
	let bytes = 0;
	const hidden = new Map<string, EntryNode>();
	for (const nodes of [...spans.folds.values(), spans.clips])
		for (const node of nodes) hidden.set(node.id, node);
	for await (const entry of file.entries) {
		const node = hidden.get(entry.id);
		if (!node) continue;
		entries += 1;
		bytes += entry.bytes.length;
		if (isStored(store, node, entry)) sound.add(node.id);
	}
	const whole = (nodes: readonly EntryNode[]) => nodes.every(({ id }) => sound.has(id));
	return {
		folds: spans.folds.size,
		exact: [...spans.folds.values()].filter(whole).length,
		clipped: spans.clips.length,
		clippedExact: spans.clips.filter(({ id }) => sound.has(id)).length,
		entries,
		bytes,
	};
}

/** The entries behind every fold that was made and every result that was clipped, on all branches. */
function hiddenSpans(states: SessionStates): { folds: Map<string, EntryNode[]>; clips: EntryNode[] } {
	const folds = new Map<string, EntryNode[]>();
	for (const [fold, span] of foldSpans(states)) {
		if (states.plans.made.has(fold)) folds.set(fold, entriesOf(states.tree, span));
	}
	const clips = new Map<string, EntryNode>();
	for (const plan of committedPlans(states.plans)) {
		for (const id of plan.clips.keys()) {
			const node = nodeOf(states.tree, id);
			if (node) clips.set(id, node);
		}
	}
	return { folds, clips: [...clips.values()] };
}

function isStored(store: Store, node: EntryNode, entry: TranscriptEntry): boolean {
	try {
		const stored = store.blob(node.digest);
		return stored !== undefined && Buffer.compare(stored, entry.bytes) === 0;
	} catch (error) {
		if (error instanceof StoreError) return false;
		throw error;
	}
}
