import { type ComponentChildren, h } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LogPages } from "./log-pages.ts";
import { count, short } from "./numbers.ts";

/** Which events are listed. */
export interface EventFilter {
	/** nouns of types; all where there is none */
	readonly nouns: readonly string[];
	/** id or digest that events name; none asked for where empty */
	readonly names: string;
	/** who did it; anyone where empty */
	readonly actor: string;
}

/** The filter that every event passes. */
export const NO_FILTER: EventFilter = { nouns: [], names: "", actor: "" };

/** Who can have done something. */
const ACTORS = ["host", "user", "model", "rule", "runtime"];

/** How long the typing of an id rests before it is looked for, ms. */
const TYPED = 400;

/** A filter as the server is asked for it. */
export function filterOf({ nouns, names, actor }: EventFilter): string {
	const said = new URLSearchParams(nouns.map((noun) => ["type", noun]));
	if (names !== "") said.set("entry", names);
	if (actor !== "") said.set("actor", actor);
	return said.toString();
}

interface LogFilterProps {
	readonly filter: EventFilter;
	readonly onFilter: (filter: EventFilter) => void;
	readonly follow: boolean;
	readonly onFollow: (follow: boolean) => void;
	readonly pages: LogPages;
}

/** The filters of the log: nouns with how many events each has, who did it, what they name. */
export function LogFilter({ filter, onFilter, follow, onFollow, pages }: LogFilterProps): ComponentChildren {
	const nouns = useMemo(() => nounsOf(pages.types), [pages.types]);
	const set = (patch: Partial<EventFilter>) => onFilter({ ...filter, ...patch });
	const toggle = (noun: string) =>
		set({
			nouns: filter.nouns.includes(noun)
				? filter.nouns.filter((one) => one !== noun)
				: [...filter.nouns, noun],
		});
	return h(
		"header",
		{ class: "filters" },
		h(
			"div",
			{ class: "filter-line" },
			h(Names, { value: filter.names, onValue: (names: string) => set({ names }) }),
			h(
				"select",
				{
					class: "field",
					"aria-label": "Who did it",
					value: filter.actor,
					onChange: (event: Event) => set({ actor: (event.currentTarget as HTMLSelectElement).value }),
				},
				h("option", { value: "" }, "by anyone"),
				ACTORS.map((actor) => h("option", { key: actor, value: actor }, `by ${actor}`)),
			),
			h(
				"label",
				{ class: "check" },
				h("input", {
					type: "checkbox",
					checked: follow,
					onChange: (event: Event) => onFollow((event.currentTarget as HTMLInputElement).checked),
				}),
				"Follow playhead",
			),
		),
		h(
			"div",
			{ class: "choices", role: "group", "aria-label": "Kinds of events" },
			nouns.map(([noun, events]) =>
				h(
					"button",
					{
						type: "button",
						key: noun,
						class: "choice",
						"aria-pressed": filter.nouns.includes(noun),
						onClick: () => toggle(noun),
					},
					noun,
					h("span", { class: "quiet" }, ` ${short(events)}`),
				),
			),
		),
		h("p", { class: "filter-found", role: "status" }, foundWords(filter, pages)),
	);
}

function Names({ value, onValue }: { value: string; onValue: (value: string) => void }): ComponentChildren {
	const [typed, setTyped] = useState(value);
	useEffect(() => setTyped(value), [value]);
	useEffect(() => {
		const text = typed.trim();
		if (text === value) return;
		const timer = setTimeout(() => onValue(text), TYPED);
		return () => clearTimeout(timer);
	}, [typed]);
	return h("input", {
		class: "field grow",
		type: "search",
		placeholder: "Events that name an id",
		"aria-label": "Events that name an entry, fold, commit or digest",
		maxLength: 200,
		spellcheck: false,
		value: typed,
		onInput: (event: Event) => setTyped((event.currentTarget as HTMLInputElement).value),
		onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && onValue(typed.trim()),
	});
}

/** Nouns of types, the most frequent first. */
function nounsOf(types: LogPages["types"]): [string, number][] {
	const events = new Map<string, number>();
	for (const [type, of] of Object.entries(types)) {
		const noun = type.replace(/\/.*$/, "");
		events.set(noun, (events.get(noun) ?? 0) + of);
	}
	return [...events].sort(([, a], [, b]) => b - a);
}

function foundWords(filter: EventFilter, { total, events, scanned }: LogPages): string {
	if (total === undefined) return "";
	if (scanned !== undefined && scanned < events) {
		return `${count(total)} found so far, in ${count(scanned)} of ${count(events)} events`;
	}
	return filterOf(filter) === "" ? `${count(total)} events` : `${count(total)} of ${count(events)} events`;
}
