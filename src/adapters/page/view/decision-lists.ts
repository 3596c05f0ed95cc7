import { type ComponentChildren, h } from "preact";
import type { DecisionView } from "../../../debug/decision-view.ts";
import { Block } from "./block.ts";
import { count, counted, short } from "./numbers.ts";
import { go } from "./place.ts";
import { ShortList } from "./short-list.ts";

/** What a commit took into folds, what it held, refused and clipped. */
export function DecisionLists({ view }: { view: DecisionView }): ComponentChildren {
	const { taken, held, refused, clips } = view;
	const [source, text] = [
		taken.reduce((sum, fold) => sum + fold.source, 0),
		taken.reduce((sum, fold) => sum + fold.text, 0),
	];
	return [
		taken.length > 0 &&
			h(
				Block,
				{
					title: "Taken into folds",
					aside: h(
						"span",
						{ class: "quiet" },
						`${counted(taken.length, "fold")}, ${short(source)} → ${short(text)} tokens`,
					),
				},
				h(ShortList<(typeof taken)[number]>, {
					items: taken,
					label: "Folds taken",
					row: ({ fold, from, to, source, text }) => [
						named(fold),
						h("span", { class: "quiet cut" }, from === to ? from : `${from} … ${to}`),
						h("span", { class: "end" }, `${short(source)} → ${short(text)}`),
					],
				}),
			),
		refused.length > 0 &&
			h(
				Block,
				{
					title: "Refused",
					aside: h("span", { class: "quiet" }, `${counted(refused.length, "cut")} left raw`),
				},
				h(ShortList<(typeof refused)[number]>, {
					items: refused,
					label: "Cuts refused",
					row: ({ cut, why }) => [named(cut), h("span", { class: "end wide" }, why)],
				}),
			),
		held.length > 0 &&
			h(
				Block,
				{
					title: "Held raw",
					aside: h("span", { class: "quiet" }, counted(held.length, "entry")),
				},
				h(ShortList<(typeof held)[number]>, {
					items: held,
					label: "Entries held",
					row: ({ entry, why }) => [named(entry), h("span", { class: "end wide" }, why)],
				}),
			),
		clips.length > 0 &&
			h(
				Block,
				{ title: "Clipped", aside: h("span", { class: "quiet" }, counted(clips.length, "result")) },
				h(ShortList<(typeof clips)[number]>, {
					items: clips,
					label: "Results clipped",
					row: ({ entry, chars }) => [
						named(entry),
						h("span", { class: "end" }, `${count(chars)} characters in view`),
					],
				}),
			),
	];
}

function named(id: string): ComponentChildren {
	return h(
		"button",
		{ type: "button", class: "link mono cut", title: id, onClick: () => go({ entry: id, panel: "item" }) },
		id,
	);
}
