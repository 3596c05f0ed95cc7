import { type ComponentChildren, h } from "preact";
import type { WhyAnswer } from "./answers.ts";
import { Copy } from "./copy.ts";
import { count, counted, money } from "./numbers.ts";
import { usePage } from "./state.ts";

/** Why something stands as it does: sentences, what was known, what else could have been, how it is reached. */
export function Why({ why }: { why: WhyAnswer }): ComponentChildren {
	const unit = usePage(({ session }) => session?.unit ?? "token");
	return h(
		"section",
		{ class: "why", "aria-label": "Why" },
		h("h3", null, "Why"),
		why.sentences.map((sentence) => h("p", { key: sentence }, sentence)),
		why.inputs.length > 0 &&
			h(
				"dl",
				{ class: "inputs" },
				why.inputs.map(({ name, value, unit: of }) => [
					h("dt", null, name),
					h(
						"dd",
						null,
						typeof value === "number" ? count(value) : value,
						of && h("span", { class: "quiet" }, ` ${of}`),
					),
				]),
			),
		why.alternatives.length > 0 &&
			h(
				"details",
				null,
				h("summary", null, counted(why.alternatives.length, "alternative")),
				h(
					"ul",
					{ class: "alternatives" },
					why.alternatives.map(({ what, cost, saves, refused }) =>
						h(
							"li",
							{ key: what },
							what,
							cost !== undefined && h("span", { class: "quiet" }, ` costs ${money(cost, unit)}`),
							saves !== undefined && h("span", { class: "quiet" }, ` saves ${money(saves, unit)}`),
							refused !== undefined && h("span", { class: "quiet" }, ` refused: ${refused}`),
						),
					),
				),
			),
		why.reach.length > 0 &&
			h(
				"div",
				{ class: "reach" },
				h("span", { class: "quiet" }, "Reached by"),
				why.reach.map(({ call }) => h(Copy, { key: call, text: call })),
			),
	);
}
