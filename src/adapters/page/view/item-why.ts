import { type ComponentChildren, h } from "preact";
import type { WhyAnswer } from "../../../debug/why-answer.ts";
import { Copy } from "./copy.ts";
import { count, counted, money } from "./numbers.ts";
import { go } from "./place.ts";

type Input = WhyAnswer["inputs"][number];
type Alternative = WhyAnswer["alternatives"][number];

/** Why something stood as it did: in words, how it is reached, what it was decided from, what else could have been. */
export function Why({ why }: { why: WhyAnswer }): ComponentChildren {
	const priced = why.alternatives.filter(({ refused }) => refused === undefined);
	const refused = why.alternatives.filter((alternative) => alternative.refused !== undefined);
	return h(
		"section",
		{ class: "why", "aria-label": "Why" },
		h(
			"header",
			null,
			h("h3", null, "Why"),
			why.decision &&
				h(
					"button",
					{ type: "button", class: "link", onClick: () => toDecision(why.decision?.request ?? 1) },
					`decided before request ${count(why.decision.request)}`,
				),
		),
		why.sentences.map((sentence) => h("p", { key: sentence }, sentence)),
		why.reach.length > 0 &&
			h(
				"div",
				{ class: "reach" },
				why.reach.map(({ call }) => h(Copy, { key: call, text: call })),
			),
		why.inputs.length > 0 &&
			folded(`Decided from ${counted(why.inputs.length, "value")}`, h(Inputs, { why })),
		priced.length > 0 &&
			folded(
				`What else could be done: ${count(priced.length)}`,
				h(
					"ul",
					{ class: "alternatives" },
					priced.map((alternative) =>
						h("li", { key: alternative.what }, alternative.what, pricesOf(alternative)),
					),
				),
			),
		refused.length > 0 && folded(`Not taken: ${count(refused.length)}`, h(Refused, { refused })),
	);
}

function Inputs({ why }: { why: WhyAnswer }): ComponentChildren {
	return h(
		"dl",
		{ class: "inputs" },
		why.inputs.map((input) => [h("dt", null, input.name), h("dd", null, amountOf(input))]),
	);
}

/** Alternatives that were refused, those for the same reason together. */
function Refused({ refused }: { refused: readonly Alternative[] }): ComponentChildren {
	const byReason = Map.groupBy(refused, ({ refused: reason = "" }) => reason);
	return h(
		"ul",
		{ class: "alternatives" },
		[...byReason].map(([reason, those]) =>
			h("li", { key: reason }, h("b", null, `${reason}: `), those.map(({ what }) => what).join(", ")),
		),
	);
}

function folded(title: string, what: ComponentChildren): ComponentChildren {
	return h("details", { key: title.replace(/\d/g, "") }, h("summary", null, title), what);
}

function toDecision(request: number): void {
	go({ at: request, panel: "decision" });
}

function pricesOf({ cost, saves, unit = "token", isComputed }: Alternative): ComponentChildren {
	return h(
		"span",
		{ class: "quiet" },
		cost !== undefined && `, for ${money(cost, unit)}`,
		saves !== undefined && `, saves ${money(saves, unit)} a request`,
		isComputed && " (worked out now)",
	);
}

function amountOf({ value, unit }: Input): string {
	if (typeof value === "string") return value;
	if (unit === "usd") return money(value, "usd");
	const number = Number.isInteger(value) ? count(value) : String(value);
	return unit === undefined ? number : `${number} ${unit}`;
}
