import type { MemoryEvent } from "../../events/memory.ts";
import type { PayloadEvent } from "../../events/payload.ts";
import type { Projection } from "../projection.ts";

/** Where a session's own memory stands in its stream, so that opening it reads nothing else. */
export interface MemoryPositions {
	/** positions of its events of memory, in order */
	readonly positions: readonly number[];
}

/** Where a session's own memory stands. */
export const memoryPositions: Projection<MemoryPositions, MemoryEvent | PayloadEvent> = {
	name: "memoryPositions",
	version: 1,
	listens: {
		"memory/recorded": true,
		"memory/proposed": true,
		"memory/derived": true,
		"memory/superseded": true,
		"memory/confirmed": true,
		"memory/pinned": true,
		"memory/unpinned": true,
		"memory/resolved": true,
		"memory/restored": true,
		"memory/trusted": true,
		"memory/imported": true,
		"memory/moved": true,
		"payload/shredded": true,
	},
	initial: () => ({ positions: [] }),
	apply: (draft, _event, { position }) => void draft.positions.push(position),
};
