import { type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";
import { count } from "./numbers.ts";

/** Rows shown before "Show all" is pressed. */
const AT_FIRST = 8;

/** Rows drawn at most: more than this is looked for elsewhere. */
const MOST = 1000;

interface ShortListProps<T> {
	readonly items: readonly T[];
	readonly label: string;
	/** what stands in a row */
	readonly row: (item: T) => ComponentChildren;
}

/** The first rows of a list, and a way to all of them. */
export function ShortList<T>({ items, label, row }: ShortListProps<T>): ComponentChildren {
	const [all, showAll] = useState(false);
	const shown = items.slice(0, all ? MOST : AT_FIRST);
	return [
		h(
			"ul",
			{ class: "short-list", "aria-label": label },
			shown.map((item, index) => h("li", { key: index }, row(item))),
		),
		!all &&
			items.length > AT_FIRST &&
			h(
				"button",
				{ type: "button", class: "plain", onClick: () => showAll(true) },
				`Show all ${count(items.length)}`,
			),
		all &&
			items.length > MOST &&
			h("p", { class: "quiet" }, `${count(items.length - MOST)} more are not shown.`),
	];
}
