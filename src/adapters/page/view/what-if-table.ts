import { type ComponentChildren, h } from "preact";
import type { WhatIf, WhatIfSide } from "../../../debug/what-if.ts";
import { Block } from "./block.ts";
import { count, money, short } from "./numbers.ts";

type Amount = "cost" | "commits" | "peak" | "mean" | "unmet" | "hidden";

const rows: readonly (readonly [Amount, string, string])[] = [
	["cost", "Cost", "Of the whole session, both priced by the same rules."],
	["commits", "Commits", "Made in the whole session."],
	["peak", "Largest window", "Tokens."],
	["mean", "Mean window", "Tokens."],
	["unmet", "Needs unmet", "Names that replies used although they stood in no window."],
	["hidden", "Needs hidden", "Names that replies used although they stood only in what was hidden."],
];

/** Both histories side by side, and how they differ. */
export function WhatIfTable({ found, isStale }: { found: WhatIf; isStale: boolean }): ComponentChildren {
	const { recorded, other, from, notes } = found;
	const compares = recorded.unit === other.unit;
	return h(
		Block,
		{
			title: other.label,
			aside: h("span", { class: "quiet" }, `from request ${count(from)} on`),
		},
		h(
			"table",
			{ class: isStale ? "figures what-if-table stale" : "figures what-if-table" },
			h(
				"thead",
				null,
				h(
					"tr",
					null,
					h("th", { scope: "col" }, h("span", { class: "unseen-text" }, "What")),
					["Recorded", "Other", "Difference"].map((head) => h("th", { key: head, scope: "col" }, head)),
				),
			),
			h(
				"tbody",
				null,
				rows.map(([name, words, meaning]) => {
					const differs = other[name] - recorded[name];
					const hides = name === "cost" && !compares;
					return h(
						"tr",
						{ key: name, title: meaning },
						h("th", { scope: "row", class: "word" }, words),
						h("td", null, told(recorded, name)),
						h("td", null, told(other, name)),
						h(
							"td",
							{ class: hides || differs === 0 ? "quiet" : differs < 0 ? "less" : "more" },
							hides ? "–" : difference(differs, recorded[name], name, other.unit),
						),
					);
				}),
			),
		),
		h(
			"ul",
			{ class: "notes quiet" },
			notes.map((note) => h("li", { key: note }, note)),
		),
	);
}

function told(side: WhatIfSide, name: Amount): string {
	return amount(side[name], name, side.unit);
}

function amount(value: number, name: Amount, unit: "usd" | "token"): string {
	if (name === "cost") return money(value, unit);
	return name === "peak" || name === "mean" ? short(value) : count(value);
}

function difference(by: number, of: number, name: Amount, unit: "usd" | "token"): string {
	if (by === 0) return "the same";
	const size = `${by < 0 ? "−" : "+"}${amount(Math.abs(by), name, unit)}`;
	return of === 0 ? size : `${size} (${by < 0 ? "−" : "+"}${Math.round((100 * Math.abs(by)) / of)} %)`;
}
