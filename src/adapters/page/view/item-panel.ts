import { type ComponentChildren, h } from "preact";
import type { Visibility } from "../../../debug/visibility.ts";
import type { WhyAnswer } from "../../../debug/why-answer.ts";
import type { WindowRow } from "../../../debug/window-rows.ts";
import type { ItemText, WindowView } from "../../../debug/window-view.ts";
import { Copy } from "./copy.ts";
import { Content, itemPath } from "./item-content.ts";
import { Why } from "./item-why.ts";
import { Failure } from "./notices.ts";
import { count, counted, timeOf } from "./numbers.ts";
import { RunBar } from "./run-bar.ts";
import { lookOf } from "./standings.ts";
import { usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";
import { whoInWords } from "./who.ts";

/** The chosen entry or fold: what it is, when it could be read, why it stands as it does, its exact content. */
export function ItemPanel(): ComponentChildren {
	const entry = usePage((state) => state.entry);
	const at = usePage((state) => state.at);
	if (entry === undefined || at === 0) {
		return h(
			"div",
			{ class: "sheet small" },
			h("h2", null, "No item chosen"),
			h(
				"p",
				null,
				"Choose one in the strip or in the list of the window to read its exact content, when it could be seen and why.",
			),
		);
	}
	return h(Item, { key: entry, id: entry, at });
}

function Item({ id, at }: { id: string; at: number }): ComponentChildren {
	const view = useAnswer<WindowView>(`/api/window/${at}`);
	const row = view.value?.rows.find((there) => there.id === id);
	const text = useAnswer<ItemText>(itemPath(id, at));
	// what answers a call, or only tells what was done, is in one window after the other and nowhere else
	const passes = row !== undefined && (row.standing === "answer" || row.role === "receipt");
	const visibility = useAnswer<Visibility>(
		text.value === undefined || passes ? undefined : `/api/visibility/${encodeURIComponent(id)}`,
	);
	const why = useAnswer<WhyAnswer>(
		row?.role === "receipt" ? undefined : `/api/why/${at}/${encodeURIComponent(id)}`,
	);
	if (text.error?.status === 404 && why.error?.status === 404) {
		return h(
			"div",
			{ class: "sheet small" },
			h("h2", null, "Not an item of this session"),
			h("p", null, "No entry, fold or decision is called ", h("code", null, id), ", and no window held it."),
		);
	}
	return h(
		"article",
		{ class: "item" },
		h(Head, { id, row, at, known: !view.stale && !view.error }),
		visibility.error
			? h(Failure, { error: visibility.error })
			: visibility.value && h(RunBar, { visibility: visibility.value }),
		why.error ? h(Failure, { error: why.error }) : why.value && h(Why, { why: why.value }),
		text.error?.status !== 404 && h(Content, { id, at }),
	);
}

interface HeadProps {
	readonly id: string;
	readonly at: number;
	readonly row: WindowRow | undefined;
	/** whether it is settled that there is no row */
	readonly known: boolean;
}

function Head({ id, row, at, known }: HeadProps): ComponentChildren {
	return h(
		"header",
		{ class: "item-head" },
		h("h2", { class: "cut" }, row ? row.title || whoInWords(row) : id),
		h(
			"p",
			{ class: "item-facts" },
			row
				? [
						h(
							"span",
							{ class: "key", title: lookOf(row.standing).meaning },
							h("i", { class: `swatch ${row.standing}` }),
							lookOf(row.standing).word,
						),
						h("span", null, whoInWords(row)),
						h("span", null, `${count(row.tokens)} tokens`),
						row.source !== undefined &&
							row.source !== row.tokens &&
							h("span", null, `stands for ${count(row.source)}`),
						row.entries !== undefined && h("span", null, counted(row.entries, "entry")),
						row.time !== undefined && h("span", null, timeOf(row.time)),
					]
				: h("span", { class: "quiet" }, known ? `not an item of the window of request ${count(at)}` : ""),
			h(Copy, { text: id }),
		),
	);
}
