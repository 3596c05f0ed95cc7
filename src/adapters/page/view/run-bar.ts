import { type ComponentChildren, h } from "preact";
import type { Visibility, VisibilitySpan } from "../../../debug/visibility.ts";
import { count, counted } from "./numbers.ts";
import { go } from "./place.ts";
import { usePage } from "./state.ts";

const words: Readonly<Record<VisibilitySpan["as"], string>> = {
	whole: "whole",
	clip: "clipped",
	brief: "as a brief",
	hidden: "hidden",
};

/** Over which requests something could be read, as a bar; a run leads to its first request. */
export function RunBar({ visibility }: { visibility: Visibility }): ComponentChildren {
	const at = usePage((state) => state.at);
	const all = usePage(({ session }) => session?.requests ?? 0);
	const share = (request: number) => `${((request - 1) / Math.max(1, all)) * 100}%`;
	const now = visibility.spans.find(({ from, to }) => at >= from && at <= to);
	return h(
		"section",
		{ class: "runs", "aria-label": "When it could be read" },
		h(
			"div",
			{ class: "runs-now" },
			h("h3", null, "When it could be read"),
			h("span", { class: "quiet" }, now ? `now ${words[now.as]}` : "not yet"),
			now?.through !== undefined && now.through !== visibility.of && reference("in", now.through),
		),
		h(
			"div",
			{ class: "run-bar" },
			visibility.spans.map((span) =>
				h("button", {
					type: "button",
					key: span.from,
					class: `run ${span.as}`,
					title: spoken(span),
					"aria-label": `${spoken(span)}. Go there.`,
					style: {
						left: share(span.from),
						width: `${((span.to - span.from + 1) / Math.max(1, all)) * 100}%`,
					},
					onClick: () => go({ at: span.from }),
				}),
			),
			h("i", { class: "run-at", style: { left: share(at + 0.5) } }),
		),
		h(
			"details",
			null,
			h("summary", null, counted(visibility.spans.length, "run")),
			h(
				"ol",
				{ class: "run-list" },
				visibility.spans.map((span) =>
					h(
						"li",
						{ key: span.from, "aria-current": at >= span.from && at <= span.to ? "true" : undefined },
						h("i", { class: `run-key ${span.as}` }),
						h(
							"button",
							{ type: "button", class: "link", onClick: () => go({ at: span.from }) },
							span.from === span.to ? count(span.from) : `${count(span.from)}–${count(span.to)}`,
						),
						h("span", null, words[span.as]),
						span.through !== undefined && span.through !== visibility.of && reference("in", span.through),
						span.because !== undefined && h("span", { class: "quiet cut" }, `since ${span.because}`),
					),
				),
			),
		),
	);
}

function reference(word: string, id: string): ComponentChildren {
	return h(
		"span",
		{ class: "quiet" },
		`${word} `,
		h("button", { type: "button", class: "link mono", onClick: () => go({ entry: id, panel: "item" }) }, id),
	);
}

function spoken({ from, to, as, because }: VisibilitySpan): string {
	const when = from === to ? `Request ${count(from)}` : `Requests ${count(from)} to ${count(to)}`;
	return `${when}: ${words[as]}${because === undefined ? "" : `, ${because}`}`;
}
