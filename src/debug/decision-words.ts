import type { Quote, Trigger } from "../../events/commit.ts";
import type { Plan } from "../../projections/plans.ts";
import type { History } from "./history.ts";
import { aboutDollars, whole } from "./numbers.ts";

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

/** Why a commit was made, in a clause, by what it wrote down. */
export function triggerWords(trigger: Trigger, { held, cost, factor }: Quote): string {
	const isOverdue = held >= factor * cost;
	return trigger === "economic" && !isOverdue ? SOONER : TRIGGERS[trigger];
}

/** Why an economic commit was made before waiting had cost as much as the rewrite. */
const SOONER = "waiting longer would have made a request dearer on the average than a rewrite now";

const TRIGGERS: Readonly<Record<Trigger, string>> = {
	economic: "waiting had cost as much as the rewrite would",
	cold: "no cache held the old window any more, so that it cost nothing extra",
	budget: "the window was full",
	user: "you asked for it",
	overflow: "the provider refused the request as too large",
	reasoning: "the provider refused the thinking in it",
	node: "it had been decided elsewhere: it was made again from its node",
};

/** What a commit did and why, in a sentence. `what` stands behind its name, such as ` folded it`. */
export function commitWords(
	{ id, trigger, quote }: { readonly id: string; readonly trigger: Trigger; readonly quote: Quote },
	what: string,
): string {
	const { freed, rewritten, after, unit, cost } = quote;
	const price = unit === "usd" ? `, for ${aboutDollars(Math.max(0, cost))}` : "";
	const then =
		trigger === "cold"
			? `; the ${whole(after)} that were left had to be taken in anew with or without it`
			: ` and had ${whole(rewritten)} taken in again${price}`;
	return `Commit ${id}${what}: ${triggerWords(trigger, quote)}. It freed about ${whole(freed)} tokens${then}.`;
}

/** What a decision is called, in a word. */
export function decisionName(made: NonNullable<Plan["made"]>): string {
	return NAMES[made];
}

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
