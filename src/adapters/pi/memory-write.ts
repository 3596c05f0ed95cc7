import { randomBytes } from "node:crypto";
import type { Actor } from "../../../events/envelope.ts";
import { recordFor } from "../../../projections/memory/list.ts";
import type { Memory } from "../../../projections/memory/record.ts";
import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import type { MemoryLog, MemoryWrite } from "../../engine/memory/memory-log.ts";
import type { SessionWriteOptions } from "../../engine/memory/session-memory.ts";
import type { LiveMemory } from "./live-memory.ts";

/** By whom something is written, and by which command, tool call or setting. */
export interface WrittenBy {
	readonly actor: Exclude<Actor, "host">;
	readonly cause: string;
}

/** How something is written; `before` is of use for a session's log alone. */
interface HowWritten extends SessionWriteOptions {
	readonly mayLose?: ((losses: readonly string[]) => boolean) | undefined;
}

/** An id for a new record: `mem_` and 16 hexadecimal digits. */
export function newRecordId(): string {
	return `mem_${randomBytes(8).toString("hex")}`;
}

/** What a decider sees of a log of memory, at a state with its texts, with the other one beside it. */
export function viewOf(
	live: LiveMemory,
	log: MemoryLog,
	memory = log.memory,
	text: MemoryView["text"] = (digest) => log.text(digest),
): MemoryView {
	const other = log === live.workspace ? live.session : live.workspace;
	return { memory, beside: [other.memory], text: (digest) => text(digest) ?? other.text(digest) };
}

/**
 * Decides on the newest state of a log and writes what comes of it; resolves to the decision once the disk has it. Nothing
 * is written where the decision would lose what `mayLose` does not let go; it lets go of everything unless given. Throws what
 * the decider and the log throw.
 */
export async function written(
	live: LiveMemory,
	log: MemoryLog,
	by: WrittenBy,
	decide: (view: MemoryView) => MemoryDecision,
	{ mayLose = () => true, ...how }: HowWritten = {},
): Promise<MemoryDecision> {
	const deciding = (memory: Memory, text: MemoryView["text"]) => {
		const decision = decide(viewOf(live, log, memory, text));
		return mayLose(decision.losses) ? { decision, write: writeOf(decision, by) } : { decision };
	};
	return (await log.write(deciding, how)).decision;
}

/**
 * The log that holds the record a list shows by an id, as far as is known: the folder's where neither does, for others may
 * have written to that.
 */
export function logHolding({ workspace, session, id: viewer }: LiveMemory, id: string): MemoryLog {
	const isThere = ({ memory }: MemoryLog) => recordFor([memory], id, viewer) !== undefined;
	return !isThere(workspace) && isThere(session) ? session : workspace;
}

function writeOf({ events, bodies }: MemoryDecision, by: WrittenBy): MemoryWrite {
	const at = Date.now();
	return {
		events: events.map((event) => ({ event, at, ...by })),
		bodies: bodies.map(({ digest, text }) => ({ digest, bytes: new TextEncoder().encode(text) })),
		shred: events.flatMap((event) => (event.type === "payload/shredded" ? event.data.contents : [])),
	};
}
