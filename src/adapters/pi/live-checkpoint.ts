import type { CompactionEntry, CompactionResult, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { CompactionReason, WindowManifest } from "../../../events/compaction.ts";
import { nodeOf } from "../../../projections/session-tree.ts";
import { interceptCompaction } from "../../commands/checkpoint.ts";
import { type Projected, safeBoundary } from "../../commands/checkpoint-boundary.ts";
import {
	type CheckpointDetails,
	checkpointDetails,
	readDetails,
	windowManifest,
} from "../../commands/checkpoint-details.ts";
import { listedAbove } from "../../commands/checkpoint-folds.ts";
import { type CheckpointFacts, checkpointText } from "../../commands/checkpoint-text.ts";
import { hashText } from "./hash-text.ts";
import type { LiveLog } from "./live-log.ts";

/** A compaction the host is about to make. */
export interface CheckpointAsked {
	/** the host's id of the session */
	readonly session: string;
	readonly reason: CompactionReason;
	/** the entry the host would keep first */
	readonly proposed: string;
	/** tokens of the window, as the host counts them */
	readonly tokensBefore: number;
	/** the path to the leaf, root first */
	readonly branch: readonly SessionEntry[];
	/** the host's own projection of a path */
	readonly project: (path: readonly SessionEntry[]) => readonly Projected<SessionEntry>[];
	/** characters the text may have */
	readonly maxChars: number;
	/** the work summary at the leaf; `undefined` for none */
	readonly summary: string | undefined;
}

/** A checkpoint as the host is handed it. */
export interface Checkpoint {
	readonly compaction: CompactionResult<CheckpointDetails>;
	readonly manifest: WindowManifest;
	/** whether the boundary is another than the host's */
	readonly isMoved: boolean;
}

/**
 * Makes the checkpoint that stands for what leaves the window, with no model call, and records that the host is handed
 * it. `undefined` where no boundary is safe; nothing is recorded then. The log must have caught up with the session.
 */
export async function makeCheckpoint(log: LiveLog, asked: CheckpointAsked): Promise<Checkpoint | undefined> {
	const { session, reason, proposed, branch, project, maxChars, summary, tokensBefore } = asked;
	const compaction = previewAt(branch);
	const boundary = safeBoundary({ branch, proposed, project, compaction });
	if (!boundary) return undefined;
	const { engine } = log;
	const { states, version } = engine;
	const { leaf } = states.tree;
	const kept = boundary.kept.id;
	const gone = boundary.gone.map(({ id }) => ({ id, digest: nodeOf(states.tree, id)?.digest ?? "" }));
	const { folds, unfolded } = listedAbove(states, leaf, kept);
	const manifest = windowManifest(
		{
			...parentOn(log, branch),
			boundary: kept,
			gone,
			kept: boundary.stays,
			folds: folds.length,
			unique: `${session}\n${leaf}\n${version}`,
		},
		hashText,
	);
	const event = interceptCompaction({
		reason,
		parent: leaf,
		manifest,
		proposed: boundary.isMoved ? proposed : undefined,
	});
	await engine.note([event], Date.now(), "runtime");
	const text = checkpointText(
		{
			...manifest,
			folds: folds.map((fold) => ({ ...fold, brief: engine.briefText(fold.brief) })),
			unfolded: engine.briefOf(unfolded),
			summary,
			earlier: earlierOn(branch),
		},
		maxChars,
	);
	const details = checkpointDetails({
		reason,
		manifest,
		position: version,
		hash: log.hashAt(version) ?? "",
		isSplitTurn: boundary.isSplitTurn,
		sources: gone.map(({ id }) => id),
		text,
		maxChars,
	});
	return {
		compaction: { summary: text, firstKeptEntryId: kept, tokensBefore, details },
		manifest,
		isMoved: boundary.isMoved,
	};
}

/** A compaction at the end of a path, for a look at what the host would show. */
function previewAt(branch: readonly SessionEntry[]): (kept: string) => SessionEntry {
	const last = branch.at(-1);
	return (firstKeptEntryId) => ({
		type: "compaction",
		id: "palimpsest-preview",
		parentId: last?.id ?? null,
		timestamp: last?.timestamp ?? "",
		summary: "{}",
		firstKeptEntryId,
		tokensBefore: 0,
	});
}

/** The nearest checkpoint on a path, whoever of the two programs made it. */
function parentOn(
	{ engine }: LiveLog,
	branch: readonly SessionEntry[],
): Pick<WindowManifest, "parent" | "previous"> {
	const { byEntry } = engine.states.compactions;
	for (const entry of compactionsUp(branch)) {
		const known = byEntry.get(entry.id);
		if (known) return { parent: known.id, previous: known.digest };
		const window = readDetails(entry.details, hashText)?.window;
		if (window !== undefined) return { parent: window, previous: null };
	}
	return { parent: null, previous: null };
}

/** The newest summary on a path that is none of the two programs': its words would leave the window with nobody to tell of them. */
function earlierOn(branch: readonly SessionEntry[]): CheckpointFacts["earlier"] {
	for (const { summary, details, fromHook } of compactionsUp(branch)) {
		if (readDetails(details, hashText)) continue;
		return { by: fromHook ? "Another extension" : "The host's summariser", text: summary };
	}
	return undefined;
}

function compactionsUp(branch: readonly SessionEntry[]): CompactionEntry[] {
	return branch.flatMap((entry) => (entry.type === "compaction" ? [entry] : [])).reverse();
}
