import { isExpired } from "../../../projections/memory/list.ts";
import { lossesOf } from "../../../projections/memory/losses.ts";
import { isTerminal, type MemoryRecord } from "../../../projections/memory/record.ts";
import { checkedText } from "./checked-text.ts";
import { type Deciding, decided, type MemoryDecision, type MemoryView } from "./decision.ts";
import { MemoryError } from "./memory-error.ts";
import { newRecord, placeOf, type RecordFields } from "./remember.ts";
import { notesOn, recordsSaying, standingNamed } from "./standing.ts";

/** The model would have something remembered. */
export interface Propose extends RecordFields, Deciding {
	/** the new record's id */
	readonly id: string;
	readonly text: string;
}

/** The model would have one of its proposals changed. */
export interface Update extends Deciding {
	/** the proposal */
	readonly record: string;
	readonly action: "edit" | "resolve";
	/** the new record's id, and its text, to `edit` */
	readonly id: string;
	readonly text?: string | undefined;
}

const PROPOSED_BY = "model:pi_memory_propose";
const UPDATED_BY = "model:pi_memory_update";

/**
 * Proposes a text by the model's word. What stands already in the same scope, and what the model proposed there before,
 * is not proposed again, but for a proposal of its own that expired. Throws `MEMORY_NO_SESSION` and what
 * {@link checkedText} throws.
 */
export function decidePropose(view: MemoryView, command: Propose): MemoryDecision {
	const place = placeOf(command);
	const checked = checkedText(view, command.text, command, "model");
	const saying = recordsSaying(view, checked.text, place);
	const standing = saying.find((record) => !isTerminal(record) && !isExpired(record, command.now));
	if (standing) return decided(standing.id, [], [`is remembered already: ${standing.status}`]);
	const expired = saying.find((record) => isModelsOwn(record) && isExpired(record, command.now));
	const earlier = saying.findLast(wasProposed);
	if (earlier && !expired) return decided(earlier.id, [], [`was proposed before, and is ${earlier.status}`]);
	const fields = { ...command, provenance: command.provenance ?? PROPOSED_BY };
	const { record, notes } = newRecord(fields, checked, place);
	return {
		events: [
			expired
				? { type: "memory/superseded", data: { id: expired.id, record } }
				: { type: "memory/proposed", data: record },
		],
		bodies: [{ digest: checked.digest, text: checked.text }],
		id: command.id,
		notes: [...notes, ...notesOn(view, checked.text, command)],
		losses: [],
	};
}

/**
 * Changes or resolves a proposal of the model's own, whichever session made it; a changed one is a new record. Throws
 * `MEMORY_NOT_FOUND`, `MEMORY_OVER`, `MEMORY_NOT_YOURS` and what {@link checkedText} throws.
 */
export function decideUpdate(view: MemoryView, command: Update): MemoryDecision {
	const old = standingNamed(view, command.record, command);
	if (!isModelsOwn(old))
		throw new MemoryError(
			"MEMORY_NOT_YOURS",
			`${old.id} is ${old.status}, by ${old.author}: the user's to change`,
		);
	if (command.action === "resolve")
		return decided(old.id, [{ type: "memory/resolved", data: { id: old.id, why: "model:withdraw" } }]);
	const checked = checkedText(view, command.text ?? "", command, "model");
	if (checked.digest === old.body) return decided(old.id, [], ["says this already"]);
	const { scope, session } = old;
	const place = { scope, ...(session !== undefined && { session }) };
	const { record } = newRecord({ id: command.id, provenance: UPDATED_BY }, checked, place, old);
	const oldText = view.text(old.body);
	return {
		events: [{ type: "memory/superseded", data: { id: old.id, record } }],
		bodies: [{ digest: checked.digest, text: checked.text }],
		id: command.id,
		notes: notesOn(view, checked.text, command, [old.id]),
		losses: oldText === undefined ? [] : lossesOf(oldText, checked.text),
	};
}

function isModelsOwn({ author, status }: MemoryRecord): boolean {
	return author === "model" && status === "provisional";
}

function wasProposed({ author, provenance }: MemoryRecord): boolean {
	return author === "model" || provenance.startsWith("model:");
}
