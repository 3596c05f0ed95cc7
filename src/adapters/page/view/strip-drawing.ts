import type { WindowView } from "../../../debug/window-view.ts";
import { count } from "./numbers.ts";
import { DRAWN_FONT } from "./pen.ts";
import { lookOf } from "./standings.ts";
import type { SvgPen } from "./svg-pen.ts";

/** Items wider than this are kept apart by a line, pixels. */
const APART = 4;

interface DrawnStrip {
	readonly view: WindowView;
	readonly width: number;
	readonly height: number;
	/** what a custom property comes to */
	readonly colour: (property: string) => string;
}

/** Draws a window to scale, as the page shows it, with what the colours mean below. */
export function drawStrip(pen: SvgPen, { view, width, height, colour }: DrawnStrip): void {
	const bottom = height - 32;
	const scale =
		width /
		Math.max(
			1,
			view.rows.reduce((sum, { tokens }) => sum + tokens, view.base),
		);
	const texture = colour("--texture");
	pen.fillStyle = pen.textured(colour("--base"), "hatch", texture);
	pen.fillRect(0, 0, view.base * scale, bottom);
	let x = view.base * scale;
	for (const { standing, tokens } of view.rows) {
		const wide = tokens * scale;
		const look = lookOf(standing);
		pen.fillStyle =
			wide > APART ? pen.textured(colour(look.colour), look.texture, texture) : colour(look.colour);
		pen.fillRect(x, 0, Math.max(0.5, wide), bottom);
		x += wide;
		if (wide > APART) {
			pen.fillStyle = colour("--surface");
			pen.fillRect(x - 0.5, 0, 1, bottom);
		}
	}
	const tokens = new Map<string, number>();
	for (const row of view.rows) tokens.set(row.standing, (tokens.get(row.standing) ?? 0) + row.tokens);
	pen.font = DRAWN_FONT;
	pen.textAlign = "left";
	pen.textBaseline = "middle";
	let at = 0;
	const entry = (fill: string, words: string) => {
		pen.fillStyle = fill;
		pen.fillRect(at, bottom + 14, 10, 10);
		pen.fillStyle = colour("--text-2");
		pen.fillText(words, at + 16, bottom + 19);
		at += 34 + words.length * 6.2;
	};
	entry(pen.textured(colour("--base"), "hatch", texture), `prompt ${count(view.base)}`);
	for (const [standing, sum] of tokens) {
		const look = lookOf(standing);
		entry(pen.textured(colour(look.colour), look.texture, texture), `${look.word} ${count(sum)}`);
	}
}
