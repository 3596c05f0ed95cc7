import type { Timeline } from "../../../debug/timeline.ts";
import { drawMark, laneMarks, rowOf } from "./marks.ts";
import { count, money, short } from "./numbers.ts";
import { DRAWN_FONT, drawLine, type Pen, ticksUpTo } from "./pen.ts";
import type { Overlay } from "./state.ts";

/** What the picture of a timeline is drawn from. */
export interface DrawnTimeline {
	readonly timeline: Timeline;
	readonly overlay: Overlay | undefined;
	/** requests from and to */
	readonly range: readonly [number, number];
	/** playhead, and the one it is compared with */
	readonly at: number;
	readonly beside: number | undefined;
	readonly width: number;
	readonly height: number;
	/** what a custom property comes to */
	readonly colour: (property: string) => string;
}

interface Scales {
	readonly toX: (request: number) => number;
	readonly toY: (tokens: number) => number;
	readonly toMoney: (cost: number) => number;
	readonly left: number;
	readonly right: number;
	readonly bottom: number;
}

const [LEFT, RIGHT, TOP, LANE] = [56, 64, 40, 62];

/** Draws a timeline as the page shows it: windows as areas, limits and money as lines, marks below, the playheads. */
export function drawTimeline(pen: Pen, drawn: DrawnTimeline): void {
	const { timeline, overlay, range, width, height, colour } = drawn;
	const inside = timeline.request.flatMap((request, place) =>
		request >= range[0] && request <= range[1] ? place : [],
	);
	const at = <T>(column: readonly T[]) => inside.map((place) => column[place] as T);
	const requests = at(timeline.request);
	const most = Math.max(1, ...at(timeline.tokens), ...(overlay?.tokens ?? []));
	const budget = Math.max(...at(timeline.budget), 0);
	const top = budget <= most * 2.2 ? Math.max(budget, most) * 1.08 : most * 1.12;
	const topMoney = (Math.max(...at(timeline.spent), ...(overlay?.spent ?? []), 0) || 1) * 1.08;
	const bottom = height - LANE;
	const span = Math.max(1, range[1] - range[0]);
	const scales: Scales = {
		toX: (request) => LEFT + ((request - range[0]) / span) * (width - LEFT - RIGHT),
		toY: (tokens) => bottom - (tokens / top) * (bottom - TOP),
		toMoney: (cost) => bottom - (cost / topMoney) * (bottom - TOP),
		left: LEFT,
		right: width - RIGHT,
		bottom,
	};
	axes(pen, drawn, scales, top, topMoney);
	const points = (values: readonly number[], toY: (value: number) => number, along = requests) =>
		values.map((value, index) => [scales.toX(along[index] ?? 0), toY(value)] as const);
	for (const [values, property] of [
		[at(timeline.tokens), "--occupancy"],
		[at(timeline.foldable), "--foldable"],
	] as const) {
		area(pen, points(values, scales.toY), bottom, [colour(property), colour(`${property}-fill`)]);
	}
	const line = (property: string, dash: number[], drawnPoints: ReturnType<typeof points>) => {
		pen.strokeStyle = colour(property);
		pen.setLineDash(dash);
		pen.lineWidth = 1.25;
		drawLine(pen, drawnPoints);
		pen.setLineDash([]);
	};
	if (budget <= top) line("--limit", [5, 4], points(at(timeline.budget), scales.toY));
	line(
		"--limit",
		[1, 3],
		points(
			at(timeline.floor).map((floor) => Math.min(floor, top)),
			scales.toY,
		),
	);
	line("--money", [], points(at(timeline.spent), scales.toMoney));
	if (overlay) {
		const there = overlay.request.flatMap((request, place) =>
			request >= range[0] && request <= range[1] ? place : [],
		);
		const along = there.map((place) => overlay.request[place] ?? 0);
		line(
			"--other",
			[6, 3],
			points(
				there.map((place) => overlay.tokens[place] ?? 0),
				scales.toY,
				along,
			),
		);
		line(
			"--other",
			[2, 3],
			points(
				there.map((place) => overlay.spent[place] ?? 0),
				scales.toMoney,
				along,
			),
		);
	}
	lane(pen, drawn, scales);
	playhead(pen, drawn, scales, drawn.beside, true);
	playhead(pen, drawn, scales, drawn.at, false);
	legend(pen, drawn);
}

function axes(
	pen: Pen,
	{ timeline, range, colour }: DrawnTimeline,
	scales: Scales,
	top: number,
	topMoney: number,
): void {
	pen.font = DRAWN_FONT;
	pen.lineWidth = 1;
	pen.textBaseline = "middle";
	pen.strokeStyle = colour("--line");
	pen.fillStyle = colour("--text-3");
	pen.textAlign = "right";
	for (const tokens of ticksUpTo(top, 4)) {
		const y = Math.round(scales.toY(tokens)) + 0.5;
		drawLine(pen, [
			[scales.left, y],
			[scales.right, y],
		]);
		pen.fillText(short(tokens), scales.left - 8, y);
	}
	pen.textAlign = "left";
	for (const cost of ticksUpTo(topMoney, 3).slice(1)) {
		pen.fillText(money(cost, timeline.unit), scales.right + 8, scales.toMoney(cost));
	}
	pen.textAlign = "center";
	const [first = 0, second = 1] = ticksUpTo(Math.max(1, range[1] - range[0]), 8);
	const step = Math.max(1, Math.round(second - first));
	for (let request = Math.ceil(range[0] / step) * step; request <= range[1]; request += step) {
		pen.fillText(count(request), scales.toX(request), scales.bottom + 12);
	}
}

function area(
	pen: Pen,
	points: readonly (readonly [number, number])[],
	bottom: number,
	[stroke, fill]: readonly [string, string],
): void {
	const [first, last] = [points[0], points.at(-1)];
	if (!first || !last) return;
	pen.beginPath();
	pen.moveTo(first[0], bottom);
	for (const point of points) pen.lineTo(...point);
	pen.lineTo(last[0], bottom);
	pen.closePath();
	pen.fillStyle = fill;
	pen.fill();
	pen.strokeStyle = stroke;
	pen.lineWidth = 1.25;
	drawLine(pen, points);
}

function lane(
	pen: Pen,
	{ timeline, overlay, range, colour }: DrawnTimeline,
	{ toX, left, right, bottom }: Scales,
): void {
	pen.strokeStyle = colour("--line");
	pen.lineWidth = 1;
	for (const row of [0, 1]) {
		const y = bottom + 32.5 + 16 * row;
		drawLine(pen, [
			[left, y],
			[right, y],
		]);
	}
	for (const { kind, request } of laneMarks(timeline, overlay)) {
		const placed = Math.min(request, timeline.requests);
		if (placed < range[0] || placed > range[1]) continue;
		drawMark(pen, kind, toX(placed), bottom + 32 + 16 * rowOf(kind));
	}
}

function playhead(
	pen: Pen,
	{ range, colour }: DrawnTimeline,
	{ toX, bottom }: Scales,
	request: number | undefined,
	isHeld: boolean,
): void {
	if (request === undefined || request < range[0] || request > range[1]) return;
	const x = toX(request);
	pen.strokeStyle = pen.fillStyle = colour("--accent");
	pen.lineWidth = 1.5;
	pen.setLineDash(isHeld ? [4, 3] : []);
	drawLine(pen, [
		[x, TOP - 6],
		[x, bottom + 54],
	]);
	pen.setLineDash([]);
	pen.font = `600 ${DRAWN_FONT}`;
	pen.textAlign = "center";
	pen.textBaseline = "middle";
	pen.fillText(count(request), x, TOP - 13);
	pen.font = DRAWN_FONT;
}

function legend(pen: Pen, { overlay, width, colour }: DrawnTimeline): void {
	const entries: [string, string, number[]][] = [
		["window", "--occupancy", []],
		["foldable", "--foldable", []],
		["budget", "--limit", [5, 4]],
		["floor", "--limit", [1, 3]],
		["cost", "--money", []],
		...(overlay ? [[overlay.label, "--other", [6, 3]] as [string, string, number[]]] : []),
	];
	pen.textAlign = "left";
	pen.textBaseline = "middle";
	let x = width - RIGHT - entries.reduce((sum, [words]) => sum + 38 + words.length * 6, 0);
	for (const [words, property, dash] of entries) {
		pen.strokeStyle = colour(property);
		pen.lineWidth = 2;
		pen.setLineDash(dash);
		drawLine(pen, [
			[x, 12],
			[x + 16, 12],
		]);
		pen.setLineDash([]);
		pen.fillStyle = colour("--text-2");
		pen.fillText(words, x + 22, 12);
		x += 38 + words.length * 6;
	}
}
