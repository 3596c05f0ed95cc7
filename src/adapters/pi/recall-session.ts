import type { RecallRequest } from "../../debug/recall/request.ts";
import type { Engine } from "../../engine/engine.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveRecall } from "./live-recall.ts";
import type { Clock } from "./patience.ts";

/** How much recall may tell. */
export type RecallConfig = Pick<CompactConfig, "recallMaxChars" | "sessionSummary">;

/** What is asked of a session's log. */
export type RecallEngine = Pick<Engine, "states" | "entry" | "content">;

/** A session that can be asked. */
export interface RecallSession {
	readonly session: HostSession;
	/** its index; `undefined` where there is none, so that its entries are read through */
	readonly recall: LiveRecall | undefined;
	/** its log, which tells of folds and of the work; `undefined` where there is none */
	readonly engine: RecallEngine | undefined;
	/** by which an index is waited for */
	readonly clock: Clock;
}

/** How an answer was had: by the index, by one that is still made, by reading through, by ids, or from the work summary. */
export type Had = "index" | "indexing" | "scan" | "entries" | "summary";

/** What is told beside an answer. */
export interface RecallDetails {
	readonly source: "session-entries";
	readonly action: RecallRequest["action"];
	/** entries in the answer */
	readonly count: number;
	/** characters of the answer */
	readonly chars: number;
	/** whether there was no room for something */
	readonly truncated: boolean;
	readonly from: Had;
	/** entries that match, on all pages */
	readonly total?: number;
	readonly page?: number;
	readonly nextPage?: number;
	readonly nextOffset?: number;
}

/** An answer, within its budget. */
export interface RecallResult {
	readonly text: string;
	readonly details: RecallDetails;
}
