import type { WrittenText } from "../../events/brief.ts";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { SeenText } from "./window-check-log.ts";

/** What a decision leaves in force, by its event and those before it. */
export interface SeenPlan {
	readonly id: string;
	readonly position: number;
	/** position of the decision in force before it */
	readonly on: number | null;
	/** what windows that changed by it give as the cause; absent where it moves nothing */
	readonly cause: string | undefined;
	/** the commit it stands on */
	readonly commit: string | undefined;
	/** leaf at which that was decided */
	readonly parent: string | null;
	readonly through: string | null;
	readonly held: ReadonlySet<string>;
	readonly expanded: ReadonlySet<string>;
	readonly pins: ReadonlySet<string>;
	/** texts with something supplied, by fold, and the leaf at which it was */
	readonly texts: ReadonlyMap<string, SeenText & { readonly leaf: string | null }>;
	/** digest of what is left in view, by entry */
	readonly clips: Map<string, string>;
	/** digest of the receipt, and of what it is once something it quotes was edited */
	receipt: { readonly text: string; readonly plain: string | undefined } | undefined;
	readonly reasoning: "keep" | "strip";
	/** digest of the window it makes */
	readonly window: string;
}

const NO_PLAN: SeenPlan = {
	id: "",
	position: -1,
	on: null,
	cause: undefined,
	commit: undefined,
	parent: null,
	through: null,
	held: new Set(),
	expanded: new Set(),
	pins: new Set(),
	texts: new Map(),
	clips: new Map(),
	receipt: undefined,
	reasoning: "keep",
	window: "",
};

/** What is in force behind each decision of a session, by the events alone. */
export class SeenPlans {
	private readonly commits = new Map<string, SeenPlan>();
	/** by the position of the decision's event */
	private readonly inForce = new Map<number, SeenPlan>();

	/** What is in force behind a decision. */
	after(decision: number | null): SeenPlan | undefined {
		return decision === null ? undefined : this.inForce.get(decision);
	}

	/** What windows give as the cause where one plan follows another: the newest decision between that moves something. */
	causeBetween(before: SeenPlan | undefined, after: SeenPlan | undefined): string | undefined {
		let plan = after;
		while (plan && plan !== before && plan.cause === undefined) plan = this.after(plan.on);
		return plan === before ? undefined : plan?.cause;
	}

	/** Takes in an event; one that decides nothing, and comes with no commit, changes nothing. */
	event(event: DomainEvent, position: number): void {
		switch (event.type) {
			case "mark/withdrawn":
				this.decided(event.data, position, undefined, {});
				return;
			case "mark/recut":
			case "brief/supplied":
				this.decided(event.data, position, undefined, {
					texts: textsWith(this.before(event.data), event.data),
				});
				return;
			case "commit/applied":
				this.commit(event.data, position);
				return;
			case "commit/undone":
				this.undone(event.data, position);
				return;
			case "fold/expanded": {
				const expanded = new Set(this.before(event.data).expanded).add(event.data.fold);
				this.decided(event.data, position, "expand", { expanded });
				return;
			}
			case "fold/refolded": {
				const expanded = new Set(this.before(event.data).expanded);
				for (const fold of event.data.folds) expanded.delete(fold);
				this.decided(event.data, position, "refold", { expanded });
				return;
			}
			case "pin/placed": {
				const { entries, held } = event.data;
				const pins = new Set([...this.before(event.data).pins, ...entries]);
				const clips = new Map(this.before(event.data).clips);
				for (const entry of entries) clips.delete(entry);
				this.decided(event.data, position, "pin", { pins, clips, held: new Set(held) });
				return;
			}
			case "pin/lifted": {
				const pins = new Set(this.before(event.data).pins);
				for (const entry of event.data.entries) pins.delete(entry);
				this.decided(event.data, position, undefined, { pins });
				return;
			}
			case "fold/clipped":
			case "fold/released":
				this.commits.get(event.data.commit)?.clips.set(event.data.entry, event.data.text);
				return;
			case "shown/appended": {
				const commit = this.commits.get(event.data.decision ?? "");
				const { text, plain } = event.data;
				if (commit) commit.receipt = { text, plain: plain?.text };
				return;
			}
			default:
				return;
		}
	}

	private before({ on }: { readonly on: number | null }): SeenPlan {
		return this.after(on) ?? NO_PLAN;
	}

	private decided(
		data: { readonly id: string; readonly on: number | null; readonly window: string },
		position: number,
		cause: string | undefined,
		change: Partial<SeenPlan>,
	): SeenPlan {
		const before = this.before(data);
		const { id, on, window } = data;
		const clips = new Map(change.clips ?? before.clips);
		const plan = { ...before, ...change, id, on, window, position, cause, clips };
		this.inForce.set(position, plan);
		return plan;
	}

	private undone(data: Extract<DomainEvent, { type: "commit/undone" }>["data"], position: number): void {
		const plan = this.after(data.to) ?? NO_PLAN;
		this.decided(data, position, "undo", { ...plan, texts: textsWith(plan, data) });
	}

	private commit(data: Extract<DomainEvent, { type: "commit/applied" }>["data"], position: number): void {
		const { id, parent, through, held, expanded, reasoning } = data;
		const plan = this.decided(data, position, "commit", {
			commit: id,
			parent,
			through,
			held: new Set(held.map(({ entry }) => entry)),
			expanded: new Set(expanded.map(({ fold }) => fold)),
			clips: new Map(),
			receipt: undefined,
			reasoning,
		});
		this.commits.set(id, plan);
	}
}

function textsWith(
	{ texts }: SeenPlan,
	data: { readonly parent: string | null; readonly texts?: readonly WrittenText[] },
): SeenPlan["texts"] {
	const leaf = data.parent;
	return new Map([
		...texts,
		...(data.texts ?? []).map(({ fold, text, chars }) => [fold, { text, chars, leaf }] as const),
	]);
}
