import { type ComponentChildren, h } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { LogPage, LogRow } from "../../../debug/log-page.ts";
import type { WindowView } from "../../../debug/window-view.ts";
import { askAnew } from "./api.ts";
import { useKept } from "./kept.ts";
import { LogEvent } from "./log-event.ts";
import { filterOf, LogFilter, NO_FILTER } from "./log-filter.ts";
import { type LogPages, logPath, useLogPages } from "./log-pages.ts";
import { Failure } from "./notices.ts";
import { count, timeOf } from "./numbers.ts";
import { go } from "./place.ts";
import { state, usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";
import { VirtualList } from "./virtual-list.ts";

/** The event log as a list of any length, with filters, in step with the playhead. */
export function LogPanel(): ComponentChildren {
	const [filter, setFilter] = useKept("log-filter", NO_FILTER);
	const [follow, setFollow] = useKept("log-follow", true);
	const [cursor, setCursor] = useState(-1);
	const [open, setOpen] = useState<{ index: number; row: LogRow } | undefined>(undefined);
	const query = filterOf(filter);
	const pages = useLogPages(query);
	const { total, rowAt } = pages;
	const at = usePage((state) => state.at);
	const led = useFollowing({ query, follow, found: foundBy(pages) }, setCursor);
	useEffect(() => setOpen(undefined), [query]);

	const choose = (index: number) => {
		const row = rowAt(index);
		if (!row) return;
		setOpen({ index, row });
		if (!follow || row.request === 0 || row.request === state().at) return;
		led.current = row.request;
		go({ at: row.request });
	};
	const row = useCallback(
		(index: number) => {
			const there = rowAt(index);
			return there
				? { cells: cellsOf(there, at), name: nameOf(there) }
				: { cells: waiting, name: "on its way" };
		},
		[pages, at],
	);
	return h(
		"section",
		{ class: "log", "aria-label": "Event log", "aria-busy": total === undefined },
		h(LogFilter, { filter, onFilter: setFilter, follow, onFollow: setFollow, pages }),
		pages.error && h(Failure, { error: pages.error }),
		total === undefined && !pages.error && h("p", { class: "panel-note" }, "Reading the log…"),
		total === 0 && h("p", { class: "panel-note" }, emptyWords(pages)),
		total !== undefined &&
			total > 0 &&
			h(VirtualList, {
				key: query,
				label: "Events",
				name: "event",
				count: total,
				cursor: Math.min(cursor, total - 1),
				chosen: open?.index ?? -1,
				onCursor: setCursor,
				onChoose: choose,
				row,
				onShown: pages.show,
			}),
		open && h(LogEvent, { key: open.row.position, row: open.row, onClose: () => setOpen(undefined) }),
	);
}

/** How far the events that pass a filter are known. */
type Found = "none" | "some" | "all";

function foundBy({ total, scanned, events }: LogPages): Found {
	if (total === undefined) return "none";
	return scanned === undefined || scanned >= events ? "all" : "some";
}

/**
 * Moves the cursor to the event of the request at the playhead whenever that moves, unless the list itself moved it: the
 * request it led to is put into what is returned.
 */
function useFollowing(
	{ query, follow, found }: { readonly query: string; readonly follow: boolean; readonly found: Found },
	setCursor: (index: number) => void,
): { current: number } {
	const at = usePage((state) => state.at);
	const led = useRef(0);
	const wanted = follow && at > 0 && led.current !== at;
	const { value, stale } = useAnswer<WindowView>(wanted ? `/api/window/${at}` : undefined);
	const position = stale ? undefined : value?.position;
	// a log that grows or is still looked through moves the cursor once more at most
	const settled = useRef<string | undefined>(undefined);
	useEffect(() => {
		if (!wanted) settled.current = undefined;
		const place = `${position} ${query}`;
		if (!wanted || position === undefined || found === "none" || settled.current === place) return;
		if (found === "all") settled.current = place;
		led.current = 0;
		if (query === "") return setCursor(position);
		const control = new AbortController();
		const path = logPath(query, `around=${position}&limit=1`);
		askAnew<LogPage>(path, { signal: control.signal }).then(
			({ from, total }) => setCursor(Math.min(from, total - 1)),
			() => {},
		);
		return () => control.abort();
	}, [query, position, wanted, found]);
	return led;
}

const waiting = h("span", { class: "cell quiet" }, "…");

function cellsOf(row: LogRow, at: number): ComponentChildren[] {
	const isNow = row.type === "request/prepared" && row.request === at;
	return [
		isNow && h("i", { class: "now", title: "the playhead" }),
		h("span", { class: "cell log-time quiet" }, timeOf(row.time)),
		h("span", { class: "cell log-actor quiet cut" }, row.actor),
		h("span", { class: row.known ? "cell log-type cut" : "cell log-type unknown cut" }, row.type),
		h("span", { class: "cell title cut" }, row.line),
	];
}

function nameOf({ type, line, actor, request }: LogRow): string {
	return `${type}, ${line}, by ${actor}, request ${count(request)}`;
}

function emptyWords({ events, scanned }: { events: number; scanned: number | undefined }): string {
	if (events === 0) return "The log is empty.";
	return scanned !== undefined && scanned < events ? "None found so far." : "No event passes this filter.";
}
