import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";
import type { LogRow } from "../../../debug/log-page.ts";
import { Copy } from "./copy.ts";
import { icon } from "./icons.ts";
import { Failure } from "./notices.ts";
import { count, dayOf, timeOf } from "./numbers.ts";
import { go } from "./place.ts";
import { TextBlock } from "./text-block.ts";
import { useAnswer } from "./use-answer.ts";

/** An event of the log as it is stored. */
export function LogEvent({ row, onClose }: { row: LogRow; onClose: () => void }): ComponentChildren {
	const { position, request } = row;
	const { value, error } = useAnswer<object>(`/api/event/${position}`);
	const text = useMemo(() => (value === undefined ? undefined : JSON.stringify(value, null, 2)), [value]);
	return h(
		"section",
		{
			class: "panel-foot log-event",
			"aria-label": `Event ${count(position)}`,
			onKeyDown: (event: KeyboardEvent) => {
				if (event.key !== "Escape") return;
				event.preventDefault();
				onClose();
			},
		},
		h(
			"header",
			{ class: "foot-head" },
			h("h3", { class: "cut" }, row.type),
			h("span", { class: "quiet" }, `event ${count(position)}`),
			h("span", { class: "grow" }),
			h(
				"button",
				{ type: "button", class: "tool", "aria-label": "Close", title: "Close (Esc)", onClick: onClose },
				icon("close"),
			),
		),
		h(
			"p",
			{ class: "foot-line" },
			h("span", { title: dayOf(row.time) }, timeOf(row.time)),
			h("span", null, `by ${row.actor}`),
			request > 0 &&
				h(
					"button",
					{ type: "button", class: "link", onClick: () => go({ at: request }) },
					`request ${count(request)}`,
				),
			row.cause !== undefined && [h("span", null, "because of "), h(Copy, { text: row.cause })],
			!row.known && h("span", { class: "unseen" }, "unknown to this release"),
		),
		error && h(Failure, { error }),
		text !== undefined && h(TextBlock, { text, label: "The event as it is stored" }),
	);
}
