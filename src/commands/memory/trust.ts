import type { Suspect } from "../../../projections/memory/record.ts";
import { decided, type MemoryDecision, type MemoryView } from "./decision.ts";
import { MemoryError } from "./memory-error.ts";

/** A user vouches for events that carry no proof. */
export interface Trust {
	/** places in the stream */
	readonly positions: readonly number[];
	/** the suspects the user looked at */
	readonly listed: readonly Suspect[];
}

/**
 * Vouches for suspects, each by its place and hash, and only for those that were listed and are still what they were.
 * Throws `MEMORY_NOT_FOUND`, `MEMORY_FORGED` and `MEMORY_NOTHING_TO_DO`.
 */
export function decideTrust({ memory }: MemoryView, { positions, listed }: Trust): MemoryDecision {
	const seen = new Set(listed.map(({ position, hash }) => `${position} ${hash}`));
	const suspects = memory.suspects.filter(({ position, hash }) => seen.has(`${position} ${hash}`));
	const chosen = [...new Set(positions)].map((position) => named(suspects, position));
	if (chosen.length === 0)
		throw new MemoryError("MEMORY_NOTHING_TO_DO", "there is no event without proof to vouch for");
	const events = chosen
		.map(({ position, hash }) => ({ position, hash }))
		.sort((a, b) => a.position - b.position);
	return decided(undefined, [{ type: "memory/trusted", data: { events } }]);
}

function named(suspects: readonly Suspect[], position: number): Suspect {
	const suspect = suspects.find((each) => each.position === position);
	if (!suspect)
		throw new MemoryError("MEMORY_NOT_FOUND", `event ${position} is not among those that want vouching for`);
	if (suspect.proof === "forged")
		throw new MemoryError(
			"MEMORY_FORGED",
			`event ${position} is not what was written: nobody can vouch for it`,
		);
	return suspect;
}
