import { isTerminal, type MemoryRecord } from "../../../projections/memory/record.ts";
import { decided, type MemoryDecision, type MemoryView } from "./decision.ts";
import type { OfRecord } from "./keep.ts";
import { MemoryError } from "./memory-error.ts";
import { notesOn, over, recordNamed } from "./standing.ts";

const FORGOTTEN = "user:/forget";

/** Has a record hold no more, whoever made it; nothing where it is forgotten. Throws `MEMORY_NOT_FOUND`, `MEMORY_OVER`. */
export function decideForget(view: MemoryView, command: OfRecord): MemoryDecision {
	const record = recordNamed(view, command.id, command);
	if (record.status === "superseded") throw over(record);
	if (record.status === "resolved") return decided(record.id, [], ["is forgotten already"]);
	return decided(record.id, [resolved(record)]);
}

/**
 * Takes a forgetting back; nothing where the record stands. Throws `MEMORY_NOT_FOUND`, `MEMORY_OVER` of one that is
 * superseded, and `MEMORY_SHREDDED`.
 */
export function decideRestore(view: MemoryView, command: OfRecord): MemoryDecision {
	const record = recordNamed(view, command.id, command);
	const { id, status, isShredded, body } = record;
	if (isShredded) throw new MemoryError("MEMORY_SHREDDED", `the text of ${id} was destroyed`);
	if (status === "superseded") throw over(record);
	if (status !== "resolved") return decided(id, [], ["is not forgotten"]);
	const notes = notesOn(view, view.text(body) ?? "", command, [id]);
	return decided(id, [{ type: "memory/restored", data: { id } }], notes);
}

/**
 * Destroys a record's text for good, and resolves every record of this memory that has the same; nothing where it is
 * destroyed. What else must go with it, such as blocks that showed it, is the caller's to find. Throws
 * `MEMORY_NOT_FOUND`.
 */
export function decideShred(view: MemoryView, command: OfRecord): MemoryDecision {
	const record = recordNamed(view, command.id, command);
	if (record.isShredded) return decided(record.id, [], ["is destroyed already"]);
	const { body } = record;
	const same = [...view.memory.records.values()].filter((other) => other.body === body);
	return decided(
		record.id,
		[
			...same.filter((other) => !isTerminal(other)).map(resolved),
			{ type: "payload/shredded", data: { contents: [body], records: same.map(({ id }) => id) } },
		],
		[...versionNotes(view, record), ...copyNotes(view, body)],
	);
}

function resolved({ id }: MemoryRecord) {
	return { type: "memory/resolved", data: { id, why: FORGOTTEN } } as const;
}

/** Versions before and after it, which may say the same in other words. */
function versionNotes(
	{ memory }: MemoryView,
	{ id, supersedes, supersededBy, body }: MemoryRecord,
): string[] {
	const linked = [supersedes, supersededBy].flatMap((other) => {
		const version = other === undefined ? undefined : memory.records.get(other);
		return version && !version.isShredded && version.body !== body ? version.id : [];
	});
	if (linked.length === 0) return [];
	return [`other versions of ${id} keep their texts: ${linked.join(", ")}`];
}

function copyNotes({ beside = [] }: MemoryView, body: string): string[] {
	const copies = beside.flatMap(({ records }) =>
		[...records.values()].filter((other) => other.body === body),
	);
	return copies.map(({ id }) => `${id} holds the same text`);
}
