import type { MemoryEvent } from "../../events/memory.ts";
import type { PayloadEvent } from "../../events/payload.ts";
import type { Projection } from "../projection.ts";

/** Where a session's own memory stands in its stream, so that opening it reads nothing else. */
export interface MemoryPositions {
	/** positions of its events of memory, in order */
	readonly positions: readonly number[];
	/** what was destroyed on purpose: by digest, the position of the event that says so */
	readonly shredded: { readonly [digest: string]: number };
}

/** Where a session's own memory stands, and what of the session was destroyed with what is remembered. */
export const memoryPositions: Projection<MemoryPositions, MemoryEvent | PayloadEvent> = {
	name: "memoryPositions",
	version: 2,
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
	initial: () => ({ positions: [], shredded: {} }),
	apply: (draft, event, { position }) => {
		draft.positions.push(position);
		if (event.type !== "payload/shredded") return;
		for (const digest of event.data.contents) draft.shredded[digest] = position;
	},
};

/** Whether content of a session was destroyed on purpose, by its digest. */
export function isShredded({ memory }: { readonly memory: MemoryPositions }, digest: string): boolean {
	return memory.shredded[digest] !== undefined;
}
