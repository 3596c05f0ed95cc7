import { memoryOf } from "../../../projections/memory/memory.ts";
import type { Memory, MemoryFact } from "../../../projections/memory/record.ts";
import { timeIn } from "../../../projections/recall/time.ts";
import { CliError } from "../cli-error.ts";

/** A moment in the past of a memory. */
export interface Moment {
	/** ms since the epoch */
	readonly at: number;
	/** position of the last event that counts; -1 where none does */
	readonly position: number;
}

/**
 * The moment a user means by a time in ISO 8601 or by the position of an event. A month or a day is meant to its end. Of a
 * clock that was set back the last event that carries such a time counts, with all before it. Throws `CLI_USAGE`.
 */
export function momentMeant(typed: string, facts: readonly MemoryFact[]): Moment {
	if (/^\d{1,9}$/.test(typed)) {
		const position = Number(typed);
		const last = facts.at(-1)?.position;
		if (last === undefined || position > last) {
			const there = last === undefined ? "there is none" : `the last one is ${last}`;
			throw new CliError("CLI_USAGE", `no event of memory is at ${typed}: ${there}`);
		}
		return { position, at: facts.findLast((fact) => fact.position <= position)?.at ?? 0 };
	}
	const at = timeIn(typed, true);
	if (at === undefined) {
		const what = "neither the position of an event nor a time such as 2026-01-31T12:00";
		throw new CliError("CLI_USAGE", `${JSON.stringify(typed)} is ${what}`);
	}
	return { at, position: facts.findLast((fact) => fact.at <= at)?.position ?? -1 };
}

/** What some facts came to with the events up to a moment: a fold of those and of nothing else. */
export function memoryAt(facts: readonly MemoryFact[], { position }: Pick<Moment, "position">): Memory {
	return memoryOf(facts.filter((fact) => fact.position <= position));
}

/** Facts of a memory that is another folder's, of which nothing is proved here. */
export function unproved(facts: readonly MemoryFact[]): MemoryFact[] {
	return facts.map((fact) => (fact.proof === "verified" ? { ...fact, proof: "unverified" } : fact));
}
