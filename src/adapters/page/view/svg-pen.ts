import type { Pen } from "./pen.ts";
import type { Texture } from "./standings.ts";

/** What a picture is called, and what it shows in words. */
export interface PictureWords {
	readonly title: string;
	readonly description: string;
}

const ANCHORS: Readonly<Record<string, string>> = { center: "middle", right: "end", end: "end" };

/** Draws as a canvas does, and writes it as SVG that needs nothing from elsewhere. */
export class SvgPen implements Pen {
	fillStyle: Pen["fillStyle"] = "#000";
	strokeStyle: Pen["strokeStyle"] = "#000";
	lineWidth = 1;
	font = "11px sans-serif";
	textAlign: CanvasTextAlign = "left";
	textBaseline: CanvasTextBaseline = "alphabetic";
	readonly #width: number;
	readonly #height: number;
	readonly #shapes: string[] = [];
	readonly #patterns = new Map<string, string>();
	#path: string[] = [];
	#dash: readonly number[] = [];
	#across = 0;
	#down = 0;

	/** A picture of this size, in pixels of style. */
	constructor(width: number, height: number) {
		this.#width = width;
		this.#height = height;
	}

	/** What is drawn from here on stands further right and down. */
	translate(across: number, down: number): void {
		this.#across += across;
		this.#down += down;
	}

	beginPath(): void {
		this.#path = [];
	}

	closePath(): void {
		this.#path.push("Z");
	}

	moveTo(x: number, y: number): void {
		this.#path.push(`M${this.#x(x)} ${this.#y(y)}`);
	}

	lineTo(x: number, y: number): void {
		this.#path.push(`L${this.#x(x)} ${this.#y(y)}`);
	}

	rect(x: number, y: number, width: number, height: number): void {
		this.#path.push(`M${this.#x(x)} ${this.#y(y)}h${short(width)}v${short(height)}h${short(-width)}Z`);
	}

	/** Whole circles alone are drawn. */
	arc(x: number, y: number, radius: number): void {
		const [r, d] = [short(radius), short(2 * radius)];
		this.#path.push(
			`M${this.#x(x - radius)} ${this.#y(y)}a${r} ${r} 0 1 0 ${d} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0`,
		);
	}

	setLineDash(dash: Iterable<number>): void {
		this.#dash = [...dash];
	}

	fill(): void {
		this.#shapes.push(`<path d="${this.#path.join("")}" ${paint("fill", this.fillStyle)}/>`);
	}

	stroke(): void {
		if (this.#path.length === 0) return;
		const dash = this.#dash.length > 0 ? ` stroke-dasharray="${this.#dash.join(" ")}"` : "";
		this.#shapes.push(
			`<path d="${this.#path.join("")}" fill="none" ${paint("stroke", this.strokeStyle)} stroke-width="${short(this.lineWidth)}"${dash}/>`,
		);
	}

	fillRect(x: number, y: number, width: number, height: number): void {
		this.#shapes.push(
			`<rect x="${this.#x(x)}" y="${this.#y(y)}" width="${short(width)}" height="${short(height)}" ${paint("fill", this.fillStyle)}/>`,
		);
	}

	fillText(text: string, x: number, y: number): void {
		const [, weight = "400", size = "11", family = "sans-serif"] =
			/^(?:(\d{3}) )?([\d.]+)px (.+)$/.exec(this.font) ?? [];
		const anchor = ANCHORS[this.textAlign];
		// not every program that reads SVG knows `dominant-baseline`
		const down = this.textBaseline === "middle" ? 0.35 * Number(size) : 0;
		this.#shapes.push(
			`<text x="${this.#x(x)}" y="${this.#y(y + down)}" font-family="${escaped(family)}" font-size="${size}" font-weight="${weight}"${anchor === undefined ? "" : ` text-anchor="${anchor}"`} ${paint("fill", this.fillStyle)}>${escaped(text)}</text>`,
		);
	}

	/** A colour with a texture on it, to fill with. */
	textured(colour: string, texture: Texture, ink: string): string {
		if (texture === "plain") return colour;
		const key = `${colour} ${texture}`;
		const id = `p${[...this.#patterns.keys()].indexOf(key) + 1 || this.#patterns.size + 1}`;
		const shape = {
			hatch: `<path d="M-6 6L0 0M0 6L6 0M6 6L12 0" fill="none" ${paint("stroke", ink)} stroke-width="1.25"/>`,
			lines: `<path d="M0 3H6" fill="none" ${paint("stroke", ink)} stroke-width="1.25"/>`,
			dots: `<circle cx="3" cy="3" r="1" ${paint("fill", ink)}/>`,
		}[texture];
		this.#patterns.set(
			key,
			`<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" ${paint("fill", colour)}/>${shape}</pattern>`,
		);
		return `url(#${id})`;
	}

	#x(value: number): string {
		return short(value + this.#across);
	}

	#y(value: number): string {
		return short(value + this.#down);
	}

	/** The picture as the text of an SVG file. */
	text({ title, description }: PictureWords): string {
		const [width, height] = [short(this.#width), short(this.#height)];
		return [
			`<?xml version="1.0" encoding="UTF-8"?>`,
			`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">`,
			`<title id="title">${escaped(title)}</title>`,
			`<desc id="desc">${escaped(description)}</desc>`,
			this.#patterns.size > 0 ? `<defs>${[...this.#patterns.values()].join("")}</defs>` : "",
			...this.#shapes,
			"</svg>",
			"",
		]
			.filter((line, index, all) => line !== "" || index === all.length - 1)
			.join("\n");
	}
}

/** A colour as an attribute; what is partly transparent has that in one of its own, which all programs know. */
function paint(attribute: "fill" | "stroke", style: Pen["fillStyle"]): string {
	const colour = String(style);
	const [, red, green, blue, alpha] = /^rgba\((\d+), (\d+), (\d+), ([\d.]+)\)$/.exec(colour) ?? [];
	if (alpha === undefined) return `${attribute}="${escaped(colour)}"`;
	return `${attribute}="rgb(${red}, ${green}, ${blue})" ${attribute}-opacity="${alpha}"`;
}

/** Characters XML gives a meaning, or does not allow. */
function escaped(text: string): string {
	return text
		.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\u{fffd}")
		.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function short(value: number): string {
	return String(Math.round(value * 100) / 100);
}
