import * as tui from "@earendil-works/pi-tui";
import { type Mock, vi } from "vitest";
import { EditorScreen } from "../../src/adapters/pi/editor-screen.ts";
import type { EditorSession, Said } from "../../src/adapters/pi/editor-session.ts";
import { CommandError } from "../../src/commands/command-error.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Halt } from "../../src/debug/fold-status.ts";
import type { MappedSession } from "../debug/mapped-session.ts";
import { DOWN, HOME } from "./keys.ts";

interface Options {
	readonly height?: number;
	readonly keys?: ConstructorParameters<typeof tui.KeybindingsManager>[1];
	readonly halt?: Halt;
	/** what a decision is answered with, instead of being made */
	readonly busy?: Said;
}

/** A screen over a session by hand: its keys decide for real. */
export function screen(session: MappedSession, { height = 24, keys, halt, busy }: Options = {}) {
	const decided: (WindowCommand | "commit")[] = [];
	const map = () => {
		const now = session.map();
		return halt ? { ...now, status: { ...now.status, halt } } : now;
	};
	const done = async (command: WindowCommand | undefined, effect: string): Promise<Said> => {
		if (busy) return busy;
		decided.push(command ?? "commit");
		try {
			return { text: `${effect} ${await session.decide(command)}`, as: "done" };
		} catch (error) {
			return { text: `${error instanceof CommandError ? error.code : "?"}: ${error}`, as: "refused" };
		}
	};
	const asked: EditorSession = {
		map: async () => map(),
		price: async (command) => {
			try {
				const { data } = session.engine.wouldDecide(command, session.request) ?? {};
				const { before = 0, after = 0 } = data && "quote" in data ? data.quote : {};
				return { text: "from ~1 to ~2 tokens", as: before === after ? "done" : "waits" };
			} catch (error) {
				return { text: `${error instanceof CommandError ? error.code : "?"}: ${error}`, as: "refused" };
			}
		},
		decide: async (command, effect, told) => told(await done(command, effect)),
		commit: async (told) => told(await done(undefined, "folded")),
	};
	const close: Mock<() => void> = vi.fn();
	const redraw: Mock<() => void> = vi.fn();
	const shown = new EditorScreen(map(), asked, {
		theme: { fg: (_color, text) => `\x1b[35m${text}\x1b[39m`, bold: (text) => `\x1b[1m${text}\x1b[22m` },
		keybindings: new tui.KeybindingsManager(tui.TUI_KEYBINDINGS, keys),
		redraw,
		close,
		height: () => height,
	});
	const lines = (width = 120) => shown.render(width).map(tui.stripTerminalSequences);
	const press = async (...pressed: string[]) => {
		for (const key of pressed) {
			shown.handleInput(key);
			// what a key asks of the session is answered
			await new Promise((answered) => setImmediate(answered));
		}
	};
	return {
		shown,
		decided,
		close,
		redraw,
		press,
		lines,
		text: (width?: number) => lines(width).join("\n"),
		selected: () => lines().find((line) => line.startsWith("→ ")) ?? "",
		/** selects the first row, from the top, that holds a text */
		select: async (text: string) => {
			await press(HOME);
			for (let n = 0; n < 200 && !(lines().find((line) => line.startsWith("→ ")) ?? "").includes(text); n++)
				await press(DOWN);
		},
	};
}
