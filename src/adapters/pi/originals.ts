import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { type ReadBack, readBack, type Slice } from "../../debug/read-back.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HostSession } from "./live-entry.ts";
import { missingOutput } from "./output-words.ts";

/** The originals of which fold or entry, and how much of them. */
export interface OriginalsAsked {
	readonly id: string;
	readonly slice: Slice;
	/** whether the whole output behind an entry is still being copied */
	readonly isUnderway: (entry: SessionEntry) => boolean;
}

/** The originals behind a fold or an entry, with a word of what is missing of an output. Throws as `readBack` does. */
export function originals(
	session: HostSession,
	engine: Engine,
	{ id, slice, isUnderway }: OriginalsAsked,
): ReadBack | undefined {
	const found = readBack(engine.states, (digest) => engine.content(digest), id, slice);
	const entry = found?.entry === undefined ? undefined : session.getEntry(found.entry);
	if (!found || !entry || found.output || found.edited.length > 0) return found;
	const missing = missingOutput(engine.states.outputs, entry, isUnderway(entry));
	return { ...found, ...(missing !== undefined && { missing }) };
}
