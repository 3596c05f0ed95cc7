import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { WindowMap } from "../../debug/window-map.ts";
import type { EditorScreen } from "./editor-screen.ts";
import { type EditorPlace, type EditorSession, editorSession, mapIn } from "./editor-session.ts";
import { mapWords } from "./editor-words.ts";
import { say } from "./say.ts";
import type { SessionIn } from "./status-command.ts";

/** Puts `/fold-editor` into a host: the map of the window, on a screen where there is one, and in words elsewhere. */
export function registerEditorCommand(
	pi: ExtensionAPI,
	sessionIn: SessionIn,
	later: EditorPlace["later"],
): void {
	let shown: EditorScreen | undefined;
	pi.registerCommand("fold-editor", {
		description: "The map of the window: look into it, pin, cut, withdraw, brief, open, commit",
		handler: async (_args, ctx) => {
			const map = await mapIn(ctx, sessionIn);
			if (!map) say(ctx, (await sessionIn(ctx))?.silence ?? "the session is over", "info");
			else if (ctx.mode !== "tui") say(ctx, mapWords(map), "info");
			else {
				const place = { sessionIn, later, isShown: () => shown !== undefined };
				await showScreen(ctx, map, editorSession(ctx, place), (screen) => {
					shown = screen;
				});
				shown = undefined;
			}
		},
	});
	// the model may go on working while the map is looked at
	pi.on("turn_end", () => void shown?.refresh());
}

async function showScreen(
	ctx: ExtensionCommandContext,
	map: WindowMap,
	session: EditorSession,
	onShown: (screen: EditorScreen) => void,
): Promise<void> {
	// the host's own parts are there only where the host is
	const { EditorScreen } = await import("./editor-screen.ts");
	await ctx.ui.custom<void>((tui, theme, keybindings, done) => {
		const screen = new EditorScreen(map, session, {
			theme,
			keybindings,
			redraw: () => tui.requestRender(),
			height: () => tui.terminal.rows,
			close: () => done(),
		});
		onShown(screen);
		return screen;
	});
}
