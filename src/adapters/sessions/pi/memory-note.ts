import type { MemoryNote } from "../../../../projections/transcript.ts";
import { asRecord } from "./raw-entry.ts";

/** What the details of a message of ours say that it tells of memory; `undefined` where they are none of ours. */
export function memoryNoteIn(details: unknown): MemoryNote | undefined {
	const given = asRecord(asRecord(details)?.memory);
	if (!given) return undefined;
	const { block, told, gone, lines } = given;
	return {
		...(isIds(block) && { block }),
		...(isIds(told) && { told }),
		...(isIds(gone) && { gone }),
		...(isIds(lines) && { lines }),
	};
}

function isIds(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.every((id) => typeof id === "string");
}
