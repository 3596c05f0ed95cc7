import { type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";
import type { MemoryRow } from "../../../debug/memory-then.ts";
import { Copy } from "./copy.ts";
import { dayOf, timeOf } from "./numbers.ts";
import { pieces } from "./text-block.ts";

/** Characters and lines of a record's text that are shown before it is asked for whole. */
const SHORT = { characters: 400, lines: 6 } as const;

/** Characters shown at most: a record is a sentence or two. */
const MOST = 20_000;

const meanings: Readonly<Record<string, string>> = {
	pinned: "Always shown to the model.",
	active: "It holds, and is shown where it fits.",
	provisional: "Proposed; nobody has confirmed it.",
	superseded: "Another record took its place.",
	resolved: "It holds no more.",
};

/** A record of memory as it was then. */
export function MemoryItem({ row }: { row: MemoryRow }): ComponentChildren {
	const { id, status, kind, scope, author, proof, priority, version, text, files, told } = row;
	return h(
		"li",
		{ class: `memory-item ${status}` },
		h(
			"p",
			{ class: "memory-head" },
			h(
				"span",
				{ class: "key", title: meanings[status] },
				h("i", { class: `dot ${status}` }),
				h("b", null, status),
			),
			h("span", null, kind),
			told &&
				h(
					"span",
					{ class: "key told", title: "A message that tells of it stood in this request's window." },
					h("i", { class: "swatch shown" }),
					"in the window",
				),
			h("span", { class: "grow" }),
			h(Copy, { text: id, label: id.length > 10 ? `${id.slice(0, 9)}…` : id }),
		),
		text === undefined
			? h("p", { class: "quiet" }, "Its text was removed from the store for good.")
			: h(Said, { text }),
		files.length > 0 &&
			h(
				"p",
				{ class: "memory-files mono" },
				files.map((file) => h("span", { key: file }, pieces(file))),
			),
		h(
			"p",
			{ class: "memory-facts" },
			h("span", null, `by ${author}`),
			proof !== undefined && h("span", { class: proof === "verified" ? "proof good" : "proof" }, proof),
			h("span", null, scope),
			priority !== "normal" && h("span", null, `${priority} priority`),
			version > 1 && h("span", null, `version ${version}`),
			h(
				"span",
				{ title: `${dayOf(row.createdAt)} ${timeOf(row.createdAt)}` },
				`since ${dayOf(row.createdAt)}`,
			),
			row.updatedAt !== row.createdAt &&
				h(
					"span",
					{ title: `${dayOf(row.updatedAt)} ${timeOf(row.updatedAt)}` },
					`changed ${dayOf(row.updatedAt)}`,
				),
		),
	);
}

function Said({ text }: { text: string }): ComponentChildren {
	const [whole, setWhole] = useState(false);
	const lines = text.split("\n", SHORT.lines + 1);
	const short = lines.slice(0, SHORT.lines).join("\n").slice(0, SHORT.characters);
	const isLong = short.length < text.length;
	return h(
		"p",
		{ class: "memory-text" },
		pieces(whole ? text.slice(0, MOST) : short),
		isLong && [
			whole ? " " : "… ",
			h(
				"button",
				{ type: "button", class: "link", "aria-expanded": whole, onClick: () => setWhole(!whole) },
				whole ? "Less" : "More",
			),
		],
	);
}
