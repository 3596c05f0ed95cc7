import { type ComponentChildren, h } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { MemoryRow } from "../../../debug/memory-then.ts";
import { useKept } from "./kept.ts";
import { MemoryItem } from "./memory-item.ts";
import { Failure } from "./notices.ts";
import { count } from "./numbers.ts";
import { usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";

/** Records drawn at first, and added by each press of "Show more". */
const AT_ONCE = 100;

/** Which records are listed. */
interface MemoryFilter {
	readonly statuses: readonly string[];
	/** words that must stand in the text, the files or the id */
	readonly words: string;
	/** only what stood in the window */
	readonly told: boolean;
}

const NO_FILTER: MemoryFilter = { statuses: [], words: "", told: false };

/** What was remembered when the request at the playhead was sent. */
export function MemoryPanel(): ComponentChildren {
	const at = usePage((state) => state.at);
	const { value, stale, error } = useAnswer<readonly MemoryRow[]>(at > 0 ? `/api/memory/${at}` : undefined);
	if (error) return h(Failure, { error });
	if (!value) return h("p", { class: "panel-note" }, "Reading the memory…");
	if (value.length === 0) {
		return h(
			"div",
			{ class: "sheet small" },
			h("h2", null, "Nothing remembered yet"),
			h("p", null, `Memory held no record when request ${count(at)} was sent.`),
		);
	}
	return h(Records, { rows: value, stale });
}

function Records({ rows, stale }: { rows: readonly MemoryRow[]; stale: boolean }): ComponentChildren {
	const [filter, setFilter] = useKept("memory-filter", NO_FILTER);
	const [most, setMost] = useState(AT_ONCE);
	const listed = useMemo(() => rows.filter((row) => passes(row, filter)), [rows, filter]);
	return h(
		"section",
		{ class: stale ? "memory stale" : "memory", "aria-label": "Memory", "aria-busy": stale },
		h(Filters, { rows, filter, onFilter: setFilter }),
		h(
			"p",
			{ class: "filter-found", role: "status" },
			listed.length === rows.length
				? `${count(rows.length)} remembered`
				: `${count(listed.length)} of ${count(rows.length)} remembered`,
		),
		h(
			"ul",
			{ class: "memory-list", "aria-label": "Records" },
			listed.slice(0, most).map((row) => h(MemoryItem, { key: row.id, row })),
		),
		listed.length > most &&
			h(
				"button",
				{ type: "button", class: "plain more", onClick: () => setMost(most + 5 * AT_ONCE) },
				`Show more (${count(listed.length - most)} left)`,
			),
	);
}

interface FiltersProps {
	readonly rows: readonly MemoryRow[];
	readonly filter: MemoryFilter;
	readonly onFilter: (filter: MemoryFilter) => void;
}

function Filters({ rows, filter, onFilter }: FiltersProps): ComponentChildren {
	const set = (patch: Partial<MemoryFilter>) => onFilter({ ...filter, ...patch });
	const { statuses, words, told } = filter;
	const numbers = useMemo(() => {
		const found = new Map<string, number>();
		for (const { status } of rows) found.set(status, (found.get(status) ?? 0) + 1);
		return [...found];
	}, [rows]);
	const choice = (name: string, number: number, isOn: boolean, onClick: () => void) =>
		h(
			"button",
			{ type: "button", key: name, class: "choice", "aria-pressed": isOn, onClick },
			name,
			h("span", { class: "quiet" }, ` ${count(number)}`),
		);
	return h(
		"div",
		{ class: "filter-line" },
		h("input", {
			class: "field grow",
			type: "search",
			placeholder: "Words, file or id",
			"aria-label": "Records with these words, file or id",
			maxLength: 200,
			value: words,
			onInput: (event: Event) => set({ words: (event.currentTarget as HTMLInputElement).value }),
		}),
		h(
			"div",
			{ class: "choices", role: "group", "aria-label": "Which records" },
			numbers.map(([status, number]) =>
				choice(status, number, statuses.includes(status), () =>
					set({
						statuses: statuses.includes(status)
							? statuses.filter((one) => one !== status)
							: [...statuses, status],
					}),
				),
			),
			choice("in the window", rows.filter((row) => row.told).length, told, () => set({ told: !told })),
		),
	);
}

function passes(row: MemoryRow, { statuses, words, told }: MemoryFilter): boolean {
	if (told && !row.told) return false;
	if (statuses.length > 0 && !statuses.includes(row.status)) return false;
	const said = [row.id, row.kind, row.text ?? "", ...row.files].join("\n").toLowerCase();
	return words
		.toLowerCase()
		.split(/\s+/)
		.every((word) => said.includes(word));
}
