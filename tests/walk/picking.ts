import type { Settings } from "../../projections/rules.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Reference } from "./reference.ts";
import type { Path } from "./reference-path.ts";
import { standing } from "./reference-texts.ts";
import type { HostSession } from "./session.ts";
import type { Asked, Turn } from "./steps.ts";

const POLICIES = ["economic", "calm", "band", "off", "economic", "band", "calm", "economic"] as const;

const BRIEFS = [
	"The parser keeps its head.",
	"",
	"!?",
	"x".repeat(601),
	"Note: retry twice",
	"The parser keeps its head.",
];

/** The command a step asks for: its numbers choose among what there is, mostly what it fits. */
export function wanted(
	step: Exclude<Asked, { does: "commit" | "due" | "tighter" | "reasoning" }>,
	path: Path,
	{ names }: Reference,
): WindowCommand {
	const { plan, cuts, steps } = path;
	const all = cuts.flatMap(({ texts }) => texts.map(({ fold }) => fold));
	const odd = [...[...names.keys()].slice(-3), steps.at(-1)?.id ?? "0", "nowhere"];
	const stands = standing(cuts, plan.through, plan).filter(({ open }) => !open);
	const standingFolds = stands.map(({ text }) => text.fold);
	const pending = cuts.slice(plan.through).flatMap(({ texts }) => texts.map(({ fold }) => fold));
	const entries = steps.filter(({ foldable }) => foldable);
	const waiting = entries.filter(({ at }) => at > (cuts[plan.through - 1]?.to ?? -1)).map(({ id }) => id);
	switch (step.does) {
		case "expand":
			return { do: "expand", fold: of(step.which, standingFolds, standingFolds, all, odd) };
		case "refold":
			return {
				do: "refold",
				fold: of(step.which, [...plan.expanded.keys()], [...plan.expanded.keys()], all, odd),
			};
		case "pin": {
			const ids = entries.map(({ id }) => id);
			const calls = entries.flatMap(({ calls }) => calls);
			return { do: "pin", ids: step.which.map((n) => of(n, ids, ids, ids, calls, all, odd)) };
		}
		case "unpin":
			return { do: "unpin", ids: step.which.map((n) => of(n, [...plan.pins], [...plan.pins], all, odd)) };
		case "unmark":
			return { do: "unmark", ids: step.which.map((n) => of(n, pending, pending, pending, all, odd)) };
		case "toRaw":
			return { do: "toRaw", ids: step.which.map((n) => of(n, standingFolds, all, all, odd)) };
		case "recut":
			return { do: "recut", ids: step.which.map((n) => of(n, pending, pending, waiting, waiting, odd)) };
		case "brief":
			return {
				do: "brief",
				fold: of(step.which, pending, pending, pending, all, odd),
				text: BRIEFS[step.text] ?? "",
			};
		case "undo": {
			const ids = plan.chain.slice(Math.max(0, plan.chain.length - step.count)).map(({ name }) => name);
			return {
				do: "undo",
				ids: step.odd ? [...ids.slice(0, 1), "nothing"].slice(-(step.count % 2) - 1) : ids,
			};
		}
		default:
			return step satisfies never;
	}
}

/** One of the members of one of some lists; the last list is never empty. */
function of(which: number, ...lists: readonly (readonly string[])[]): string {
	const list = lists[which % lists.length] ?? [];
	const chosen = list.length > 0 ? list : (lists.at(-1) ?? []);
	return chosen[Math.floor(which / lists.length) % chosen.length] ?? "nowhere";
}

export const pick = {
	/** A cut to fold through: mostly one that waits. */
	cut({ cuts, plan }: Path, { names }: Reference, which: number): string {
		const pending = cuts.slice(plan.through).map(({ id }) => id);
		return of(
			which,
			pending,
			pending,
			cuts.map(({ id }) => id),
			[...names.keys()].slice(-3),
			["nowhere"],
		);
	},

	/** Where a fork is made: mostly at the leaf. */
	leaf(host: HostSession, which: number): string | null {
		return which % 3 > 0 ? host.leaf : (host.entries[which % host.entries.length]?.id ?? null);
	},

	/** Other rules. */
	settings(settings: Settings, step: Extract<Turn, { does: "rules" | "cutting" }>): Settings {
		if (step.does === "cutting") {
			const { minFoldChars, base: consolidateAfter, keepRaw, briefs } = step;
			return { ...settings, minFoldChars, consolidateAfter, briefs, keepRaw: keepRaw ? ["read"] : [] };
		}
		const { sizes } = step;
		const { floorTokens: _, observe: __, ...rest } = settings;
		return {
			...rest,
			policy: POLICIES[step.policy] ?? "economic",
			inputBudget: [4_000, 9_000, 40_000][sizes % 3] ?? 9_000,
			...(sizes % 4 > 0 && { floorTokens: [60, 400, 1_500][Math.floor(sizes / 3) % 3] ?? 400 }),
			toolFoldThreshold: [0, 0.5, 1][Math.floor(sizes / 9)] ?? 0.5,
			maxTarget: sizes % 2 ? 0.8 : 0.4,
			postFoldNotice: sizes % 5 === 0,
			...(sizes % 7 === 0 && { observe: true }),
		};
	},
};
