import { type ComponentChildren, h } from "preact";
import type { SearchHit } from "../../../debug/search-history.ts";
import { MarkedText } from "./marked-text.ts";
import { count, counted, dayOf, timeOf } from "./numbers.ts";
import { usePage } from "./state.ts";

/** Runs drawn at most in a bar that is some hundred pixels wide. */
const MOST_RUNS = 200;

/** The request nearest to another at which a hit could be read whole; `undefined` where it never could. */
export function nearestSeen({ visible }: SearchHit, at: number): number | undefined {
	let nearest: number | undefined;
	for (const [from, to] of visible) {
		const there = Math.min(to, Math.max(from, at));
		if (nearest === undefined || Math.abs(there - at) < Math.abs(nearest - at)) nearest = there;
	}
	return nearest;
}

interface RowProps {
	readonly hit: SearchHit;
	readonly index: number;
	readonly text: string;
	readonly isOn: boolean;
	readonly isChosen: boolean;
	readonly onChoose: () => void;
}

/** An entry in which the text was found: who said it and when, what stands around, and where it could be read. */
export function SearchHitRow({ hit, index, text, isOn, isChosen, onChoose }: RowProps): ComponentChildren {
	const who = hit.tool ?? hit.role;
	const seen = runsOf(hit);
	return h(
		"li",
		{
			id: `hit-${index}`,
			class: isOn ? "hit cursor" : "hit",
			role: "option",
			"aria-selected": isChosen,
			"aria-label": `${who}, ${timeOf(hit.time)}, ${hit.around}, ${seen}`,
			onClick: onChoose,
		},
		h(
			"p",
			{ class: "hit-head" },
			h("b", null, who),
			h("span", { title: dayOf(hit.time) }, timeOf(hit.time)),
			h("span", { class: "mono quiet cut" }, hit.entry),
			h("span", { class: "grow" }),
			h(SeenBar, { hit, title: seen }),
		),
		h("p", { class: "hit-text" }, h(MarkedText, { text: hit.around, wanted: text })),
	);
}

/** Over which requests it could be read, small. */
function SeenBar({ hit, title }: { hit: SearchHit; title: string }): ComponentChildren {
	const all = usePage(({ session }) => Math.max(1, session?.requests ?? 1));
	const at = usePage((state) => state.at);
	return h(
		"span",
		{ class: "seen-bar", title },
		hit.visible.slice(0, MOST_RUNS).map(([from, to]) =>
			h("i", {
				key: from,
				class: "run whole",
				style: { left: `${((from - 1) / all) * 100}%`, width: `${((to - from + 1) / all) * 100}%` },
			}),
		),
		h("i", { class: "run-at", style: { left: `${((at - 0.5) / all) * 100}%` } }),
	);
}

function runsOf({ visible }: SearchHit): string {
	if (visible.length === 0) return "never whole in a window";
	const first = visible
		.slice(0, 3)
		.map(([from, to]) => (from === to ? count(from) : `${count(from)} to ${count(to)}`));
	const more = visible.length > 3 ? ` and ${counted(visible.length - 3, "run")} more` : "";
	return `whole at requests ${first.join(", ")}${more}`;
}
