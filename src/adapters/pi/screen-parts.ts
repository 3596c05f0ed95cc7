import type { KeybindingsManager, Theme } from "@earendil-works/pi-coding-agent";

/** What a screen is given by the host. */
export interface ScreenParts {
	readonly theme: Pick<Theme, "fg" | "bold">;
	readonly keybindings: Pick<KeybindingsManager, "matches" | "getKeys">;
	/** lines of the terminal */
	readonly height: () => number;
	/** asks for the screen to be drawn anew */
	readonly redraw: () => void;
	readonly close: () => void;
}

/**
 * Lines the host keeps for itself: one of the transcript above; below, where one is, what it cost, and what extensions
 * say. Of a screen that takes more than the rest, the host leaves out the last lines.
 */
export const HOST_LINES = 4;
