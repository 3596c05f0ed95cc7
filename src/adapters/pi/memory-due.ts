import { initialStates } from "../../../projections/states.ts";
import type { MemoryNote } from "../../../projections/transcript.ts";
import { memoryNoteDue, type ToTell } from "../../commands/memory-note.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveSession } from "./live-session.ts";

/** What a message to the model would have to tell now; `undefined` where it sees everything, or that cannot be known. */
export async function memoryDue(
	live: LiveSession,
	session: HostSession,
	toTell: ToTell,
): Promise<MemoryNote | undefined> {
	const known = await live.withLog(session, ({ engine: { states } }) => ({
		due: memoryNoteDue(states, states.tree.leaf, toTell),
	}));
	if (known) return known.due;
	// nobody spoke yet, so that nothing is in view
	return live.trouble === undefined ? memoryNoteDue(initialStates(), null, toTell) : undefined;
}
