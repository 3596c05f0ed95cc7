import { randomBytes } from "node:crypto";
import type { Actor } from "../../../events/envelope.ts";
import type { Memory } from "../../../projections/memory/record.ts";
import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import type { MemoryLog, MemoryWrite } from "../../engine/memory/memory-log.ts";
import type { SessionMemory } from "../../engine/memory/session-memory.ts";
import type { LiveMemory } from "./live-memory.ts";

/** By whom something is written, and by which command, tool call or setting. */
export interface WrittenBy {
	readonly actor: Exclude<Actor, "host">;
	readonly cause: string;
}

/** Texts on their way to the disk, by digest: what is decided meanwhile sees them. */
const underway = new WeakMap<LiveMemory, Map<string, string>>();

/** An id for a new record: `mem_` and 16 hexadecimal digits. */
export function newRecordId(): string {
	return `mem_${randomBytes(8).toString("hex")}`;
}

/** What a decider sees of a log of memory at a state, with the other one beside it. */
export function viewOf(live: LiveMemory, log: MemoryLog, memory = log.memory): MemoryView {
	const other = log === live.workspace ? live.session : live.workspace;
	const { text } = live.view();
	const fresh = underway.get(live);
	return { memory, beside: [other.memory], text: (digest) => text(digest) ?? fresh?.get(digest) };
}

/**
 * Decides on the newest state of a log and writes what comes of it; resolves to the decision once the disk has it. Nothing
 * is written where the decision would lose what `mayLose` does not let go. `before` looks into a session's log in the turn in
 * which it is written to. Throws what the decider and the log throw.
 */
export async function written(
	live: LiveMemory,
	log: MemoryLog,
	by: WrittenBy,
	decide: (view: MemoryView) => MemoryDecision,
	mayLose: (losses: readonly string[]) => boolean = () => true,
	before?: Parameters<SessionMemory["write"]>[2],
): Promise<MemoryDecision> {
	const fresh = underway.get(live) ?? new Map<string, string>();
	underway.set(live, fresh);
	const sent = new Set<string>();
	try {
		const deciding = (memory: Memory): { decision: MemoryDecision; write?: MemoryWrite } => {
			const decision = decide(viewOf(live, log, memory));
			if (!mayLose(decision.losses)) return { decision };
			for (const { digest, text } of decision.bodies) {
				fresh.set(digest, text);
				sent.add(digest);
			}
			return { decision, write: writeOf(decision, by) };
		};
		const writing = log === live.session ? live.session.write(deciding, "now", before) : log.write(deciding);
		return (await writing).decision;
	} finally {
		for (const digest of sent) fresh.delete(digest);
	}
}

/** The log that holds a record as far as is known: the folder's where neither does, for others may have written to that. */
export function logHolding(live: LiveMemory, id: string): MemoryLog {
	return live.session.memory.records.has(id) ? live.session : live.workspace;
}

function writeOf({ events, bodies }: MemoryDecision, by: WrittenBy): MemoryWrite {
	const at = Date.now();
	return {
		events: events.map((event) => ({ event, at, ...by })),
		bodies: bodies.map(({ digest, text }) => ({ digest, bytes: new TextEncoder().encode(text) })),
		shred: events.flatMap((event) => (event.type === "payload/shredded" ? event.data.contents : [])),
	};
}
