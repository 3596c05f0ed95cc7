import { type ComponentChildren, h } from "preact";
import type { ApiError } from "./api.ts";

/** What a refusal to undo or redo means to the reader. */
const meanings: Readonly<Record<string, string>> = {
	STORE_LOCKED: "The session runs, and it alone writes to its store. Take it back there.",
	STORE_VERSION_CONFLICT: "The session went on since the price was told. Ask for it again.",
	STORE_DAMAGED: "The store is damaged, and nothing is added to it.",
	STORE_UNAVAILABLE: "The store cannot be written to.",
	PAGE_PRICE_CHANGED: "The price is another by now, as told below. Nothing was done.",
	PAGE_READ_ONLY: "This page was started without --write.",
	DECISION_UNKNOWN: "It is not in force here any more.",
	UNDO_HAS_DEPENDENTS: "Later decisions build on it.",
};

interface RefusalProps {
	readonly error: ApiError;
	/** takes along the later decisions that build on it, where they are named */
	readonly onTogether?: (others: readonly string[]) => void;
}

/** Why nothing was taken back, in words, and the words of the server. */
export function Refusal({ error, onTogether }: RefusalProps): ComponentChildren {
	const { dependents = [] } = error.more as { dependents?: readonly string[] };
	return h(
		"div",
		{ class: "refusal", role: "alert" },
		h(
			"p",
			null,
			h("b", null, meanings[error.code] ?? "It was refused."),
			h("span", { class: "quiet mono" }, ` ${error.code}`),
		),
		h("p", { class: "quiet" }, error.message),
		onTogether &&
			dependents.length > 0 &&
			h(
				"button",
				{ type: "button", class: "plain", onClick: () => onTogether(dependents) },
				`Price them together (${dependents.length + 1})`,
			),
	);
}
