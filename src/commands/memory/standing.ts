import { alike, type StandingText, saysTheSame } from "../../../projections/memory/alike.ts";
import { contradicted } from "../../../projections/memory/contradicts.ts";
import { listed, recordFor } from "../../../projections/memory/list.ts";
import { isTerminal, type MemoryRecord } from "../../../projections/memory/record.ts";
import type { Deciding, MemoryView } from "./decision.ts";
import { MemoryError } from "./memory-error.ts";

/** Most records that are pointed out as near, and as saying otherwise. */
const MOST = 5;
const MOST_OPPOSITE = 3;

/** A record of the memory that is written to, where the session may see it. Throws `MEMORY_NOT_FOUND`. */
export function recordNamed(
	view: MemoryView,
	id: string,
	{ session }: Pick<Deciding, "session">,
): MemoryRecord {
	const record = recordFor([view.memory], id, session);
	if (!record) throw new MemoryError("MEMORY_NOT_FOUND", `there is no record ${id} for this session`);
	return record;
}

/** The same, where something can still be done to it. Throws `MEMORY_OVER` too. */
export function standingNamed(
	view: MemoryView,
	id: string,
	deciding: Pick<Deciding, "session">,
): MemoryRecord {
	const record = recordNamed(view, id, deciding);
	if (isTerminal(record)) throw over(record);
	return record;
}

/** That a record is superseded or resolved. */
export function over({ id, status, supersededBy }: MemoryRecord): MemoryError {
	const instead = supersededBy === undefined ? "" : ` by ${supersededBy}`;
	return new MemoryError("MEMORY_OVER", `${id} is ${status}${instead}`);
}

/** That a record's text is not to be had. */
export function withoutText({ id, isShredded }: MemoryRecord): MemoryError {
	if (isShredded) return new MemoryError("MEMORY_SHREDDED", `the text of ${id} was destroyed`);
	return new MemoryError("MEMORY_UNREADABLE", `the text of ${id} cannot be read as it was stored`);
}

/** The records of the memory that is written to whose text says the same, of one scope, in the order they were made. */
export function recordsSaying(
	view: MemoryView,
	text: string,
	place: Pick<MemoryRecord, "scope"> & { readonly session?: string | undefined },
): MemoryRecord[] {
	return [...view.memory.records.values()].filter(
		(record) =>
			record.scope === place.scope &&
			(place.scope === "workspace" || record.session === place.session) &&
			saysTheSame(view.text(record.body) ?? "", text),
	);
}

/** What a new text should be held against: records that contradict it, then those that say nearly the same. */
export function notesOn(
	view: MemoryView,
	text: string,
	deciding: Pick<Deciding, "session" | "now">,
	except: readonly (string | undefined)[] = [],
): string[] {
	const standing = standingTexts(view, deciding).filter(({ id }) => !except.includes(id));
	const all = contradicted(text, standing);
	const opposite = all.slice(0, MOST_OPPOSITE);
	const ids = new Set(all.map(({ id }) => id));
	const near = alike(
		text,
		standing.filter(({ id }) => !ids.has(id)),
	).slice(0, MOST);
	return [
		...opposite.map(({ id, why }) => `may contradict ${id}, which ${why}`),
		...(all.length > opposite.length ? [`may contradict ${all.length - opposite.length} more`] : []),
		...near.map(({ id, why }) => `is near ${id}, which ${why}`),
	];
}

/** The texts that stand for a session; what rules took from runs and files is no statement to compare with. */
function standingTexts(view: MemoryView, deciding: Pick<Deciding, "session" | "now">): StandingText[] {
	return listed([view.memory, ...(view.beside ?? [])], deciding).flatMap(({ id, kind, author, body }) => {
		const text = author === "rule" && kind === "derived" ? undefined : view.text(body);
		return text === undefined ? [] : { id, text };
	});
}
