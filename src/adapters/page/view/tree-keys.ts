/** What a key asks of the item that the keyboard is on, besides moving. */
export type TreeAct = "moved" | "toggle" | "open";

/**
 * Moves the focus within an element of role `tree` as its keys are used: up and down among what is shown, right and left
 * into and out of groups, Home and End. `undefined` for a key that a tree has no use for.
 */
export function moveInTree(tree: HTMLElement, key: string): TreeAct | undefined {
	const items = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
	const here = items.indexOf(document.activeElement as HTMLElement);
	const item = items[here];
	if (!item) return undefined;
	const expanded = item.getAttribute("aria-expanded");
	switch (key) {
		case "ArrowDown":
			return focus(items[here + 1]);
		case "ArrowUp":
			return focus(items[here - 1]);
		case "Home":
			return focus(items[0]);
		case "End":
			return focus(items.at(-1));
		case "ArrowRight":
			if (expanded === "false") return "toggle";
			return focus(
				expanded === "true" ? (item.querySelector<HTMLElement>("[role=treeitem]") ?? undefined) : undefined,
			);
		case "ArrowLeft":
			if (expanded === "true") return "toggle";
			return focus(item.parentElement?.closest<HTMLElement>("[role=treeitem]") ?? undefined);
		case "Enter":
		case " ": {
			const more = item.querySelector<HTMLElement>(":scope > button");
			more?.click();
			return more ? "moved" : "open";
		}
		default:
			return undefined;
	}
}

function focus(item: HTMLElement | undefined): TreeAct {
	item?.focus();
	return "moved";
}
