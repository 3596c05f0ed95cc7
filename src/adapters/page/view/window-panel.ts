import { type ComponentChildren, h } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { WindowRow } from "../../../debug/window-rows.ts";
import type { WindowView } from "../../../debug/window-view.ts";
import { icon } from "./icons.ts";
import { Failure } from "./notices.ts";
import { count, counted, dayOf, short, timeOf } from "./numbers.ts";
import { go } from "./place.ts";
import { lookOf, looks } from "./standings.ts";
import { usePage } from "./state.ts";
import { Strip } from "./strip.ts";
import { useAnswer } from "./use-answer.ts";
import { VirtualList } from "./virtual-list.ts";
import { whoInWords, whoOf } from "./who.ts";

/** The window at the playhead: what it is, drawn to scale, and item by item. */
export function WindowPanel(): ComponentChildren {
	const at = usePage((state) => state.at);
	const { value: view, stale, error } = useAnswer<WindowView>(at > 0 ? `/api/window/${at}` : undefined);
	return h(
		"section",
		{ class: stale ? "window stale" : "window", "aria-label": "Window at the playhead", "aria-busy": stale },
		error && h(Failure, { error }),
		view && !error && h(Items, { view }),
	);
}

function Items({ view }: { view: WindowView }): ComponentChildren {
	const entry = usePage((state) => state.entry);
	const [cursor, setCursor] = useState(-1);
	const { rows } = view;
	const chosen = useMemo(() => rows.findIndex(({ id }) => id === entry), [rows, entry]);
	const largest = useMemo(() => rows.reduce((most, { tokens }) => Math.max(most, tokens), 1), [rows]);
	useEffect(() => setCursor(chosen), [chosen]);
	const on = Math.min(cursor, rows.length - 1);
	const choose = useCallback(
		(index: number) => {
			const row = rows[index];
			if (row) go({ entry: row.id, panel: "item" });
		},
		[rows],
	);
	const row = useCallback(
		(index: number) => {
			const there = rows[index];
			return there ? { cells: cellsOf(there, largest), name: nameOf(there) } : { cells: [], name: "" };
		},
		[rows, largest],
	);
	const spoken = (index: number) => {
		const there = rows[index];
		return there ? `item ${index + 1} of ${rows.length}: ${nameOf(there)}` : "";
	};
	return h(
		"div",
		{ class: "window-body" },
		h(Facts, { view }),
		h(Strip, { view, cursor: on, chosen, onCursor: setCursor, onChoose: choose, nameOf: spoken }),
		h(Caption, { view, row: rows[on] }),
		rows.length === 0
			? h("p", { class: "empty" }, "This window holds nothing but the system prompt.")
			: h(VirtualList, {
					label: "Items of the window",
					name: "item",
					count: rows.length,
					cursor: on,
					chosen,
					onCursor: setCursor,
					onChoose: choose,
					row,
				}),
	);
}

/** What is known of the window as a whole, in a line. */
function Facts({ view }: { view: WindowView }): ComponentChildren {
	const all = usePage(({ session }) => session?.requests ?? 0);
	const share = Math.min(1, view.tokens / Math.max(1, view.budget));
	return h(
		"header",
		{ class: "facts" },
		h(
			"div",
			{ class: "facts-line" },
			h("h2", null, `Request ${count(view.request)}`, h("span", { class: "quiet" }, ` of ${count(all)}`)),
			h("span", { title: dayOf(view.time) }, timeOf(view.time)),
			h("span", { class: "cut", title: view.model }, view.model.replace(/^.*\//, "")),
			h(
				"span",
				{ class: view.same ? "digest same" : "digest differs", title: digestTitle(view) },
				icon(view.same ? "done" : "differs"),
				view.same ? "as sent" : "differs",
			),
			view.cold && h("span", { class: "chip", title: "The cache had expired before it was sent." }, "cold"),
		),
		h(
			"div",
			{ class: "gauge", title: `${count(view.tokens)} of ${count(view.budget)} tokens` },
			h("span", { class: "gauge-track" }, h("i", { style: { width: `${share * 100}%` } })),
			h("span", null, h("b", null, short(view.tokens)), ` of ${short(view.budget)} tokens`),
			h("span", { class: "quiet" }, counted(view.rows.length, "item")),
		),
		view.change &&
			h("p", { class: "cause" }, `Changed from item ${count(view.change.item + 1)} on: ${view.change.cause}`),
	);
}

/** The item that is pointed at; else what the colours mean. */
function Caption({ view, row }: { view: WindowView; row: WindowRow | undefined }): ComponentChildren {
	const standing = useMemo(() => new Set(view.rows.map(({ standing }) => standing)), [view]);
	if (row) {
		return h(
			"p",
			{ class: "caption", "aria-hidden": "true" },
			swatch(row.standing),
			h("b", null, lookOf(row.standing).word),
			` ${whoInWords(row)} · ${count(row.tokens)} tokens`,
			row.source !== undefined && row.source !== row.tokens && ` for ${count(row.source)}`,
			h("span", { class: "quiet cut" }, row.title),
		);
	}
	return h(
		"p",
		{ class: "caption legend", "aria-hidden": "true" },
		h("span", { class: "key", title: "System prompt and tools" }, h("i", { class: "swatch base" }), "prompt"),
		Object.entries(looks)
			.filter(([name]) => standing.has(name as WindowRow["standing"]))
			.map(([name, look]) =>
				h("span", { class: "key", key: name, title: look.meaning }, swatch(name), look.word),
			),
	);
}

function cellsOf(row: WindowRow, largest: number): ComponentChildren[] {
	return [
		h("span", { class: "cell standing" }, swatch(row.standing), lookOf(row.standing).word),
		h("span", { class: "cell role cut", title: whoInWords(row) }, whoOf(row)),
		h("span", { class: "cell title cut" }, row.title || h("span", { class: "quiet" }, "no text")),
		h(
			"span",
			{ class: "cell tokens" },
			h("i", { class: "weight", style: { width: `${(row.tokens / largest) * 100}%` } }),
			short(row.tokens),
		),
	];
}

function nameOf(row: WindowRow): string {
	return `${lookOf(row.standing).word}, ${whoInWords(row)}, ${counted(row.tokens, "token")}, ${row.title}`;
}

function swatch(standing: string): ComponentChildren {
	return h("i", { class: `swatch ${standing}` });
}

function digestTitle({ same, window, rebuilt }: WindowView): string {
	return same
		? `The window rebuilt has the digest recorded when it was sent: ${window}`
		: `The window rebuilt has the digest ${rebuilt}; recorded was ${window}`;
}
