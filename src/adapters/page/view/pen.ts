/** What drawings are made with: a canvas, or what writes SVG instead. */
export type Pen = Pick<
	CanvasRenderingContext2D,
	| "arc"
	| "beginPath"
	| "closePath"
	| "fill"
	| "fillRect"
	| "fillStyle"
	| "fillText"
	| "font"
	| "lineTo"
	| "lineWidth"
	| "moveTo"
	| "rect"
	| "setLineDash"
	| "stroke"
	| "strokeStyle"
	| "textAlign"
	| "textBaseline"
>;

/** The font of drawings, as the page has it. */
export const DRAWN_FONT = "11px system-ui, sans-serif";

/** Draws points as a line; a new line begins behind each point that is missing. */
export function drawLine(pen: Pen, points: readonly (readonly [number, number] | undefined)[]): void {
	pen.beginPath();
	let isDown = false;
	for (const point of points) {
		if (!point) isDown = false;
		else if (isDown) pen.lineTo(...point);
		else {
			pen.moveTo(...point);
			isDown = true;
		}
	}
	pen.stroke();
}

/** A few round values from 0 to at most `top`, for an axis. */
export function ticksUpTo(top: number, about: number): number[] {
	if (!(top > 0)) return [0];
	const rough = top / about;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
	return Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, index) => index * step);
}
