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

const triggers: Readonly<Record<string, string>> = {
	economic: "Waiting had cost as much as the rewrite would.",
	cold: "No cache held the old window any more, so that rewriting it cost nothing.",
	budget: "The window was full.",
	user: "Somebody asked for it.",
	overflow: "The provider refused the request as too large.",
	reasoning: "The provider refused the thinking in it.",
	node: "It had been decided elsewhere, and was made again from its node.",
};

/** Why a commit was made, as a sentence. */
export function triggerName(trigger: string): string {
	return triggers[trigger] ?? trigger;
}
