import { commitWords, decisionWords } from "../../debug/decision-words.ts";
import { whole } from "../../debug/numbers.ts";
import type { Why } from "../../debug/why.ts";

/** What a commit did to what is asked about. */
const FOLDED = " folded it";

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

function entryWords({ entry, commit, checkpoint, edited }: Extract<Why, { about: "entry" }>): string {
	const { id, role, state, fold, tokens } = entry;
	const what = `${id} (${role}, about ${whole(tokens)} tokens)`;
	const since = commit ? ` ${commitWords(commit, FOLDED)}` : "";
	if (edited) {
		const by = edited.by === undefined ? "an edit" : `edit ${edited.by}`;
		return `${what} is out of view: ${by} took it out, or put something else in its place.`;
	}
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
	const since = commit ? ` ${commitWords(commit, FOLDED)}` : "";
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
