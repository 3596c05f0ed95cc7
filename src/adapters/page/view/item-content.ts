import { type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";
import type { ItemText } from "../../../debug/window-view.ts";
import { Copy } from "./copy.ts";
import { Failure } from "./notices.ts";
import { count } from "./numbers.ts";
import { TextBlock } from "./text-block.ts";
import { useAnswer } from "./use-answer.ts";

/** Bytes of an original the server sends at most. */
const MOST = 32_000_000;

type Side = "inView" | "original";

/** Where the content of something is asked for, as of a request. */
export function itemPath(id: string, at: number): string {
	return `/api/item/${at}/${encodeURIComponent(id)}`;
}

/** The exact content of something, as the model was sent it and as it was recorded. */
export function Content({ id, at }: { id: string; at: number }): ComponentChildren {
	const [wanted, setWanted] = useState<Side | undefined>(undefined);
	const [whole, setWhole] = useState(false);
	const { value, error } = useAnswer<ItemText>(itemPath(id, at) + (whole ? `?limit=${MOST}` : ""));
	const side =
		wanted ?? (value && value.inView === undefined && value.original !== undefined ? "original" : "inView");
	const tab = (name: Side, title: string) =>
		h("button", { type: "button", "aria-pressed": side === name, onClick: () => setWanted(name) }, title);
	const text = value?.[side];
	return h(
		"section",
		{ class: "block content" },
		h(
			"header",
			null,
			h("h3", null, "Content"),
			h(
				"div",
				{ class: "switch", role: "group", "aria-label": "Which content" },
				tab("inView", "In the window"),
				tab("original", "Original"),
			),
			value?.bytes !== undefined && h("span", { class: "quiet" }, `${count(value.bytes)} bytes`),
			value?.sha256 !== undefined && h(Copy, { text: value.sha256, label: value.sha256.slice(0, 12) }),
		),
		error && h(Failure, { error }),
		value &&
			(text === undefined
				? h("p", { class: "empty" }, absent(value, side))
				: h(TextBlock, {
						text,
						label: side === "inView" ? "Content as the model was sent it" : "Original content",
					})),
		!whole &&
			value?.truncated !== undefined &&
			h(
				"button",
				{ type: "button", class: "plain more", onClick: () => setWhole(true) },
				`Fetch the rest (${count(value.truncated)} bytes more)`,
			),
	);
}

function absent({ gone, request }: ItemText, side: Side): string {
	if (gone) return "Its content was removed from the store for good; its digest remains.";
	return side === "inView"
		? `It was not in the window of request ${count(request)}.`
		: "It has no original of its own.";
}
