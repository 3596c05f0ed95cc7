import { type ComponentChildren, h } from "preact";
import { useRef } from "preact/hooks";
import { useFigures } from "./figures.ts";
import { type IconName, icon } from "./icons.ts";
import { nextStop } from "./marks.ts";
import { count, money, short } from "./numbers.ts";
import { go } from "./place.ts";
import { SPEEDS, setSpeed, togglePlay } from "./player.ts";
import { change, state, usePage } from "./state.ts";
import { zoomBy } from "./zoom.ts";

/** Moves the playhead by some requests. */
export function stepBy(requests: number): void {
	change({ playing: 0 });
	go({ at: Math.max(1, state().at + requests) }, true);
}

/** Moves the playhead to the decision before or behind it. */
export function stepToDecision(way: 1 | -1): void {
	const { timeline, at } = state();
	const stop = timeline && nextStop(timeline.marks, at, way);
	change({ playing: 0 });
	if (stop !== undefined) go({ at: stop }, true);
}

/** The row above the chart: play, where the playhead is, what the lines are, zoom. */
export function TimelineTools(): ComponentChildren {
	const overlay = usePage((state) => state.overlay);
	return h(
		"div",
		{ class: "tools" },
		h(Transport, null),
		h(Position, null),
		h(Legend, null),
		overlay && button("close", "Clear overlay", overlay.label, () => change({ overlay: undefined }), "clear"),
		h(
			"div",
			{ class: "group", role: "group", "aria-label": "Zoom" },
			button("minus", "Zoom out", "−", () => zoomBy(2)),
			button("plus", "Zoom in", "+", () => zoomBy(0.5)),
			button("whole", "Show the whole session", "0", () => go({ zoom: undefined }, true)),
		),
	);
}

function Transport(): ComponentChildren {
	const playing = usePage((state) => state.playing > 0);
	const speed = usePage((state) => state.speed);
	return h(
		"div",
		{ class: "group transport", role: "group", "aria-label": "Play" },
		button("earlier", "Decision before", "[", () => stepToDecision(-1), "wide-only"),
		button("back", "Request before", "←", () => stepBy(-1)),
		button(playing ? "pause" : "play", playing ? "Stop" : "Play", "space", togglePlay, "strong"),
		button("on", "Next request", "→", () => stepBy(1)),
		button("later", "Next decision", "]", () => stepToDecision(1), "wide-only"),
		h(
			"div",
			{ class: "speeds wide-only", role: "group", "aria-label": "Speed" },
			SPEEDS.map((times) =>
				h(
					"button",
					{ type: "button", key: times, "aria-pressed": times === speed, onClick: () => setSpeed(times) },
					`${times}×`,
				),
			),
		),
	);
}

function Position(): ComponentChildren {
	const at = usePage((state) => state.at);
	const session = usePage((state) => state.session);
	const figures = useFigures(at);
	const field = useRef<HTMLInputElement>(null);
	const jump = () => {
		const wanted = Number(field.current?.value.replace(/\D/g, ""));
		if (wanted > 0) go({ at: wanted });
		if (field.current) field.current.value = String(state().at);
	};
	return h(
		"div",
		{ class: "position" },
		h("label", { class: "quiet", for: "at" }, "Request"),
		h("input", {
			id: "at",
			ref: field,
			class: "number",
			inputMode: "numeric",
			autocomplete: "off",
			value: String(at),
			style: { width: `${Math.max(2, String(session?.requests ?? 0).length) + 1.4}ch` },
			onChange: jump,
		}),
		h("span", { class: "quiet" }, `of ${count(session?.requests ?? 0)}`),
		figures && [
			h(
				"span",
				{ class: "wide-only" },
				figures.about,
				h("b", null, short(figures.tokens)),
				h("span", { class: "quiet" }, ` of ${short(figures.budget)} tokens`),
			),
			h("span", { class: "wide-only" }, figures.about + money(figures.spent, figures.unit)),
		],
	);
}

function Legend(): ComponentChildren {
	const overlay = usePage((state) => state.overlay);
	const entry = (name: string, text: string) =>
		h("span", { class: "key" }, h("i", { class: `key-mark ${name}` }), text);
	return h(
		"div",
		{ class: "legend", "aria-hidden": "true" },
		entry("occupancy", "window"),
		entry("foldable", "foldable"),
		entry("budget", "budget"),
		entry("floor", "floor"),
		entry("money", "cost"),
		overlay && entry("other", overlay.label),
	);
}

function button(name: IconName, label: string, key: string, act: () => void, look = ""): ComponentChildren {
	return h(
		"button",
		{ type: "button", class: `tool ${look}`, "aria-label": label, title: `${label} (${key})`, onClick: act },
		icon(name),
	);
}
