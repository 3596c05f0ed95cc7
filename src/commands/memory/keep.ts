import type { MemoryEvent } from "../../../events/memory.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import { type Deciding, decided, type MemoryDecision, type MemoryView } from "./decision.ts";
import { MemoryError } from "./memory-error.ts";
import { notesOn, standingNamed, withoutText } from "./standing.ts";

/** A user speaks of a record by its id. */
export interface OfRecord extends Pick<Deciding, "session" | "now"> {
	readonly id: string;
}

/**
 * Makes provisional records a user's own, as they stand, all or none; nothing of those that are his. Throws
 * `MEMORY_NOT_FOUND`, `MEMORY_OVER`, `MEMORY_SHREDDED`, `MEMORY_UNREADABLE`, and `MEMORY_NOTHING_TO_DO` where no id is given.
 */
export function decideConfirm(
	view: MemoryView,
	{ ids, ...deciding }: { readonly ids: readonly string[] } & Pick<Deciding, "session" | "now">,
): MemoryDecision {
	const records = [...new Set(ids)].map((id) => standingNamed(view, id, deciding));
	const [first] = records;
	if (!first) throw new MemoryError("MEMORY_NOTHING_TO_DO", "no record to confirm is named");
	const provisional = records.filter(({ status }) => status === "provisional");
	const notes = provisional.flatMap((record) => notesOn(view, textIn(view, record), deciding, ids));
	return decided(first.id, provisional.map(confirmed), [...new Set(notes)]);
}

/** Has a record always shown to the model; a provisional one is confirmed with it. Throws as {@link decideConfirm} does. */
export function decidePin(view: MemoryView, command: OfRecord): MemoryDecision {
	const record = standingNamed(view, command.id, command);
	const { id, status } = record;
	if (status === "pinned") return decided(id, []);
	const pinned: MemoryEvent = { type: "memory/pinned", data: { id } };
	if (status !== "provisional") return decided(id, [pinned]);
	const notes = notesOn(view, textIn(view, record), command, [id]);
	return decided(id, [confirmed(record), pinned], notes);
}

/** Takes a pin back; nothing where there is none. Throws `MEMORY_NOT_FOUND` and `MEMORY_OVER`. */
export function decideUnpin(view: MemoryView, command: OfRecord): MemoryDecision {
	const { id, status } = standingNamed(view, command.id, command);
	return decided(id, status === "pinned" ? [{ type: "memory/unpinned", data: { id } }] : []);
}

function confirmed({ id, body }: MemoryRecord): MemoryEvent {
	return { type: "memory/confirmed", data: { id, body } };
}

/** Nobody confirms what he cannot read. */
function textIn(view: MemoryView, record: MemoryRecord): string {
	const text = view.text(record.body);
	if (text === undefined) throw withoutText(record);
	return text;
}
