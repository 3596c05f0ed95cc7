import type { DecisionView } from "../../../debug/decision-view.ts";

/** What kind of decision one is, as a title. */
export const kindTitles: Readonly<Record<DecisionView["kind"], string>> = {
	commit: "Commit",
	undo: "Taken back",
	expand: "Fold opened",
	refold: "Fold closed again",
	pin: "Pinned",
	unpin: "Unpinned",
	mark: "Marks changed",
	brief: "Brief supplied",
	compaction: "Compaction",
	leaf: "Another branch",
	fork: "Fork",
	pause: "Pause",
	model: "Another model",
	observed: "Commit watched for",
	none: "Nothing decided",
};
