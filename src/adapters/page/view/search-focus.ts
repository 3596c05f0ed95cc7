import { go } from "./place.ts";

/** Id of the field in which a search is typed. */
export const SEARCH_FIELD = "search-field";

/** Opens the search and puts the keyboard into its field, with what stands there selected. */
export function openSearch(): void {
	go({ panel: "search" });
	// the field is there once the panel is drawn
	requestAnimationFrame(() => {
		const field = document.getElementById(SEARCH_FIELD);
		if (!(field instanceof HTMLInputElement)) return;
		field.focus();
		field.select();
	});
}
