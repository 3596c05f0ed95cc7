import type { Draft } from "immer";
import type { CommitEvent } from "../events/commit.ts";
import type { FoldEvent } from "../events/fold.ts";
import type { Place, Projection } from "./projection.ts";
import type { Weight } from "./session-tree.ts";

/** What is left in view of a clipped result. */
export interface Clip {
	/** digest of the text in view */
	readonly text: string;
	readonly chars: number;
}

/** One commit: everything through a cut is folded, but for what is held. */
export interface Commit {
	readonly id: string;
	/** leaf at which it was decided; thinking is stripped no later than there */
	readonly parent: string | null;
	readonly before: string | null;
	readonly through: string;
	readonly cut: number;
	readonly held: readonly string[];
	readonly clips: ReadonlyMap<string, Clip>;
	readonly reasoning: "keep" | "strip";
	readonly fixed: Weight;
}

/** Decisions by the position of their event, and what each leaves in force. */
export interface Commits {
	readonly byId: ReadonlyMap<string, Commit>;
	/** id of the commit in force after the decision at a position; `null` for none */
	readonly inForce: ReadonlyMap<number, string | null>;
	/** folds whose making is recorded */
	readonly made: ReadonlySet<string>;
}

/** Which commits were made, and which is in force after each decision. */
export const commits: Projection<Commits, CommitEvent | FoldEvent> = {
	name: "commits",
	version: 1,
	listens: {
		"commit/applied": true,
		"commit/undone": true,
		"fold/made": true,
		"fold/grouped": true,
		"fold/clipped": true,
	},
	initial: () => ({ byId: new Map(), inForce: new Map(), made: new Set() }),
	apply,
};

/** The commit in force where a decision is the nearest one above. */
export function commitAfter(state: Commits, decision: number | null): Commit | undefined {
	const id = decision === null ? null : (state.inForce.get(decision) ?? null);
	return id === null ? undefined : state.byId.get(id);
}

function apply(draft: Draft<Commits>, event: CommitEvent | FoldEvent, place: Place): void {
	switch (event.type) {
		case "commit/applied": {
			const { id, parent, before, through, cut, held, reasoning, fixed } = event.data;
			draft.byId.set(id, {
				id,
				parent,
				before,
				through,
				cut,
				held: held.map((exception) => exception.entry),
				clips: new Map(),
				reasoning,
				fixed: { ...fixed },
			});
			draft.inForce.set(place.position, id);
			return;
		}
		case "commit/undone": {
			draft.inForce.set(place.position, draft.byId.get(event.data.commit)?.before ?? null);
			return;
		}
		case "fold/made":
		case "fold/grouped":
			draft.made.add(event.data.fold);
			return;
		case "fold/clipped": {
			const commit = draft.byId.get(event.data.commit);
			commit?.clips.set(event.data.entry, { text: event.data.text, chars: event.data.chars });
			return;
		}
		default:
			event satisfies never;
	}
}
