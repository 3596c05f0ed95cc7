import { type CallBlock, documentOf, type RecallDocument } from "../../projections/recall/document.ts";
import { askerOf, nodeOf, type SessionTree } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { StoreError } from "../store/errors.ts";

/** A session's entries, and how they hang together. */
export interface RecallEntries {
	readonly tree: () => SessionTree;
	/** an entry of the tree by its id, decoded */
	readonly entry: (id: string) => TranscriptEntry | undefined;
}

/**
 * An entry as recall sees it, a result with the files of the call it answers; nothing where it holds no text, or what
 * it held is damaged or gone. O(entries between a result and its call).
 */
export function recallDocument({ tree, entry }: RecallEntries, id: string): RecallDocument | undefined {
	try {
		const found = entry(id);
		return found && documentOf(found, callAnsweredBy(found, tree(), entry));
	} catch (error) {
		if (error instanceof StoreError && error.code === "STORE_BLOB_DAMAGED") return undefined;
		throw error;
	}
}

function callAnsweredBy(
	{ id, answers }: TranscriptEntry,
	tree: SessionTree,
	entryOf: RecallEntries["entry"],
): CallBlock | undefined {
	if (answers === undefined) return undefined;
	const asker = askerOf(tree, nodeOf(tree, nodeOf(tree, id)?.parent ?? null), answers);
	return callIn(asker && entryOf(asker.id), answers);
}

/** The call of this id that an entry makes. */
function callIn(entry: TranscriptEntry | undefined, call: string): CallBlock | undefined {
	return entry?.blocks.find((block): block is CallBlock => block.type === "call" && block.callId === call);
}
