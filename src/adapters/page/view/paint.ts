import type { Texture } from "./standings.ts";
import { follow } from "./state.ts";

const colours = new Map<string, string>();
const patterns = new Map<string, CanvasPattern | string>();
const onRepaint = new Set<() => void>();
let probe: HTMLElement | undefined;

/** What a custom property such as `--raw` comes to in the theme there is. */
export function colour(property: string): string {
	const there = colours.get(property);
	if (there !== undefined) return there;
	if (!probe) {
		probe = document.createElement("span");
		probe.hidden = true;
		document.body.append(probe);
	}
	probe.style.color = `var(${property})`;
	const found = getComputedStyle(probe).color;
	colours.set(property, found);
	return found;
}

/** A colour with a texture on it, to fill with. */
export function fill(
	context: CanvasRenderingContext2D,
	property: string,
	texture: Texture,
): CanvasPattern | string {
	if (texture === "plain") return colour(property);
	const key = `${property} ${texture}`;
	const there = patterns.get(key);
	if (there !== undefined) return there;
	const made = context.createPattern(tile(property, texture), "repeat") ?? colour(property);
	patterns.set(key, made);
	return made;
}

/** Calls back when colours are others: the theme was changed here or in the system. Returns what ends it. */
export function whenRepainted(draw: () => void): () => void {
	onRepaint.add(draw);
	return () => onRepaint.delete(draw);
}

/** Device pixels to a pixel of style. */
export function density(): number {
	return Math.max(1, window.devicePixelRatio || 1);
}

/** Sizes a canvas to its box, ready to be drawn on in pixels of style; empty. */
export function sized(
	canvas: HTMLCanvasElement,
	width: number,
	height: number,
): CanvasRenderingContext2D | undefined {
	const scale = density();
	canvas.width = Math.round(width * scale);
	canvas.height = Math.round(height * scale);
	const context = canvas.getContext("2d") ?? undefined;
	context?.setTransform(scale, 0, 0, scale, 0, 0);
	return context;
}

/** Keeps the theme of the document as the state has it, and forgets colours that no longer hold. */
export function keepTheme(): () => void {
	const repaint = () => {
		colours.clear();
		patterns.clear();
		for (const draw of onRepaint) draw();
	};
	const dark = matchMedia("(prefers-color-scheme: dark)");
	dark.addEventListener("change", repaint);
	const unfollow = follow((now, before) => {
		if (now.theme === before.theme) return;
		if (now.theme === "system") delete document.documentElement.dataset.theme;
		else document.documentElement.dataset.theme = now.theme;
		repaint();
	});
	return () => {
		dark.removeEventListener("change", repaint);
		unfollow();
	};
}

function tile(property: string, texture: Texture): HTMLCanvasElement {
	const side = 6;
	const canvas = document.createElement("canvas");
	const context = sized(canvas, side, side);
	if (!context) return canvas;
	context.fillStyle = colour(property);
	context.fillRect(0, 0, side, side);
	context.fillStyle = context.strokeStyle = colour("--texture");
	context.lineWidth = 1.25;
	context.beginPath();
	if (texture === "hatch") {
		for (const shift of [-side, 0, side]) {
			context.moveTo(shift, side);
			context.lineTo(shift + side, 0);
		}
	} else if (texture === "lines") {
		context.moveTo(0, side / 2);
		context.lineTo(side, side / 2);
	} else {
		context.arc(side / 2, side / 2, 1, 0, 2 * Math.PI);
		context.fill();
	}
	context.stroke();
	return canvas;
}
