import { type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";
import type { WindowRow } from "../../../debug/window-rows.ts";
import type { ItemText, WindowView } from "../../../debug/window-view.ts";
import type { Visibility, WhyAnswer } from "./answers.ts";
import { Copy } from "./copy.ts";
import { Failure } from "./notices.ts";
import { count, counted, money, timeOf } from "./numbers.ts";
import { RunBar } from "./run-bar.ts";
import { lookOf } from "./standings.ts";
import { usePage } from "./state.ts";
import { TextBlock } from "./text-block.ts";
import { useAnswer } from "./use-answer.ts";

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
	const name = encodeURIComponent(id);
	const view = useAnswer<WindowView>(`/api/window/${at}`);
	const row = view.value?.rows.find((there) => there.id === id);
	const visibility = useAnswer<Visibility>(`/api/visibility/${name}`);
	const why = useAnswer<WhyAnswer>(`/api/why/${at}/${name}`);
	return h(
		"article",
		{ class: "item" },
		h(Head, { id, row, at, known: !view.stale }),
		h(
			Section,
			{ title: "Why" },
			why.error ? h(Failure, { error: why.error }) : why.value && h(Why, { why: why.value }),
		),
		h(
			Section,
			{ title: "When it could be read" },
			visibility.error
				? h(Failure, { error: visibility.error })
				: visibility.value && h(RunBar, { visibility: visibility.value }),
		),
		h(Content, { id, at }),
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
		h("h2", { class: "cut" }, row ? row.title || (row.tool ?? row.role) : id),
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
						h("span", null, row.tool ?? row.role),
						h("span", null, `${count(row.tokens)} tokens`),
						row.source !== undefined &&
							row.source !== row.tokens &&
							h("span", null, `stands for ${count(row.source)}`),
						row.entries !== undefined && h("span", null, counted(row.entries, "entry").replace(/ys$/, "ies")),
						row.time !== undefined && h("span", null, timeOf(row.time)),
					]
				: h("span", { class: "quiet" }, known ? `not an item of the window of request ${count(at)}` : ""),
			h(Copy, { text: id }),
		),
	);
}

function Section({ title, children }: { title: string; children?: unknown }): ComponentChildren {
	return h("section", { class: "block" }, h("h3", null, title), children as ComponentChildren);
}

function Why({ why }: { why: WhyAnswer }): ComponentChildren {
	const unit = usePage(({ session }) => session?.unit ?? "token");
	return h(
		"div",
		{ class: "why" },
		why.sentences.map((sentence) => h("p", { key: sentence }, sentence)),
		why.inputs.length > 0 &&
			h(
				"dl",
				{ class: "inputs" },
				why.inputs.map(({ name, value, unit: of }) => [
					h("dt", null, name),
					h(
						"dd",
						null,
						typeof value === "number" ? count(value) : value,
						of && h("span", { class: "quiet" }, ` ${of}`),
					),
				]),
			),
		why.alternatives.length > 0 &&
			h(
				"details",
				null,
				h("summary", null, counted(why.alternatives.length, "alternative")),
				h(
					"ul",
					{ class: "alternatives" },
					why.alternatives.map(({ what, cost, saves, refused }) =>
						h(
							"li",
							{ key: what },
							what,
							cost !== undefined && h("span", { class: "quiet" }, ` costs ${money(cost, unit)}`),
							saves !== undefined && h("span", { class: "quiet" }, ` saves ${money(saves, unit)}`),
							refused !== undefined && h("span", { class: "quiet" }, ` refused: ${refused}`),
						),
					),
				),
			),
		why.reach.length > 0 &&
			h(
				"div",
				{ class: "reach" },
				h("span", { class: "quiet" }, "Reached by"),
				why.reach.map(({ call }) => h(Copy, { key: call, text: call })),
			),
	);
}

type Side = "inView" | "original";

function Content({ id, at }: { id: string; at: number }): ComponentChildren {
	const [side, setSide] = useState<Side>("inView");
	const { value, error } = useAnswer<ItemText>(`/api/item/${at}/${encodeURIComponent(id)}`);
	const tab = (name: Side, title: string) =>
		h("button", { type: "button", "aria-pressed": side === name, onClick: () => setSide(name) }, title);
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
		value?.truncated !== undefined &&
			value.truncated > 0 &&
			h("p", { class: "quiet" }, `${count(value.truncated)} more bytes are stored.`),
	);
}

function absent({ gone, request }: ItemText, side: Side): string {
	if (gone) return "Its content was removed from the store for good; its digest remains.";
	return side === "inView"
		? `It was not in the window of request ${count(request)}.`
		: "It has no original of its own.";
}
