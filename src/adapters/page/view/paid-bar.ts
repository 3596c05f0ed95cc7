import { type ComponentChildren, h } from "preact";
import { count, short } from "./numbers.ts";

/** Tokens by what was paid for them. */
export interface Tokens {
	readonly fresh: number;
	readonly cached: number;
	readonly written: number;
	readonly output: number;
}

const parts = [
	["cached", "read from the cache"],
	["written", "written to the cache"],
	["fresh", "taken in without a cache"],
	["output", "written by the model"],
] as const satisfies readonly (readonly [keyof Tokens, string])[];

/** Tokens as a bar, each part as long as its share, with the numbers below. */
export function PaidBar({ tokens, label }: { tokens: Tokens; label: string }): ComponentChildren {
	const all = parts.reduce((sum, [part]) => sum + tokens[part], 0);
	const there = parts.filter(([part]) => tokens[part] > 0);
	const spoken = there.map(([part]) => `${count(tokens[part])} ${part}`).join(", ");
	return h(
		"div",
		{ class: "paid" },
		h(
			"div",
			{ class: "paid-bar", role: "img", "aria-label": `${label}: ${spoken || "no tokens"}` },
			there.map(([part]) =>
				h("i", {
					key: part,
					class: `paid-${part}`,
					style: { flexGrow: String(tokens[part] / Math.max(1, all)) },
				}),
			),
		),
		h(
			"dl",
			{ class: "paid-parts" },
			parts.map(([part, meaning]) =>
				h(
					"div",
					{
						key: part,
						class: tokens[part] === 0 ? "nothing" : "",
						title: `${count(tokens[part])} tokens ${meaning}`,
					},
					h("dt", null, h("i", { class: `paid-key paid-${part}` }), part),
					h("dd", null, short(tokens[part])),
				),
			),
		),
	);
}
