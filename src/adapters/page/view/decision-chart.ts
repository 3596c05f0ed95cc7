import { type ComponentChildren, h } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DecisionView } from "../../../debug/decision-view.ts";
import { crossingOf, drawDecision } from "./decision-drawing.ts";
import { count, money } from "./numbers.ts";
import { colour, sized, whenRepainted } from "./paint.ts";
import { useSize } from "./use-size.ts";

const HEIGHT = 188;

/** What not committing had cost against what committing would have cost, request by request up to a decision. */
export function DecisionChart({ view }: { view: DecisionView }): ComponentChildren {
	const { curve, unit } = view;
	const box = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const { width } = useSize(box);
	useLayoutEffect(() => {
		const draw = () => {
			const context = canvas.current && width > 0 && sized(canvas.current, width, HEIGHT);
			if (context) drawDecision(context, { curve, unit, width, height: HEIGHT, colour });
		};
		draw();
		return whenRepainted(draw);
	}, [curve, unit, width]);
	return h(
		"figure",
		{ class: "decision-chart" },
		h(
			"div",
			{ ref: box, style: { height: `${HEIGHT}px` } },
			h("canvas", { ref: canvas, role: "img", "aria-label": spokenCurve(view) }),
		),
		h(
			"figcaption",
			{ class: "quiet" },
			"Solid: as recorded. Dashed: worked out from the log",
			curve.rewriteRecorded.includes(true) ? "; the filled point is the quote." : ".",
		),
	);
}

/** The curves in words: where they begin and end, and where they cross. */
export function spokenCurve({ curve, unit }: Pick<DecisionView, "curve" | "unit">): string {
	const [from = 0, to = 0] = [curve.request[0], curve.request.at(-1)];
	const [holding = 0, rewrite] = [curve.holding.at(-1), curve.rewrite.at(-1) ?? null];
	const crossing = crossingOf(curve);
	return [
		`Requests ${count(from)} to ${count(to)}`,
		`holding had cost ${money(holding, unit)} in the end`,
		rewrite === null ? "a rewrite would have freed nothing" : `a rewrite would cost ${money(rewrite, unit)}`,
		crossing ? `the two cross before request ${count(Math.ceil(crossing.request))}` : "the two do not cross",
	].join("; ");
}
