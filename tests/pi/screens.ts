import { type Component, KeybindingsManager, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";

/** How an extension makes a screen, of what the host gives it. */
type ScreenMaker = (
	terminal: object,
	theme: object,
	keybindings: KeybindingsManager,
	done: (result: unknown) => void,
) => Component;

/** The host's way to put up a screen, in a terminal of 120 × 50 without colours: on a place for one. */
export function screensOn(place: { screen: Component | undefined }) {
	const terminal = { requestRender: () => {}, terminal: { rows: 50, columns: 120 } };
	const theme = { fg: (_color: string, text: string) => text, bold: (text: string) => text };
	return (make: ScreenMaker) =>
		new Promise((closed) => {
			const done = (result: unknown) => {
				place.screen = undefined;
				closed(result);
			};
			place.screen = make(terminal, theme, new KeybindingsManager(TUI_KEYBINDINGS), done);
		});
}
