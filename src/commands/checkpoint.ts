import type { CompactionEvent, CompactionReason, WindowManifest } from "../../events/compaction.ts";
import type { Compactions } from "../../projections/compactions.ts";
import type { ReadDetails } from "./checkpoint-details.ts";

/** A compaction entry of the host's. */
export interface CompactionEntryFacts {
	readonly id: string;
	/** the first entry it keeps; `null` where it keeps none */
	readonly boundary: string | null;
	/** characters of its text, and their hex SHA-256 */
	readonly chars: number;
	readonly text: string;
	/** whether an extension gave the text */
	readonly fromExtension: boolean;
	/** what its details say, where they are ours or pi-compact's */
	readonly details: ReadDetails | undefined;
	/** whether the interception that the details name stands in this log */
	readonly isKnown: boolean;
}

/** That the host is handed a checkpoint. */
export function interceptCompaction(asked: {
	readonly reason: CompactionReason;
	readonly parent: string | null;
	readonly manifest: WindowManifest;
	readonly proposed: string | undefined;
}): CompactionEvent {
	const { reason, parent, manifest, proposed } = asked;
	return {
		type: "compaction/intercepted",
		data: { reason, parent, manifest, ...(proposed !== undefined && { proposed }) },
	};
}

/** What a compaction entry of the host's came to; nothing where that was told already. */
export function settleCompaction(state: Compactions, entry: CompactionEntryFacts): CompactionEvent[] {
	if (state.byEntry.has(entry.id)) return [];
	const { id, boundary, chars, text, fromExtension, details, isKnown } = entry;
	const ours = details?.ours;
	if (ours) {
		const { reason, manifest, position } = ours;
		const intercepted = isKnown ? { intercepted: position } : {};
		return [
			{ type: "compaction/checkpointed", data: { entry: id, reason, manifest, ...intercepted, text, chars } },
		];
	}
	const by = fromExtension ? "extension" : "host";
	return [{ type: "compaction/summarised", data: { entry: id, by, boundary, chars } }];
}

/**
 * That the host did not compact. What someone stopped before a checkpoint was handed over leaves no trace, nor does what
 * we stopped ourselves because the window fits.
 */
export function failCompaction(
	{ open }: Compactions,
	{ reason, aborted, why }: { reason?: CompactionReason; aborted: boolean; why?: string | undefined },
): CompactionEvent[] {
	if (!open && aborted) return [];
	const of = reason ?? open?.reason;
	return [
		{
			type: "compaction/failed",
			data: {
				...(of !== undefined && { reason: of }),
				aborted,
				// half a character is none, and no event holds one
				...(why !== undefined && { why: why.slice(0, 500).toWellFormed() }),
				...(open && { intercepted: open.position }),
			},
		},
	];
}
