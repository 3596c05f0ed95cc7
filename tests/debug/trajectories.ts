import type { Block, TranscriptEntry } from "../../projections/transcript.ts";
import type { FoldText, TrajectoryRequest, WindowView } from "../../src/debug/trajectory.ts";

/** An entry in one line: who speaks, then what. A call's argument comes after ` ! `. */
export function path(...lines: readonly string[]): TranscriptEntry[] {
	return lines.map((line, i) => {
		const [role = "user", text = ""] = line.split(/: (.*)/s);
		const [prose = "", command] = text.split(" ! ");
		const blocks: Block[] = [{ type: "text", text: prose }];
		if (command !== undefined)
			blocks.push({ type: "call", callId: `c${i}`, tool: "bash", args: { command } });
		const entry = {
			id: `e${i}`,
			parent: null,
			kind: "message",
			at: 0,
			line: i + 1,
			bytes: new Uint8Array(),
			blocks,
		};
		return { ...entry, role } as TranscriptEntry;
	});
}

/** A fold over entries `first` to `last`. */
export function fold(first: number, last: number, brief: string): FoldText {
	return { id: `f${first}-${last}`, text: `[placeholder]\n${brief}`, brief, first, last };
}

/** A window that hides the entries before `folded`. */
export function view(
	entries: readonly TranscriptEntry[],
	folded: number,
	over: Partial<Pick<WindowView, "texts" | "kept" | "clipped">> = {},
): WindowView {
	return { path: entries, folded, kept: new Set(), clipped: new Map(), texts: [], ...over };
}

/** The request whose reply stands at `index` of the view's path. */
export function replied(window: WindowView, index: number): TrajectoryRequest {
	return { view: window, upTo: index, reply: window.path[index] as TranscriptEntry };
}
