import { stderr } from "node:process";
import type { ExtensionContext, SessionStartEvent } from "@earendil-works/pi-coding-agent";

/**
 * Tells the user something in one sentence: in the host's own place for that, or where it has none on stderr. Never
 * fails: the host may have dropped the session, or its place be broken.
 */
export function say(
	ctx: Pick<ExtensionContext, "hasUI" | "ui">,
	sentence: string,
	level: "info" | "warning",
): void {
	try {
		if (ctx.hasUI) ctx.ui.notify(`Palimpsest: ${sentence}`, level);
		else stderr.write(`Palimpsest: ${sentence}\n`);
	} catch {
		// there is nobody to tell
	}
}

/** How long the host's terminal may take to draw the conversation anew once its hooks are done, ms. */
const REDRAWN_MS = 50;

/**
 * Tells something of a compaction. The host's terminal draws the conversation anew behind it, or puts a line of its own in the
 * place of the last one: there it is told once that is done, elsewhere at once.
 */
export function sayOnceRedrawn(ctx: ExtensionContext, sentence: string, level: "info" | "warning"): void {
	if (ctx.mode === "tui") setTimeout(() => say(ctx, sentence, level), REDRAWN_MS).unref();
	else say(ctx, sentence, level);
}

/** What was thrown, in words. */
export function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Whether extensions were just loaded, and do not merely go from one session to the next: what is true of all is said then. */
export function isFresh({ reason }: Partial<SessionStartEvent>): boolean {
	return reason === undefined || reason === "startup" || reason === "reload";
}
