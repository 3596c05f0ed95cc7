import { type ComponentChildren, h } from "preact";
import type { Quote } from "../../../../events/commit.ts";
import type { FirstBill } from "../../../debug/cost.ts";
import { Block } from "./block.ts";
import { count, money, short } from "./numbers.ts";

/** What a change of the window was quoted, and beside it what the first request behind it came to. */
export function QuoteTable({
	quote,
	bill,
}: {
	quote: Quote;
	bill: FirstBill | undefined;
}): ComponentChildren {
	const { unit } = quote;
	const row = (name: string, quoted: string, billed: string | undefined, title = "") =>
		h(
			"tr",
			{ key: name, title },
			h("th", { scope: "row", class: "word" }, name),
			h("td", null, quoted),
			bill && h("td", { class: billed === undefined ? "quiet" : "" }, billed ?? "–"),
		);
	return h(
		Block,
		{
			title: bill ? "Quote and bill" : "Quote",
			aside: bill && h("span", { class: "quiet" }, `billed at request ${count(bill.request)}`),
		},
		h(
			"table",
			{ class: "figures quote" },
			h(
				"thead",
				null,
				h(
					"tr",
					null,
					h("th", null, h("span", { class: "unseen-text" }, "What")),
					h("th", { scope: "col" }, "Quote"),
					bill && h("th", { scope: "col" }, "Bill"),
				),
			),
			h(
				"tbody",
				null,
				row("Tokens taken in again", count(quote.rewritten), bill && count(bill.rewritten)),
				row(
					"Price of that",
					money(quote.cost, unit),
					bill && money(bill.cost, unit),
					"beyond reading them from the cache",
				),
				bill && row("Beyond going on without it", "–", money(bill.beyond, unit)),
				row("Window", `${short(quote.before)} → ${short(quote.after)}`, undefined, "tokens before and after"),
				row(quote.freed < 0 ? "Tokens added" : "Tokens freed", count(Math.abs(quote.freed)), undefined),
				quote.saves > 0 && row("Saved at each later request", money(quote.saves, unit), undefined),
				quote.waited > 0 && [
					row("Waited, requests", count(quote.waited), undefined, "since the last commit"),
					row("Paid for waiting", money(quote.held, unit), undefined),
				],
				quote.factor !== 1 && row("Price taken to be dearer by", `${quote.factor}×`, undefined),
			),
		),
	);
}
