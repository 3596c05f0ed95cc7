import { type ComponentChildren, h } from "preact";
import type { Cost } from "../../../debug/cost.ts";
import { Block } from "./block.ts";
import { BreakHere, BreaksByCause } from "./cost-breaks.ts";
import { CommitTable } from "./cost-commits.ts";
import { Failure } from "./notices.ts";
import { count, counted, money } from "./numbers.ts";
import { PaidBar } from "./paid-bar.ts";
import { usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";

/** What requests were paid for: the one at the playhead, all up to it, and where the session's money went otherwise. */
export function CostPanel(): ComponentChildren {
	const at = usePage((state) => state.at);
	const here = useAnswer<Cost>(at > 0 ? `/api/cost?from=${at}&to=${at}` : undefined);
	const before = useAnswer<Cost>(at > 0 ? `/api/cost?to=${at}&rows=none` : undefined);
	const all = useAnswer<Cost>("/api/cost?rows=none");
	const error = here.error ?? before.error ?? all.error;
	if (error) return h(Failure, { error });
	return h(
		"article",
		{ class: here.stale ? "cost-panel stale" : "cost-panel", "aria-busy": here.stale },
		here.value && h(Here, { cost: here.value, at }),
		before.value && h(UpTo, { cost: before.value, at }),
		all.value && [h(BreaksByCause, { cost: all.value, at }), h(CommitTable, { cost: all.value, at })],
		!here.value && here.stale && h("p", { class: "empty" }, "Reading what was paid …"),
	);
}

function Here({ cost, at }: { cost: Cost; at: number }): ComponentChildren {
	const [row] = cost.rows;
	if (!row) {
		return h(
			Block,
			{ title: `Request ${count(at)}` },
			h("p", { class: "empty" }, "What it was paid for is not known."),
		);
	}
	return h(
		Block,
		{
			title: `Request ${count(row.request)}`,
			aside: [
				h("b", { class: "amount" }, money(row.cost, row.unit)),
				h(
					"span",
					{ class: "quiet" },
					row.measured ? "as the provider billed it" : "worked out from its window",
				),
			],
		},
		h(PaidBar, { tokens: row, label: `Tokens of request ${count(row.request)}` }),
		row.break && h(BreakHere, { broken: row.break, unit: row.unit }),
	);
}

function UpTo({ cost: { totals, basis }, at }: { cost: Cost; at: number }): ComponentChildren {
	const { requests, measured, unpriced } = totals;
	return h(
		Block,
		{
			title: at === 1 ? "In sum" : `Requests 1 to ${count(at)}`,
			aside: h("b", { class: "amount" }, money(totals.cost, totals.unit)),
		},
		h(PaidBar, { tokens: totals, label: `Tokens of ${counted(requests, "request")}` }),
		h(
			"p",
			{ class: "quiet" },
			basis === "billed"
				? `The provider told the price of ${count(measured)} of ${counted(requests, "request")}.`
				: "A replay's windows went to no provider: they are priced as caches are taken to work.",
			totals.unit === "token" && " No price is known: costs are in tokens of input.",
			unpriced > 0 &&
				` ${counted(unpriced, "request")} to models without a price ${unpriced === 1 ? "is" : "are"} left out.`,
		),
	);
}
