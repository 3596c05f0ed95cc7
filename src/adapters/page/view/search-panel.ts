import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SearchHit } from "../../../debug/search-history.ts";
import { useKept } from "./kept.ts";
import { Failure } from "./notices.ts";
import { count, counted } from "./numbers.ts";
import { go } from "./place.ts";
import { SEARCH_FIELD } from "./search-focus.ts";
import { nearestSeen, SearchHitRow } from "./search-hit.ts";
import { type SearchResults, useSearch } from "./search-results.ts";
import { state, usePage } from "./state.ts";

/** How long typing rests before it is looked for, ms. */
const TYPED = 300;

/** Looks for a text in all that was said, and leads to where it could be read. */
export function SearchPanel(): ComponentChildren {
	const [typed, setTyped] = useKept("search-typed", "");
	const [text, setText] = useState(typed);
	const list = useRef<HTMLUListElement>(null);
	const results = useSearch(text);
	useEffect(() => {
		const timer = setTimeout(() => setText(typed), TYPED);
		return () => clearTimeout(timer);
	}, [typed]);
	const key = (event: KeyboardEvent) => {
		if (event.key === "Enter") setText(typed);
		else if (event.key === "ArrowDown" && results.hits.length > 0) list.current?.focus();
		else return;
		event.preventDefault();
	};
	return h(
		"section",
		{ class: "search", "aria-label": "Search", "aria-busy": results.isBusy },
		h(
			"header",
			{ class: "filters", role: "search" },
			h("input", {
				id: SEARCH_FIELD,
				class: "field",
				type: "search",
				placeholder: "Search everything that was said",
				"aria-label": "Search everything that was said",
				"aria-keyshortcuts": "/",
				maxLength: 1000,
				spellcheck: false,
				value: typed,
				onInput: (event: Event) => setTyped((event.currentTarget as HTMLInputElement).value),
				onKeyDown: key,
			}),
			h("p", { class: "filter-found", role: "status" }, foundWords(results)),
		),
		results.error && h(Failure, { error: results.error }),
		results.hits.length > 0 && h(Hits, { results, list }),
	);
}

function Hits({ results, list }: { results: SearchResults; list: { current: HTMLUListElement | null } }) {
	const { hits, text } = results;
	const entry = usePage((state) => state.entry);
	const [cursor, setCursor] = useState(-1);
	useEffect(() => setCursor(-1), [text]);
	const on = Math.min(cursor, hits.length - 1);
	const moveTo = (index: number) => {
		const next = Math.min(hits.length - 1, Math.max(0, index));
		setCursor(next);
		list.current?.children[next]?.scrollIntoView({ block: "nearest" });
	};
	const key = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
		if (event.key === "ArrowUp" && on <= 0) document.getElementById(SEARCH_FIELD)?.focus();
		else if (step !== undefined) moveTo(on + step);
		else if (event.key === "Home") moveTo(0);
		else if (event.key === "End") moveTo(hits.length - 1);
		else if ((event.key === "Enter" || event.key === " ") && on >= 0) choose(hits[on]);
		else return;
		event.preventDefault();
	};
	return h(
		"div",
		{ class: "hits" },
		h(
			"ul",
			{
				class: "hit-list",
				ref: list,
				role: "listbox",
				tabIndex: 0,
				"aria-label": "Found",
				"aria-activedescendant": on >= 0 ? `hit-${on}` : undefined,
				onKeyDown: key,
				onFocus: () => on < 0 && setCursor(0),
			},
			hits.map((hit, index) =>
				h(SearchHitRow, {
					key: hit.entry,
					hit,
					index,
					text,
					isOn: index === on,
					isChosen: hit.entry === entry,
					onChoose: () => {
						setCursor(index);
						choose(hit);
					},
				}),
			),
		),
		results.looked < results.entries &&
			!results.isBusy &&
			h("button", { type: "button", class: "plain more", onClick: results.more }, "Look further"),
	);
}

/** Goes to where a hit can be read and selects its entry; opens what is there already. */
function choose(hit: SearchHit | undefined): void {
	if (!hit) return;
	const { at, entry } = state();
	const seen = nearestSeen(hit, at) ?? at;
	if (seen === at && entry === hit.entry) go({ panel: "item" });
	else go({ at: seen, entry: hit.entry });
}

function foundWords({ text, hits, looked, entries, unread, isBusy, error }: SearchResults): string {
	if (error) return "";
	if (text === "") return "Every branch, whatever the case of letters. Press / from anywhere to come here.";
	const gone = unread > 0 ? `. ${counted(unread, "content")} could not be read` : "";
	if (isBusy && hits.length === 0)
		return entries === 0 ? "Looking…" : `Looking… ${count(looked)} of ${count(entries)} entries`;
	if (hits.length === 0) return `Nothing says that${gone}`;
	const all = looked >= entries && !isBusy;
	const far = all ? "" : `, in the newest ${count(looked)} of ${count(entries)} entries`;
	return `${count(hits.length)} found${far}${gone}`;
}
