import type { Quote } from "../../events/commit.ts";
import { CommandError } from "../commands/command-error.ts";
import { expandFold } from "../commands/expand.ts";
import { decisionsInForce, undoDecisions } from "../commands/undo.ts";
import type { DecisionSeen } from "./decision-seen.ts";
import type { History, PastRequest } from "./history.ts";
import { count } from "./numbers.ts";

/** What could have been done instead, or could be done. Prices are in the unit of the decision's quote. */
export interface Alternative {
	readonly what: string;
	/** price of it */
	readonly cost?: number;
	/** price it saves at each later request */
	readonly saves?: number;
	/** why it was not done */
	readonly refused?: string;
	readonly unit?: Quote["unit"];
	/** priced by today's code on recorded states; what is not is as it was recorded */
	readonly isComputed?: true;
}

/** What could have been decided instead, from what the decision wrote down. */
export function alternativesTo(decision: DecisionSeen, request: number): Alternative[] {
	const { trigger, quote, held, refused } = decision;
	if (trigger === undefined || !quote) return [];
	const { unit, saves } = quote;
	const since = Math.max(0, request - decision.request + 1);
	return [
		{ what: "wait one more request", cost: Math.max(0, saves), unit },
		...(since > 1
			? [
					{
						what: `never commit, over ${count(since, "request")} since at that price`,
						cost: Math.max(0, saves) * since,
						unit,
					},
				]
			: []),
		...refused.map(({ cut, why }) => ({ what: `fold ${cut} too`, refused: why })),
		...held.map(({ entry, why }) => ({ what: `fold ${entry} too`, refused: why })),
	];
}

/** What a decision taken back, or a fold opened, at a request would cost there; by today's code. */
export function pricesAt(
	history: History,
	past: PastRequest,
	{ decision, fold }: { readonly decision?: string | undefined; readonly fold?: string | undefined },
): Alternative[] {
	const { leaf } = past.prepared;
	const { states } = history;
	const valuation = past.valuation ?? null;
	const then = { ...states, rules: { ...states.rules, settings: past.settings, valuation } };
	const command = { leaf, ordinal: 0, digest: () => "" };
	const found: Alternative[] = [];
	if (fold !== undefined) {
		const [opened] = unlessRefused(() => expandFold(then, { ...command, fold })) ?? [];
		if (opened && "quote" in opened.data) found.push(priced(`open ${fold}`, opened.data.quote));
	}
	const chain = decisionsInForce(then, leaf).map(({ id }) => id);
	const at = decision === undefined ? -1 : chain.indexOf(decision);
	if (at !== -1) {
		const ids = chain.slice(0, at + 1);
		const [undone] = unlessRefused(() => undoDecisions(then, { ...command, ids, regroup: () => [] })) ?? [];
		const later = ids.length > 1 ? ` and ${count(ids.length - 1, "decision")} on top of it` : "";
		if (undone) found.push(priced(`take back ${decision}${later}`, undone.data.quote));
	}
	return found;
}

function priced(what: string, { cost, saves, unit }: Quote): Alternative {
	return { what, cost: Math.max(0, cost), saves, unit, isComputed: true };
}

function unlessRefused<T>(ask: () => T): T | undefined {
	try {
		return ask();
	} catch (error) {
		if (error instanceof CommandError) return undefined;
		throw error;
	}
}
