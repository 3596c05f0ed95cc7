import { go } from "./place.ts";
import { togglePlay } from "./player.ts";
import { openSearch } from "./search-focus.ts";
import { change, requests, state } from "./state.ts";
import { stepBy, stepToDecision } from "./timeline-tools.ts";
import { zoomBy } from "./zoom.ts";

const acts: Readonly<Record<string, (shift: boolean) => void>> = {
	ArrowLeft: (shift) => stepBy(shift ? -10 : -1),
	ArrowRight: (shift) => stepBy(shift ? 10 : 1),
	Home: () => go({ at: 1 }, true),
	End: () => go({ at: requests() }, true),
	"[": () => stepToDecision(-1),
	"]": () => stepToDecision(1),
	" ": togglePlay,
	"+": () => zoomBy(0.5),
	"=": () => zoomBy(0.5),
	"-": () => zoomBy(2),
	"0": () => go({ zoom: undefined }, true),
	"/": openSearch,
	c: () => go({ beside: state().at, panel: "compare" }),
	x: () => {
		const { at, beside } = state();
		if (beside !== undefined) go({ at: beside, beside: at });
	},
	"?": () => change({ help: true }),
};

/** Obeys the keys of the page wherever they are pressed, unless what has the focus takes them. Returns what ends it. */
export function keepKeys(): () => void {
	const press = (event: KeyboardEvent) => {
		if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
		const { target } = event;
		if (target instanceof HTMLElement && takes(target, event.key)) return;
		const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
		if (!act || requests() === 0) return;
		event.preventDefault();
		act(event.shiftKey);
	};
	document.addEventListener("keydown", press);
	return () => document.removeEventListener("keydown", press);
}

/** Whether an element needs a key for itself: fields all of them, buttons the space bar, what scrolls Home and End. */
function takes(element: HTMLElement, key: string): boolean {
	if (element.closest("input, textarea, select, dialog, [contenteditable]")) return true;
	if (key === " ") return element.closest("button, a, summary, [role=tab], pre") !== null;
	return (key === "Home" || key === "End") && element.closest("pre") !== null;
}
