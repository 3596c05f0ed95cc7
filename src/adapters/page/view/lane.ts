import { drawMark, type LaneMark, rowOf, weightOf } from "./marks.ts";
import { colour, sized } from "./paint.ts";

/** Height of the lane of marks, pixels. */
export const LANE_HEIGHT = 34;

/** Room left and right of the chart for marks at its ends, pixels. */
export const LANE_MARGIN = 6;

/** Room a mark takes, pixels: of those that would stand closer, the heaviest is drawn. */
const ROOM = 10;

const ROWS = [10, 25] as const;

/** A mark as it was drawn, and how many it hides. */
export interface PlacedMark extends LaneMark {
	readonly x: number;
	readonly y: number;
	readonly hides: number;
}

/** What of the session a lane shows, and how wide. */
export interface LaneExtent {
	/** requests from and to, with fractions */
	readonly range: readonly [number, number];
	/** number of the newest request */
	readonly last: number;
	/** of the chart above, pixels */
	readonly width: number;
}

/** Draws the marks of a range along a canvas, and says where each came to stand. */
export function drawLane(
	canvas: HTMLCanvasElement,
	marks: readonly LaneMark[],
	{ range: [from, to], last, width }: LaneExtent,
): PlacedMark[] {
	const context = sized(canvas, width + 2 * LANE_MARGIN, LANE_HEIGHT);
	if (!context || width <= 0) return [];
	context.translate(LANE_MARGIN, 0);
	const placed = new Map<string, PlacedMark>();
	for (const mark of marks) {
		// what was decided behind the last request stands at the end
		const request = Math.min(mark.request, last);
		if (request < from || request > to) continue;
		const x = ((request - from) / (to - from)) * width;
		const row = rowOf(mark.kind);
		const key = `${row} ${Math.floor(x / ROOM)}`;
		const there = placed.get(key);
		const hides = there ? there.hides + 1 : 0;
		if (there && weightOf(there.kind) >= weightOf(mark.kind)) placed.set(key, { ...there, hides });
		else placed.set(key, { ...mark, x, y: ROWS[row], hides });
	}
	context.strokeStyle = colour("--line");
	context.beginPath();
	for (const y of ROWS) {
		context.moveTo(0, y + 0.5);
		context.lineTo(width, y + 0.5);
	}
	context.stroke();
	const drawn = [...placed.values()];
	for (const { kind, x, y } of drawn) drawMark(context, kind, x, y);
	return drawn;
}

/** The mark at a point of the lane, if one is near. */
export function markAt(marks: readonly PlacedMark[], x: number, y: number): PlacedMark | undefined {
	let near: PlacedMark | undefined;
	for (const mark of marks) {
		if (Math.abs(mark.y - y) > 8 || Math.abs(mark.x - x) > 7) continue;
		if (!near || Math.abs(mark.x - x) < Math.abs(near.x - x)) near = mark;
	}
	return near;
}
