import { type ComponentChildren, h } from "preact";
import type { CommitBill, Cost } from "../../../debug/cost.ts";
import { Block } from "./block.ts";
import { count, counted, money, short } from "./numbers.ts";
import { go } from "./place.ts";

/** Every commit as it was quoted, and as it came out. */
export function CommitTable({
	cost: { commits, totals },
	at,
}: {
	cost: Cost;
	at: number;
}): ComponentChildren {
	return h(
		Block,
		{
			title: "Commits, quoted and billed",
			aside: h("span", { class: "quiet" }, commits.length === 0 ? "" : counted(commits.length, "commit")),
		},
		commits.length === 0
			? h("p", { class: "empty" }, "Nothing was committed.")
			: h(
					"div",
					{ class: "scrolls" },
					h(
						"table",
						{ class: "figures" },
						h(
							"thead",
							null,
							h(
								"tr",
								null,
								["Request", "Trigger", "Freed", "Quote", "Bill", "Saved since"].map((head, index) =>
									h("th", { key: head, scope: "col", class: index === 1 ? "word" : "" }, head),
								),
							),
						),
						h(
							"tbody",
							null,
							commits.map((commit) =>
								h(Row, { key: commit.id, commit, unit: totals.unit, isHere: commit.request === at }),
							),
						),
					),
				),
	);
}

interface RowProps {
	readonly commit: CommitBill;
	readonly unit: "usd" | "token";
	readonly isHere: boolean;
}

function Row({ commit, unit, isHere }: RowProps): ComponentChildren {
	const { id, request, trigger, quote, bill, savedSince } = commit;
	return h(
		"tr",
		{ "aria-current": isHere ? "true" : undefined },
		h(
			"td",
			null,
			h(
				"button",
				{ type: "button", class: "link", title: id, onClick: () => go({ at: request }) },
				count(request),
			),
		),
		h("td", { class: "word" }, trigger),
		h("td", null, short(quote.freed)),
		h("td", { title: `${count(quote.rewritten)} tokens to take in again` }, money(quote.cost, quote.unit)),
		bill
			? h(
					"td",
					{ title: `${count(bill.rewritten)} tokens were taken in again` },
					money(bill.cost, quote.unit),
				)
			: h("td", { class: "quiet", title: "No request went out with it, or its price is not known." }, "–"),
		h("td", null, money(savedSince, unit)),
	);
}
