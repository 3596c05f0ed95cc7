import { type ComponentChildren, h } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Timeline as TimelineAnswer } from "../../../debug/timeline.ts";
import { Chart } from "./chart.ts";
import { useFigures } from "./figures.ts";
import { drawLane, LANE_HEIGHT, LANE_MARGIN, markAt, type PlacedMark } from "./lane.ts";
import { kindWords, laneMarks } from "./marks.ts";
import { Failure } from "./notices.ts";
import { count, counted, money, short, timeOf } from "./numbers.ts";
import { whenRepainted } from "./paint.ts";
import { usePage } from "./state.ts";
import { type Hover, usePointer } from "./timeline-pointer.ts";
import { TimelineTools } from "./timeline-tools.ts";
import { useSize } from "./use-size.ts";
import { placeOf, useTimeline } from "./use-timeline.ts";
import { shown } from "./zoom.ts";

/** The whole session over the width of the page: chart, lane of marks, playhead. */
export function Timeline(): ComponentChildren {
	const { timeline, error } = useTimeline();
	return h(
		"section",
		{ class: "timeline", "aria-label": "Timeline" },
		h(TimelineTools, null),
		timeline && timeline.request.length > 0
			? h(Plot, { timeline })
			: h("div", { class: "plot empty" }, error && h(Failure, { error })),
	);
}

function Plot({ timeline }: { timeline: TimelineAnswer }): ComponentChildren {
	const zoom = usePage((state) => state.zoom);
	const overlay = usePage((state) => state.overlay);
	const all = usePage(({ session }) => session?.requests ?? 0);
	const frame = useRef<HTMLDivElement>(null);
	const bed = useRef<HTMLDivElement>(null);
	const lane = useRef<HTMLCanvasElement>(null);
	const chart = useRef<Chart | undefined>(undefined);
	const placed = useRef<PlacedMark[]>([]);
	const size = useSize(bed);
	const [inner, setInner] = useState({ left: 0, width: 0 });
	const range = useMemo(shown, [zoom, all]);
	const marks = useMemo(() => laneMarks(timeline, overlay), [timeline, overlay]);

	useLayoutEffect(() => {
		const element = bed.current;
		if (!element || size.width < 50 || size.height < 40) return;
		const drawn = { timeline, overlay, range };
		if (chart.current) {
			chart.current.resize(size);
			chart.current.show(drawn);
		} else chart.current = new Chart(element, drawn, size);
		// uPlot lays out in a microtask
		queueMicrotask(() => {
			const now = chart.current?.inner;
			if (now) setInner((was) => (was.left === now.left && was.width === now.width ? was : now));
		});
	}, [timeline, overlay, range, size]);
	useEffect(() => () => chart.current?.close(), []);
	useLayoutEffect(() => {
		const draw = () => {
			if (lane.current)
				placed.current = drawLane(lane.current, marks, { range, last: all, width: inner.width });
		};
		draw();
		return whenRepainted(() => {
			draw();
			chart.current?.repaint();
		});
	}, [marks, range, inner, all]);

	const hover = usePointer(frame, { inner, range, select: (from, to) => chart.current?.select(from, to) });
	const toX = (request: number) => ((request - range[0]) / (range[1] - range[0])) * inner.width;
	return h(
		"div",
		{ class: "plot", ref: frame },
		h("div", { class: "bed", ref: bed, "aria-hidden": "true" }),
		h("canvas", {
			class: "lane",
			ref: lane,
			"aria-hidden": "true",
			style: {
				marginLeft: `${inner.left - LANE_MARGIN}px`,
				width: `${inner.width + 2 * LANE_MARGIN}px`,
				height: `${LANE_HEIGHT}px`,
			},
		}),
		inner.width > 0 && h(Playheads, { left: inner.left, toX, range, timeline }),
		hover && h(Tip, { hover, inner, timeline, placed: placed.current, toX }),
	);
}

interface PlayheadsProps {
	readonly left: number;
	readonly toX: (request: number) => number;
	readonly range: readonly [number, number];
	readonly timeline: TimelineAnswer;
}

function Playheads({ left, toX, range, timeline }: PlayheadsProps): ComponentChildren {
	const at = usePage((state) => state.at);
	const beside = usePage((state) => state.beside);
	const all = usePage(({ session }) => session?.requests ?? 0);
	const inside = (request: number) => request >= range[0] && request <= range[1];
	const figures = useFigures(at);
	const here = timeline.marks
		.filter(({ request }) => request === at)
		.map(({ kind, label }) => `${kindWords[kind]}: ${label}`);
	const spoken = [
		`Request ${count(at)} of ${count(all)}`,
		...(figures
			? [
					`${figures.about}${short(figures.tokens)} of ${short(figures.budget)} tokens`,
					`${figures.about}${money(figures.spent, figures.unit)} spent`,
				]
			: []),
		...here.slice(0, 3),
	];
	return [
		beside !== undefined &&
			inside(beside) &&
			h(
				"div",
				{ class: "playhead beside", "aria-hidden": "true", style: { left: `${left + toX(beside)}px` } },
				h("span", { class: "flag", style: { marginLeft: `${asideBy(at, beside, toX)}px` } }, count(beside)),
			),
		h(
			"div",
			{
				class: inside(at) ? "playhead" : "playhead outside",
				role: "slider",
				tabIndex: 0,
				"aria-label": "Playhead",
				"aria-valuemin": 1,
				"aria-valuemax": all,
				"aria-valuenow": at,
				"aria-valuetext": spoken.join(", "),
				style: { left: `${left + toX(Math.min(range[1], Math.max(range[0], at)))}px` },
			},
			h("span", { class: "flag" }, count(at)),
		),
	];
}

/** How far the flag of the held playhead is to be moved for that of the other not to cover it, pixels. */
function asideBy(at: number, beside: number, toX: (request: number) => number): number {
	const [distance, room] = [toX(beside) - toX(at), (flagWidth(at) + flagWidth(beside)) / 2 + 2];
	if (at === beside || Math.abs(distance) >= room) return 0;
	return distance < 0 ? -room - distance : room - distance;
}

/** About, pixels. */
function flagWidth(request: number): number {
	return 12 + 7 * count(request).length;
}

interface TipProps {
	readonly hover: Hover;
	readonly inner: { readonly left: number; readonly width: number };
	readonly timeline: TimelineAnswer;
	readonly placed: readonly PlacedMark[];
	readonly toX: (request: number) => number;
}

/** What stands under the pointer. */
function Tip({ hover, inner, timeline, placed }: TipProps): ComponentChildren {
	const place = placeOf(timeline, hover.request);
	const mark = hover.laneY === undefined ? undefined : markAt(placed, hover.x, hover.laneY);
	// where a place stands for several requests, its figures are those of one of them
	const request = mark?.request ?? timeline.request[place] ?? hover.request;
	const right = hover.x > inner.width / 2;
	const lines = mark
		? [
				`${kindWords[mark.kind]}: ${mark.label}`,
				...(mark.hides > 0 ? [`and ${counted(mark.hides, "more mark")} here`] : []),
			]
		: [
				`${short(timeline.tokens[place] ?? 0)} of ${short(timeline.budget[place] ?? 0)} tokens`,
				`${short(timeline.foldable[place] ?? 0)} foldable`,
				`${money(timeline.spent[place] ?? 0, timeline.unit)} spent`,
			];
	return h(
		"div",
		{
			class: right ? "tip right" : "tip",
			"aria-hidden": "true",
			style: { left: `${inner.left + hover.x}px` },
		},
		h(
			"div",
			{ class: "tip-head" },
			`Request ${count(request)}`,
			h("span", null, timeOf(timeline.time[place] ?? 0)),
		),
		lines.map((line) => h("div", null, line)),
	);
}
