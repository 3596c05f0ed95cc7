import { type ComponentChildren, h } from "preact";
import { pieces } from "./text-block.ts";

/** A text in which every place that says the same as `wanted`, whatever the case of its letters, is marked. */
export function MarkedText({ text, wanted }: { text: string; wanted: string }): ComponentChildren {
	const parts: ComponentChildren[] = [];
	let end = 0;
	for (const start of placesOf(text, wanted)) {
		parts.push(pieces(text.slice(end, start)));
		end = start + wanted.length;
		parts.push(h("mark", null, pieces(text.slice(start, end))));
	}
	parts.push(pieces(text.slice(end)));
	return parts;
}

/** Where it stands in a text, from left to right and not overlapping. Letters that change length with their case are not found. */
function placesOf(text: string, wanted: string): number[] {
	const [where, what] = [text.toLowerCase(), wanted.toLowerCase()];
	if (what === "" || where.length !== text.length || what.length !== wanted.length) return [];
	const places: number[] = [];
	for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) places.push(at);
	return places;
}
