import type { Timeline } from "../../../debug/timeline.ts";
import type { MarkKind } from "../../../debug/timeline-marks.ts";
import { colour } from "./paint.ts";
import type { Pen } from "./pen.ts";
import type { Overlay } from "./state.ts";

/**
 * What the lane beneath the chart can show. `cold` is no decision: the cache had expired; `other` is a commit of the
 * history laid over this one.
 */
export type LaneKind = MarkKind | "cold" | "other";

/** What each is called. */
export const kindWords: Readonly<Record<LaneKind, string>> = {
	commit: "commit",
	observed: "commit only watched",
	undo: "undo",
	expand: "expand",
	refold: "refold",
	pin: "pin",
	unpin: "pin lifted",
	mark: "checkpoint mark",
	brief: "brief",
	compaction: "compaction",
	fork: "fork",
	leaf: "branch",
	pause: "engine paused",
	model: "another model",
	cold: "cold cache",
	other: "commit of the history laid over",
};

/** Something drawn in the lane, at a request. */
export interface LaneMark {
	readonly kind: LaneKind;
	readonly request: number;
	readonly label: string;
	readonly id?: string;
}

/** Decisions stand in the upper row, in this order of weight. */
const OURS: readonly LaneKind[] = [
	"commit",
	"undo",
	"expand",
	"refold",
	"pin",
	"unpin",
	"mark",
	"observed",
	"other",
	"brief",
];

/** What the host or the session did stands in the lower row. */
const HOST: readonly LaneKind[] = ["compaction", "fork", "leaf", "pause", "model", "cold"];

/** Decisions the keys `[` and `]` stop at: those that change what the model sees. */
const STOPS: ReadonlySet<LaneKind> = new Set([
	"commit",
	"undo",
	"expand",
	"refold",
	"pin",
	"unpin",
	"compaction",
	"leaf",
	"fork",
]);

/** Row of a mark in the lane: 0 ours, 1 the host's. */
export function rowOf(kind: LaneKind): 0 | 1 {
	return HOST.includes(kind) ? 1 : 0;
}

/** Weight of a mark: where two stand in one place, the heavier is drawn. */
export function weightOf(kind: LaneKind): number {
	const row = rowOf(kind) === 0 ? OURS : HOST;
	return row.length - row.indexOf(kind);
}

/** All marks of a timeline, those of cold requests and of what is laid over it among them, by request. */
export function laneMarks(timeline: Timeline, overlay: Overlay | undefined): LaneMark[] {
	const marks: LaneMark[] = [...timeline.marks];
	for (const [place, cold] of timeline.cold.entries()) {
		const request = timeline.request[place];
		if (cold && request !== undefined && request > 1) {
			marks.push({ kind: "cold", request, label: "it had expired" });
		}
	}
	for (const request of overlay?.commitAt ?? []) {
		marks.push({ kind: "other", request, label: overlay?.label ?? "" });
	}
	return marks.sort((a, b) => a.request - b.request);
}

/** The request of the decision next to one, before it (-1) or behind it (1). */
export function nextStop(marks: Timeline["marks"], at: number, way: 1 | -1): number | undefined {
	let found: number | undefined;
	for (const { kind, request } of marks) {
		if (!STOPS.has(kind) || (request - at) * way <= 0) continue;
		if (found === undefined || (request - found) * way < 0) found = request;
	}
	return found;
}

/** Draws a mark of about nine pixels around a point. Shapes differ, so that colour is never all there is. */
export function drawMark(context: Pen, kind: LaneKind, x: number, y: number): void {
	context.fillStyle = context.strokeStyle = colour(colourOf(kind));
	context.lineWidth = 1.4;
	context.beginPath();
	switch (kind) {
		case "commit":
			polygon(context, [x, y - 4.5], [x + 4.5, y + 4], [x - 4.5, y + 4]);
			context.fill();
			return;
		case "observed":
		case "other":
			polygon(context, [x, y - 4.5], [x + 4.5, y + 4], [x - 4.5, y + 4]);
			break;
		case "undo":
			polygon(context, [x - 4.5, y], [x + 4, y - 4.5], [x + 4, y + 4.5]);
			break;
		case "expand":
			lines(context, [x - 4, y, x + 4, y], [x, y - 4, x, y + 4]);
			break;
		case "refold":
			lines(context, [x - 4, y, x + 4, y]);
			break;
		case "pin":
			context.arc(x, y, 3.5, 0, 2 * Math.PI);
			context.fill();
			return;
		case "unpin":
			context.arc(x, y, 3.5, 0, 2 * Math.PI);
			break;
		case "mark":
			context.rect(x - 3, y - 3, 6, 6);
			break;
		case "brief":
			context.arc(x, y, 1.5, 0, 2 * Math.PI);
			context.fill();
			return;
		case "compaction":
			context.fillRect(x - 4, y - 4, 8, 8);
			return;
		case "fork":
			lines(context, [x, y + 4.5, x, y], [x, y, x - 4, y - 4.5], [x, y, x + 4, y - 4.5]);
			break;
		case "leaf":
			polygon(context, [x, y - 4.5], [x + 4.5, y], [x, y + 4.5], [x - 4.5, y]);
			break;
		case "pause":
			context.fillRect(x - 3.5, y - 4, 2.5, 8);
			context.fillRect(x + 1, y - 4, 2.5, 8);
			return;
		case "model":
			lines(context, [x, y - 5, x, y + 5], [x - 3.5, y - 5, x + 3.5, y - 5]);
			break;
		case "cold":
			for (const turn of [0, Math.PI / 3, (2 * Math.PI) / 3]) {
				const [across, down] = [Math.cos(turn) * 3.5, Math.sin(turn) * 3.5];
				lines(context, [x - across, y - down, x + across, y + down]);
			}
			context.lineWidth = 1;
			break;
		default:
			kind satisfies never;
	}
	context.stroke();
}

function colourOf(kind: LaneKind): `--${string}` {
	if (kind === "cold") return "--mark-cold";
	if (kind === "other") return "--other";
	return rowOf(kind) === 0 ? "--mark-ours" : "--mark-host";
}

function polygon(context: Pen, ...points: readonly [number, number][]): void {
	for (const [index, [x, y]] of points.entries()) {
		if (index === 0) context.moveTo(x, y);
		else context.lineTo(x, y);
	}
	context.closePath();
}

function lines(context: Pen, ...each: readonly [number, number, number, number][]): void {
	for (const [x, y, toX, toY] of each) {
		context.moveTo(x, y);
		context.lineTo(toX, toY);
	}
}
