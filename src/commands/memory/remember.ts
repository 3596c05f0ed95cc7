import type { MemoryKind, MemoryPriority, MemoryScope, NewRecord } from "../../../events/memory.ts";
import { lossesOf } from "../../../projections/memory/losses.ts";
import { hasAuthority, isTerminal, type MemoryRecord } from "../../../projections/memory/record.ts";
import { secretInName } from "../../../projections/memory/secret-in.ts";
import { boundedNames } from "./bounded-names.ts";
import { type CheckedText, checkedText } from "./checked-text.ts";
import { type Deciding, decided, type MemoryDecision, type MemoryView } from "./decision.ts";
import { MemoryError } from "./memory-error.ts";
import { notesOn, recordsSaying, standingNamed, withoutText } from "./standing.ts";

/** What is said of a record that is to be; what is not named is as usual, or as with the record it takes the place of. */
export interface RecordFields {
	readonly kind?: MemoryKind | undefined;
	readonly scope?: MemoryScope | undefined;
	readonly priority?: MemoryPriority | undefined;
	/** files it is about */
	readonly files?: readonly string[] | undefined;
	/** entries of the session it was drawn from */
	readonly sources?: readonly string[] | undefined;
	/** hex SHA-256 over the digests of those that are kept, see {@link boundedNames} */
	readonly sourceHash?: string | undefined;
	/** what made it; `user:/remember` unless given */
	readonly provenance?: string | undefined;
}

/** A user has something remembered. */
export interface Remember extends RecordFields, Deciding {
	/** the new record's id */
	readonly id: string;
	/** empty with `supersede`: the old text stays */
	readonly text: string;
	readonly pinned?: boolean | undefined;
	/** the record whose place it takes */
	readonly supersede?: string | undefined;
}

/**
 * Remembers a text by a user's word. A text that a record of the same scope says already is that record: nothing is done
 * where it has authority and nothing else is named, it is pinned where only that is new, and superseded else; of one that is
 * not the user's, neither its files nor its priority are taken over. Throws `MEMORY_NO_SESSION`, `MEMORY_SCOPE` and what {@link checkedText} and {@link standingNamed} throw.
 */
export function decideRemember(view: MemoryView, command: Remember): MemoryDecision {
	if (command.supersede !== undefined)
		return superseded(view, command, standingNamed(view, command.supersede, command));
	const place = placeOf(command);
	const checked = checkedText(view, command.text, command, "user");
	const saying = recordsSaying(view, checked.text, place).filter((record) => !isTerminal(record));
	const same = saying.find(hasAuthority) ?? saying.at(-1);
	if (same) return alreadySaid(view, command, same);
	const { record, notes } = newRecord(command, checked, place);
	const pinned = command.pinned === true ? ({ pinned: true } as const) : {};
	return {
		events: [{ type: "memory/recorded", data: { ...record, ...pinned } }],
		bodies: [{ digest: checked.digest, text: checked.text }],
		id: command.id,
		notes: [...notes, ...notesOn(view, checked.text, command)],
		losses: [],
	};
}

/** Where a record is to hold. Throws `MEMORY_NO_SESSION`. */
export function placeOf({ scope = "workspace", session }: Pick<Remember, "scope" | "session">): {
	readonly scope: MemoryScope;
	readonly session?: string;
} {
	if (scope === "workspace") return { scope };
	if (session === undefined || session === "")
		throw new MemoryError("MEMORY_NO_SESSION", "a record of scope session needs a session");
	return { scope, session };
}

/** A record of a text, with what is named or else as `old` has it, and what was left out of it. Throws `MEMORY_SECRET`. */
export function newRecord(
	command: RecordFields & { readonly id: string },
	{ text, digest }: CheckedText,
	place: Pick<NewRecord, "scope" | "session">,
	old?: MemoryRecord,
): { readonly record: NewRecord; readonly notes: readonly string[] } {
	const secret = command.files?.map(secretInName).find((kind) => kind !== undefined);
	if (secret !== undefined)
		throw new MemoryError("MEMORY_SECRET", `the name of a file seems to hold ${secret}; nothing was stored`);
	const files = boundedNames(command.files ?? old?.files ?? [], "files");
	const sources = boundedNames(command.sources ?? old?.sources ?? [], "sources");
	const sourceHash = command.sources === undefined ? old?.sourceHash : command.sourceHash;
	const record: NewRecord = {
		id: command.id,
		kind: command.kind ?? old?.kind ?? "fact",
		...place,
		priority: command.priority ?? old?.priority ?? "normal",
		body: digest,
		chars: text.length,
		files: [...files.kept],
		sources: [...sources.kept],
		...(sourceHash !== undefined && { sourceHash }),
		provenance: command.provenance ?? "user:/remember",
	};
	return { record, notes: [...files.notes, ...sources.notes] };
}

function alreadySaid(view: MemoryView, command: Remember, same: MemoryRecord): MemoryDecision {
	if (!hasAuthority(same)) {
		// when and how a user's record is told is for nobody else to say
		const { files = [], priority = "normal" } = command;
		return superseded(view, { ...command, files, priority }, same);
	}
	if (changesFields(command, same)) {
		const decision = superseded(view, command, same);
		return { ...decision, notes: [`takes the place of ${same.id}, which says the same`, ...decision.notes] };
	}
	const isNewPin = command.pinned === true && same.status !== "pinned";
	if (isNewPin) return decided(same.id, [{ type: "memory/pinned", data: { id: same.id } }]);
	return decided(same.id, [], ["is remembered already"]);
}

function superseded(view: MemoryView, command: Remember, old: MemoryRecord): MemoryDecision {
	if (command.scope !== undefined && command.scope !== old.scope)
		throw new MemoryError(
			"MEMORY_SCOPE",
			`${old.id} is of scope ${old.scope}, which a new text for it keeps; remember it anew, and forget the old one`,
		);
	const oldText = view.text(old.body);
	const typed = command.text.trim() === "" ? (oldText ?? "") : command.text;
	if (typed === "") throw withoutText(old);
	const checked = checkedText(view, typed, command, "user");
	const isSame = checked.digest === old.body && hasAuthority(old) && !changesFields(command, old);
	const pinned = command.pinned ?? old.status === "pinned";
	if (isSame && pinned === (old.status === "pinned")) return decided(old.id, [], ["is remembered already"]);
	if (isSame) {
		const type = pinned ? "memory/pinned" : "memory/unpinned";
		return decided(old.id, [{ type, data: { id: old.id } }]);
	}
	const { scope, session } = old;
	const place = { scope, ...(session !== undefined && { session }) };
	const { record, notes } = newRecord(command, checked, place, old);
	const replacing = { ...record, ...(pinned && ({ pinned: true } as const)) };
	return {
		events: [{ type: "memory/superseded", data: { id: old.id, record: replacing } }],
		bodies: [{ digest: checked.digest, text: checked.text }],
		id: command.id,
		notes: [...notes, ...notesOn(view, checked.text, command, [old.id])],
		losses: oldText === undefined ? [] : lossesOf(oldText, checked.text),
	};
}

/** Whether something is named otherwise than a record has it. */
function changesFields({ kind, priority, files, sources }: Remember, record: MemoryRecord): boolean {
	return (
		(kind !== undefined && kind !== record.kind) ||
		(priority !== undefined && priority !== record.priority) ||
		(files !== undefined && !sameNames(boundedNames(files, "files").kept, record.files)) ||
		(sources !== undefined && !sameNames(boundedNames(sources, "sources").kept, record.sources))
	);
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((name, at) => name === b[at]);
}
