import type { Draft } from "immer";
import type { CompactionEvent, CompactionReason } from "../events/compaction.ts";
import type { Projection } from "./projection.ts";

/** A checkpoint that stands in the session. */
interface Checkpointed {
	/** the window's name */
	readonly id: string;
	/** hex SHA-256 of its manifest */
	readonly digest: string;
}

/** What became of the host's compactions. */
export interface Compactions {
	/** by the host's compaction entry: the checkpoint it is; `null` for a summary that is not ours */
	readonly byEntry: ReadonlyMap<string, Checkpointed | null>;
	/** handed to the host, which has not said yet what came of it; `null` for none */
	readonly open: {
		readonly position: number;
		readonly id: string;
		readonly reason: CompactionReason;
	} | null;
}

/** Which compactions of the host's are checkpoints of ours, and which is under way. */
export const compactions: Projection<Compactions, CompactionEvent> = {
	name: "compactions",
	version: 1,
	listens: {
		"compaction/intercepted": true,
		"compaction/checkpointed": true,
		"compaction/summarised": true,
		"compaction/failed": true,
	},
	initial: () => ({ byEntry: new Map(), open: null }),
	apply,
};

function apply(
	draft: Draft<Compactions>,
	event: CompactionEvent,
	{ position }: { readonly position: number },
): void {
	switch (event.type) {
		case "compaction/intercepted":
			draft.open = { position, id: event.data.manifest.id, reason: event.data.reason };
			return;
		case "compaction/checkpointed": {
			const { entry, manifest } = event.data;
			draft.byEntry.set(entry, { id: manifest.id, digest: manifest.digest });
			if (draft.open?.id === manifest.id) draft.open = null;
			return;
		}
		case "compaction/summarised":
			draft.byEntry.set(event.data.entry, null);
			// another's summary came instead of what the host was handed
			draft.open = null;
			return;
		case "compaction/failed":
			if (draft.open?.position === event.data.intercepted) draft.open = null;
			return;
		default:
			event satisfies never;
	}
}
