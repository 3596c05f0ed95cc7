import { type ComponentChildren, h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { panels } from "./panels.ts";
import { go } from "./place.ts";
import { usePage } from "./state.ts";
import { WindowPanel } from "./window-panel.ts";

/** On a narrow page the window is a tab among the others. */
const WINDOW = { name: "window", title: "Window", View: WindowPanel };

/** The panels as tabs, and the one that is open. `narrow` where the window has no column of its own. */
export function Tabs({ narrow }: { narrow: boolean }): ComponentChildren {
	const wanted = usePage((state) => state.panel);
	const all = narrow ? [WINDOW, ...panels] : panels;
	// a link to an item that names no panel is one to the item's own
	const first = usePage((state) => state.entry !== undefined) ? panels[0] : all[0];
	const open = all.find(({ name }) => name === wanted) ?? first ?? WINDOW;
	const bar = useRef<HTMLDivElement>(null);
	useEffect(() => {
		const known =
			wanted === undefined || wanted === WINDOW.name || panels.some(({ name }) => name === wanted);
		if (!known) go({ panel: undefined }, true);
	}, [wanted]);
	useEffect(() => {
		bar.current
			?.querySelector("[aria-selected=true]")
			?.scrollIntoView({ block: "nearest", inline: "nearest" });
	}, [open.name]);
	const key = (event: KeyboardEvent) => {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
		const here = all.indexOf(open);
		const to =
			step !== undefined
				? (here + step + all.length) % all.length
				: { Home: 0, End: all.length - 1 }[event.key];
		const next = to === undefined ? undefined : all[to];
		if (!next || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		go({ panel: next.name });
		bar.current?.querySelector<HTMLElement>(`#tab-${next.name}`)?.focus();
	};
	return h(
		"section",
		{ class: "panels", "aria-label": "Panels" },
		h(
			"div",
			{ class: "tabs", role: "tablist", "aria-label": "Panels", ref: bar, onKeyDown: key },
			all.map(({ name, title }) =>
				h(
					"button",
					{
						type: "button",
						key: name,
						id: `tab-${name}`,
						role: "tab",
						"aria-selected": name === open.name,
						"aria-controls": "panel",
						tabIndex: name === open.name ? 0 : -1,
						onClick: () => go({ panel: name }),
					},
					title,
				),
			),
		),
		h(
			"div",
			{
				class: "panel",
				id: "panel",
				role: "tabpanel",
				"aria-labelledby": `tab-${open.name}`,
				key: open.name,
			},
			h(open.View, null),
		),
	);
}
