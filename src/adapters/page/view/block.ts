import { type ComponentChildren, h } from "preact";

interface BlockProps {
	readonly title: ComponentChildren;
	/** what stands beside the title */
	readonly aside?: ComponentChildren;
	readonly children?: ComponentChildren;
}

/** A part of a panel under a title. */
export function Block({ title, aside, children }: BlockProps): ComponentChildren {
	return h(
		"section",
		{ class: "block" },
		aside === undefined ? h("h3", null, title) : h("header", null, h("h3", null, title), aside),
		children,
	);
}
