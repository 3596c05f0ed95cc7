import { type ComponentChildren, h } from "preact";
import type { DecisionView } from "../../../debug/decision-view.ts";
import type { TreeRow } from "../../../debug/fold-tree.ts";
import { Copy } from "./copy.ts";
import { entriesOf, foldLook } from "./fold-looks.ts";
import { count } from "./numbers.ts";
import { go } from "./place.ts";
import { usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";

/** What is known of a fold of the tree, and where it leads. */
export function FoldFacts({ row, onOpen }: { row: TreeRow; onOpen: () => void }): ComponentChildren {
	const look = foldLook(row);
	const { madeAt } = row;
	return h(
		"footer",
		{ class: "panel-foot", "aria-label": `Fold ${row.id}` },
		h("h3", { class: "foot-title" }, row.title),
		h(
			"p",
			{ class: "foot-line" },
			h("span", { class: "key" }, h("i", { class: `swatch ${look.swatch}` }), look.word),
			h(Copy, { text: row.id }),
			h("span", null, entriesOf(row)),
			h("span", null, `${count(row.source)} → ${count(row.text)} tokens`),
			row.supplied && h("span", null, "told in words someone gave"),
			h("span", null, "from ", entryLink(row.from), row.to !== row.from && [" to ", entryLink(row.to)]),
		),
		h("p", { class: "foot-meaning" }, look.meaning, row.state === "pending" && h(WhyWaiting, null)),
		h(
			"p",
			{ class: "foot-line" },
			h("button", { type: "button", class: "plain", onClick: onOpen }, "Open item"),
			madeAt !== undefined &&
				h(
					"button",
					{ type: "button", class: "plain", title: row.madeBy, onClick: () => go({ at: madeAt }) },
					`First shown by request ${count(madeAt)}`,
				),
		),
	);
}

/** What was decided before the request at the playhead, where what is marked waits for a commit. */
function WhyWaiting(): ComponentChildren {
	const at = usePage((state) => state.at);
	const { value } = useAnswer<DecisionView>(`/api/decision/${at}`);
	return value && ` ${value.sentence}`;
}

function entryLink(id: string): ComponentChildren {
	return h(
		"button",
		{ type: "button", class: "link mono", onClick: () => go({ entry: id, panel: "item" }) },
		id,
	);
}
