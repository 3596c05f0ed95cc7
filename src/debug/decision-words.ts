import type { Trigger } from "../../events/commit.ts";
import type { Plan } from "../../projections/plans.ts";
import type { History } from "./history.ts";

/** What kind of decision one was, in a few words. */
export function decisionWords(made: Plan["made"]): string {
	return MADE[made ?? "commit/applied"];
}

const MADE: Readonly<Record<NonNullable<Plan["made"]>, string>> = {
	"commit/applied": "a commit",
	"commit/undone": "decisions were taken back",
	"fold/expanded": "a fold was opened",
	"fold/refolded": "a fold was closed again",
	"pin/placed": "messages were pinned",
	"pin/lifted": "messages were unpinned",
	"mark/withdrawn": "marks or folds are to be raw after the next commit",
	"mark/recut": "marks were drawn anew",
	"brief/supplied": "a brief was given",
};

/** Why a commit was made, in a clause. */
export function triggerWords(trigger: Trigger): string {
	return TRIGGERS[trigger];
}

const TRIGGERS: Readonly<Record<Trigger, string>> = {
	economic: "waiting had cost as much as the rewrite would",
	cold: "no cache held the old window any more, so that it cost nothing",
	budget: "the window was full",
	user: "you asked for it",
	overflow: "the provider refused the request as too large",
	reasoning: "the provider refused the thinking in it",
	node: "it had been decided elsewhere: it was made again from its node",
};

const NAMES: Readonly<Record<NonNullable<Plan["made"]>, string>> = {
	"commit/applied": "commit",
	"commit/undone": "undo",
	"fold/expanded": "expand",
	"fold/refolded": "refold",
	"pin/placed": "pin",
	"pin/lifted": "unpin",
	"mark/withdrawn": "unmark",
	"mark/recut": "recut",
	"brief/supplied": "brief",
};

/** What brought something to stand as it does, by a span of its visibility: in a few words, with a name to ask for. */
export function causeName(
	{ decisions, states }: History,
	{ because, through }: { readonly because?: string | undefined; readonly through?: string | undefined },
): string {
	switch (because) {
		case undefined:
			return "it came";
		case "leaf":
			return "the session went to another branch";
		case "unsent":
			return "no model is sent it";
		case "edit":
			return through === undefined ? "an edit" : `edit ${through}`;
		case "compaction": {
			const checkpoint = states.compactions.byEntry.get(through ?? "");
			return checkpoint ? `checkpoint ${checkpoint.id}` : `compaction ${through ?? ""}`.trim();
		}
		default: {
			const step = decisions.find(({ event }) => event.data.id === because);
			if (!step) return because;
			const { event } = step;
			const trigger = event.type === "commit/applied" ? ` (${event.data.trigger})` : "";
			return `${NAMES[event.type]} ${because}${trigger}`;
		}
	}
}
