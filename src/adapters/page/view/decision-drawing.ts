import type { DecisionCurve } from "../../../debug/decision-curve.ts";
import { count, money } from "./numbers.ts";
import { DRAWN_FONT, drawLine, type Pen, ticksUpTo } from "./pen.ts";

/** What the two curves of a decision are drawn from. */
export interface DrawnDecision {
	readonly curve: DecisionCurve;
	readonly unit: "usd" | "token";
	readonly width: number;
	readonly height: number;
	/** what a custom property comes to */
	readonly colour: (property: string) => string;
}

/** Where holding reaches rewriting. */
export interface Crossing {
	/** with a fraction, between two requests */
	readonly request: number;
	readonly cost: number;
}

const [LEFT, TOP, BOTTOM] = [56, 14, 24];

/** Where the curve of holding first reaches that of rewriting, between two points that both have. */
export function crossingOf({ request, holding, rewrite }: DecisionCurve): Crossing | undefined {
	for (let index = 0; index < request.length; index++) {
		const [now, held, would] = [request[index] ?? 0, holding[index] ?? 0, rewrite[index] ?? null];
		if (would === null || held < would) continue;
		const [earlier, heldBefore, wouldBefore] = [
			request[index - 1],
			holding[index - 1] ?? 0,
			rewrite[index - 1] ?? null,
		];
		if (earlier === undefined || wouldBefore === null) return { request: now, cost: held };
		const gap = wouldBefore - heldBefore;
		const share = gap / (gap + held - would || 1);
		return { request: earlier + share * (now - earlier), cost: heldBefore + share * (held - heldBefore) };
	}
	return undefined;
}

/** Draws the two curves with their names and values at their ends, and where they cross. */
export function drawDecision(pen: Pen, drawn: DrawnDecision): void {
	const { curve, width, height, colour } = drawn;
	const right = Math.min(132, Math.max(104, width * 0.24));
	const [from = 0, to = 1] = [curve.request[0], curve.request.at(-1)];
	const top = Math.max(...curve.holding, ...curve.rewrite.map((value) => value ?? 0), 1e-9) * 1.12;
	const toX = (request: number) =>
		LEFT + (to === from ? 1 : (request - from) / (to - from)) * (width - LEFT - right);
	const toY = (cost: number) => height - BOTTOM - (Math.max(0, cost) / top) * (height - TOP - BOTTOM);
	pen.font = DRAWN_FONT;
	pen.lineWidth = 1;
	axes(pen, drawn, { from, to, top, right, toX, toY });

	const points = (values: readonly (number | null)[]) =>
		values.map((value, index) =>
			value === null ? undefined : ([toX(curve.request[index] ?? 0), toY(value)] as const),
		);
	const rewrite = points(curve.rewrite);
	pen.lineWidth = 1.75;
	pen.strokeStyle = colour("--money");
	pen.setLineDash([5, 3]);
	drawLine(pen, rewrite);
	pen.setLineDash([]);
	pen.strokeStyle = colour("--mark-ours");
	drawLine(pen, points(curve.holding));
	for (const [index, point] of rewrite.entries()) {
		if (!point || curve.rewriteRecorded[index] !== true) continue;
		pen.fillStyle = colour("--money");
		pen.beginPath();
		pen.arc(...point, 3.5, 0, 2 * Math.PI);
		pen.fill();
	}

	const crossing = crossingOf(curve);
	if (crossing) {
		pen.strokeStyle = pen.fillStyle = colour("--accent");
		pen.lineWidth = 1.5;
		pen.beginPath();
		pen.arc(toX(crossing.request), toY(crossing.cost), 6, 0, 2 * Math.PI);
		pen.stroke();
		pen.textAlign = "right";
		pen.textBaseline = "middle";
		pen.fillText("crossing", toX(crossing.request) - 11, toY(crossing.cost) - 8);
	}
	names(pen, drawn, { x: width - right + 10, toY });
}

interface Scales {
	readonly from: number;
	readonly to: number;
	readonly top: number;
	readonly right: number;
	readonly toX: (request: number) => number;
	readonly toY: (cost: number) => number;
}

function axes(
	pen: Pen,
	{ unit, width, height, colour }: DrawnDecision,
	{ from, to, top, right, toX, toY }: Scales,
): void {
	pen.strokeStyle = colour("--line");
	pen.fillStyle = colour("--text-3");
	pen.textBaseline = "middle";
	pen.textAlign = "right";
	for (const cost of ticksUpTo(top, 4)) {
		const y = Math.round(toY(cost)) + 0.5;
		drawLine(pen, [
			[LEFT, y],
			[width - right, y],
		]);
		pen.fillText(cost === 0 ? "0" : money(cost, unit), LEFT - 8, y);
	}
	pen.textAlign = "center";
	const middle = Math.round((from + to) / 2);
	const shown = to - from < 2 ? [from, to] : [from, middle, to];
	for (const request of new Set(shown)) pen.fillText(count(request), toX(request), height - 9);
}

/** Names and last values stand at the ends of the curves, two lines each, never in each other's way. */
function names(
	pen: Pen,
	{ curve, unit, height, colour }: DrawnDecision,
	{ x, toY }: { x: number; toY: Scales["toY"] },
): void {
	const ends = [
		{ name: "holding", value: curve.holding.at(-1) ?? null, property: "--mark-ours" },
		{ name: "rewriting", value: curve.rewrite.at(-1) ?? null, property: "--money" },
	].flatMap(({ value, ...end }) => (value === null ? [] : [{ ...end, value, y: toY(value) }]));
	ends.sort((a, b) => a.y - b.y);
	const [upper, lower] = ends;
	if (upper && lower && lower.y - upper.y < 34) {
		const middle = Math.min(height - BOTTOM - 30, Math.max(TOP + 28, (upper.y + lower.y) / 2));
		[upper.y, lower.y] = [middle - 17, middle + 17];
	}
	pen.textAlign = "left";
	pen.textBaseline = "middle";
	for (const { name, value, property, y } of ends) {
		pen.fillStyle = colour(property);
		pen.font = `600 ${DRAWN_FONT}`;
		pen.fillText(name, x, y - 7);
		pen.font = DRAWN_FONT;
		pen.fillStyle = colour("--text-2");
		pen.fillText(money(value, unit), x, y + 7);
	}
}
