import { type ComponentChildren, h } from "preact";

const paths = {
	play: "M5 3.5v9l7.5-4.5z",
	pause: "M4.5 3.5h2.5v9H4.5zM9 3.5h2.5v9H9z",
	back: "M10 3.5 5.5 8l4.5 4.5",
	on: "M6 3.5 10.5 8 6 12.5",
	earlier: "M11.5 3.5 7 8l4.5 4.5M4.5 3.5v9",
	later: "M4.5 3.5 9 8l-4.5 4.5M11.5 3.5v9",
	plus: "M8 3.5v9M3.5 8h9",
	minus: "M3.5 8h9",
	whole: "M2.5 8h11M5 5 2.5 8 5 11M11 5l2.5 3L11 11",
	sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1",
	moon: "M12.9 9.8A5.4 5.4 0 0 1 6.2 3.1a5.4 5.4 0 1 0 6.7 6.7z",
	system: "M2.5 3.5h11v7h-11zM6 13h4",
	help: "M6 6.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.6v.2",
	copy: "M6 6h6.5v6.5H6zM3.5 10V3.5H10",
	done: "M3.5 8.5 6.5 11.5 12.5 5",
	differs: "M4 4l8 8M12 4l-8 8",
	swap: "M3 5.5h9.5L10 3M13 10.5H3.5L6 13",
	save: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
	close: "M4 4l8 8M12 4l-8 8",
} as const;

/** Names of the icons. */
export type IconName = keyof typeof paths;

const solid: ReadonlySet<IconName> = new Set(["play", "pause"]);

/** An icon of 16 pixels in the colour of the text. It says nothing to a screen reader. */
export function icon(name: IconName): ComponentChildren {
	return h(
		"svg",
		{ class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", focusable: "false" },
		h("path", {
			d: paths[name],
			fill: solid.has(name) ? "currentColor" : "none",
			stroke: "currentColor",
			"stroke-width": 1.5,
			"stroke-linecap": "round",
			"stroke-linejoin": "round",
		}),
	);
}
