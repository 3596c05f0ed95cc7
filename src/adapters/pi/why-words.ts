import type { Plan } from "../../../projections/plans.ts";
import { aboutDollars, whole } from "../../debug/numbers.ts";
import type { CommitSeen, Why } from "../../debug/why.ts";

/** Why something stands in the window as it does, in sentences. */
export function whyWords(why: Why): string {
	switch (why.about) {
		case "entry":
			return entryWords(why);
		case "fold":
			return foldWords(why);
		case "decision": {
			const { decision, commit } = why;
			return commit ? commitWords(commit, "") : `${decision.id}: ${decisionWords(decision.made)}.`;
		}
		default:
			return why satisfies never;
	}
}

/** What kind of decision one was, in a few words. */
export function decisionWords(made: Plan["made"]): string {
	return MADE[made ?? "commit/applied"];
}

function entryWords({ entry, commit, checkpoint }: Extract<Why, { about: "entry" }>): string {
	const { id, role, state, fold, tokens } = entry;
	const what = `${id} (${role}, about ${whole(tokens)} tokens)`;
	const since = commit ? ` ${commitWords(commit)}` : "";
	switch (state) {
		case "raw":
			return `${what} is in view, whole.`;
		case "pinned":
			return `${what} is in view, whole: it is pinned.`;
		case "held":
			return `${what} is in view, whole: no commit folds system messages, the last thing you asked, or tools that are kept raw.`;
		case "open":
			return `${what} is in view, whole: its fold is open.`;
		case "clipped":
			return `${what} is shown by its head alone; peek with its id reads the rest.${since}`;
		case "compacted":
			return `${what} is out of view: ${compactionWords(checkpoint)} took it out. Peek with its id reads it.`;
		case "folded":
			return `${what} is out of view: the text of ${fold} stands for it. Peek with that id reads it back.${since}`;
		default:
			return state satisfies never;
	}
}

function foldWords({ fold, commit, checkpoint }: Extract<Why, { about: "fold" }>): string {
	const { id, state, source, text, from, to, parent } = fold;
	const what = `${id} (${from} to ${to}, about ${whole(source)} tokens, of which its text leaves ${whole(text)})`;
	const since = commit ? ` ${commitWords(commit)}` : "";
	switch (state) {
		case "pending":
			return `${what} is marked and not folded yet: its messages are in view.`;
		case "standing":
			return `${what} stands in the window.${since}`;
		case "compacted":
			return `${what} is out of view: ${compactionWords(checkpoint)} took it out, with all it stands for. Peek reads the originals.`;
		case "nested":
			return `${what} lies inside ${parent}.${since}`;
		case "open":
			return `${what} is open: its parts are in view.${since}`;
		default:
			return state satisfies never;
	}
}

/** What took something out of view. */
function compactionWords(checkpoint: string | undefined): string {
	return checkpoint === undefined ? "a compaction of Pi's" : `checkpoint ${checkpoint}`;
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

const TRIGGERS: Readonly<Record<CommitSeen["trigger"], string>> = {
	economic: "waiting had cost as much as the rewrite would",
	cold: "no cache held the old window any more, so that it cost nothing",
	budget: "the window was full",
	user: "you asked for it",
	overflow: "the provider refused the request as too large",
	reasoning: "the provider refused the thinking in it",
	node: "it had been decided elsewhere: it was made again from its node",
};

function commitWords({ id, trigger, quote }: CommitSeen, what = " folded it"): string {
	const { freed, rewritten, unit, cost } = quote;
	const price = unit === "usd" ? `, for ${aboutDollars(Math.max(0, cost))}` : "";
	return `Commit ${id}${what}: ${TRIGGERS[trigger]}. It freed about ${whole(freed)} tokens and had ${whole(rewritten)} taken in again${price}.`;
}
