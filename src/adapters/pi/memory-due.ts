import { initialStates } from "../../../projections/states.ts";
import type { MemoryNote } from "../../../projections/transcript.ts";
import { memoryNoteDue, type ToTell } from "../../commands/memory-note.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveSession } from "./live-session.ts";

/** What a message to the model is to tell, and the work summary where that is part of it. */
export interface MemoryDue {
	readonly note: MemoryNote;
	readonly summary: string | undefined;
}

/**
 * What a message to the model would have to tell of memory now; `undefined` where it sees everything, or that cannot be
 * known. `summaryOf` gives the work summary where that is due.
 */
export async function memoryDue(
	live: LiveSession,
	session: HostSession,
	toTell: Omit<ToTell, "isCheckpoint">,
	summaryOf: (engine: Engine) => string | undefined,
): Promise<MemoryDue | undefined> {
	const known = await live.withLog(session, ({ engine }) => {
		const { states } = engine;
		const isCheckpoint = (entry: string) => states.compactions.byEntry.has(entry);
		const note = memoryNoteDue(states, states.tree.leaf, { ...toTell, isCheckpoint });
		return { due: note && { note, summary: note.summary ? summaryOf(engine) : undefined } };
	});
	if (known) return known.due;
	// nobody spoke yet, so that nothing is in view
	if (live.trouble !== undefined) return undefined;
	const note = memoryNoteDue(initialStates(), null, { ...toTell, isCheckpoint: () => false });
	return note && { note, summary: undefined };
}
