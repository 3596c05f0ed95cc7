import { type ComponentChildren, h } from "preact";
import type { DecisionView } from "../../../debug/decision-view.ts";
import { Block } from "./block.ts";
import { DecisionChart } from "./decision-chart.ts";
import { crossingOf } from "./decision-drawing.ts";
import { DecisionLists } from "./decision-lists.ts";
import { kindTitles } from "./decision-names.ts";
import { icon } from "./icons.ts";
import { nextStop } from "./marks.ts";
import { Failure } from "./notices.ts";
import { count, money } from "./numbers.ts";
import { go } from "./place.ts";
import { QuoteTable } from "./quote-table.ts";
import { usePage } from "./state.ts";
import { TakeBack } from "./take-back.ts";
import { useAnswer } from "./use-answer.ts";

/** What was decided at the playhead, from what, and what it came to; where nothing was, how far from that it was. */
export function DecisionPanel(): ComponentChildren {
	const at = usePage((state) => state.at);
	const { value: view, stale, error } = useAnswer<DecisionView>(at > 0 ? `/api/decision/${at}` : undefined);
	return h(
		"article",
		{ class: stale ? "decision stale" : "decision", "aria-busy": stale },
		h(Steps, { at }),
		error && h(Failure, { error }),
		!view && !error && h("p", { class: "empty" }, "Reading what was decided …"),
		view && !error && h(Decision, { view, key: view.id ?? "none" }),
	);
}

/** The ways to the decisions around. */
function Steps({ at }: { at: number }): ComponentChildren {
	const marks = usePage(({ timeline }) => timeline?.marks);
	const before = marks && nextStop(marks, at, -1);
	const behind = marks && nextStop(marks, at, 1);
	const step = (to: number | undefined, way: "back" | "on", words: string) =>
		h(
			"button",
			{
				type: "button",
				class: "plain step",
				disabled: to === undefined,
				onClick: () => to !== undefined && go({ at: to }),
			},
			way === "back" && icon("back"),
			to === undefined ? `No ${words.toLowerCase()}` : `${words} (${count(to)})`,
			way === "on" && icon("on"),
		);
	return h(
		"nav",
		{ class: "steps", "aria-label": "Decisions" },
		step(before, "back", "Decision before"),
		step(behind, "on", "Next decision"),
	);
}

function Decision({ view }: { view: DecisionView }): ComponentChildren {
	const write = usePage(({ session }) => session?.write === true);
	const isNone = view.kind === "none";
	const [asked = "", ...rest] = view.sentence.split(/(?<=[.:]) (?=[A-Z])/);
	return [
		h(
			"header",
			{ class: "decision-head" },
			h(
				"h2",
				null,
				kindTitles[view.kind],
				h("span", { class: "quiet" }, ` before request ${count(view.request)}`),
			),
			h("p", null, asked),
			rest.length > 0 && h("p", { class: "quiet" }, rest.join(" ")),
			h(
				"p",
				{ class: "item-facts" },
				view.trigger !== undefined && h("span", { class: "chip" }, view.trigger),
				h("span", null, h("span", { class: "quiet" }, "policy "), view.policy),
				!isNone && h("span", null, h("span", { class: "quiet" }, "by "), view.actor),
				view.cause !== undefined &&
					h("span", { class: "cut" }, h("span", { class: "quiet" }, "through "), view.cause),
				view.id !== undefined && h("span", { class: "mono quiet cut" }, view.id),
			),
		),
		isDrawn(view) &&
			h(
				Block,
				{ title: "Holding against rewriting", aside: h(Distance, { view }) },
				h(DecisionChart, { view }),
			),
		view.quote && h(QuoteTable, { quote: view.quote, bill: view.bill }),
		h(DecisionLists, { view }),
		write && view.id !== undefined && h(TakeBack, { decision: view.id, isUndo: view.kind === "undo" }),
	];
}

/** Whether the curves show anything: where there was nothing to free, neither leaves the ground. */
function isDrawn({ curve: { holding, rewrite } }: DecisionView): boolean {
	return holding.some((cost) => cost > 0) || rewrite.some((cost) => cost !== null);
}

/** How near the two curves came, in a line. */
function Distance({ view: { curve, unit, kind } }: { view: DecisionView }): ComponentChildren {
	const [holding = 0, rewrite] = [curve.holding.at(-1), curve.rewrite.at(-1) ?? null];
	if (rewrite === null) return h("span", { class: "quiet" }, "nothing to free");
	const crossing = crossingOf(curve);
	const share = `${Math.floor((100 * holding) / Math.max(rewrite, 1e-12))} %`;
	const words = crossing
		? `crossed before request ${count(Math.ceil(crossing.request))}`
		: kind === "none"
			? `${money(rewrite - holding, unit)} short of crossing, ${share} of the way`
			: `decided before they crossed, at ${share} of the way`;
	return h("span", { class: "quiet" }, words);
}
