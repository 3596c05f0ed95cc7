import type { CompactionReason } from "../../../events/compaction.ts";
import { StoreError } from "../../store/errors.ts";
import type { DebugLog } from "./debug-log.ts";

/** Digest and size of a text that was sent; never the text. */
export interface Digested {
	/** hex SHA-256 of its UTF-8 */
	readonly sha256: string;
	readonly chars: number;
}

/** What a checkpoint took. */
export interface CheckpointMeasure {
	readonly what: "checkpoint";
	readonly reason: CompactionReason;
	/** a checkpoint was handed over, or why the host was left to it */
	readonly outcome:
		| "handed"
		| "native"
		| "off"
		| "aborted"
		| "contradiction"
		| "no-projection"
		| "unsafe"
		| "failed";
	readonly ms: number;
	/** tokens of the window, as the host counts them */
	readonly tokensBefore: number;
	/** the window's name */
	readonly window?: string;
	/** entries that left the window, folds named, characters of the text and tokens at four characters each */
	readonly entries?: number;
	readonly folds?: number;
	readonly chars?: number;
	readonly tokens?: number;
	readonly isMoved?: boolean;
	/** what kind of failure it was */
	readonly failure?: string;
}

/** What an answer of recall took. */
export interface RecallMeasure {
	readonly what: "recall";
	readonly by: "model" | "user";
	readonly action: string;
	readonly ms: number;
	readonly count?: number;
	readonly total?: number;
	readonly chars?: number;
	readonly tokens?: number;
	readonly from?: string;
	readonly truncated?: boolean;
	readonly failure?: string;
}

/**
 * What is measured: numbers, digests and words of ours, and never anything that someone said, asked for, wrote or named.
 * Times are ms.
 */
export type Measure =
	| CheckpointMeasure
	| RecallMeasure
	/** the host compacted, by a checkpoint or by something else; or it did not */
	| { readonly what: "compacted"; readonly reason: CompactionReason; readonly isCheckpoint: boolean }
	| { readonly what: "compaction-failed"; readonly reason: CompactionReason; readonly aborted: boolean }
	/** a work summary for a checkpoint */
	| {
			readonly what: "summary";
			readonly ms: number;
			readonly evidence: number;
			readonly chars: number;
			readonly tokens: number;
	  }
	/** what goes to the provider: all of it, and how much of it from the start is as in the request before */
	| {
			readonly what: "request";
			readonly payload: Digested;
			readonly prefix: Digested & { readonly messages: number };
			readonly messages: number;
			/** whether no run is on, as where the host keeps a cache warm */
			readonly idle: boolean;
	  }
	/** what the provider billed, in tokens */
	| {
			readonly what: "reply";
			readonly input: number;
			readonly output: number;
			readonly cacheRead: number;
			readonly cacheWrite: number;
			readonly outcome: string;
			readonly failure?: string;
	  };

/** What was measured since extensions were loaded. */
export interface Figures {
	/** answers of recall, and ms of all and of the longest */
	readonly recalls: {
		readonly count: number;
		readonly ms: number;
		readonly longest: number;
		readonly failed: number;
	};
	/** the last checkpoint that the host was handed */
	readonly checkpoint?: CheckpointMeasure;
}

/** Takes in what is measured: keeps the sums, and tells the debug log where there is one. */
export class Measures {
	#log: DebugLog | undefined;
	#figures: Figures = { recalls: { count: 0, ms: 0, longest: 0, failed: 0 } };

	/** Where the debug log lies, and what stands for the session in it; `undefined` where none is kept. */
	get debug(): { readonly path: string; readonly session: string } | undefined {
		return this.#log && { path: this.#log.path, session: this.#log.session };
	}

	/** Whether a debug log is kept. */
	get isLogged(): boolean {
		return this.#log !== undefined;
	}

	get figures(): Figures {
		return this.#figures;
	}

	/** Has a debug log kept from now on, or none. */
	heed(log: DebugLog | undefined): void {
		this.#log = log;
	}

	/** Takes in a measure. Never fails, and waits for nothing. */
	note(measure: Measure): void {
		if (measure.what === "recall")
			this.#figures = { ...this.#figures, recalls: added(this.#figures.recalls, measure) };
		if (measure.what === "checkpoint" && measure.outcome === "handed")
			this.#figures = { ...this.#figures, checkpoint: measure };
		this.#log?.write(measure);
	}
}

function added(
	{ count, ms, longest, failed }: Figures["recalls"],
	measure: RecallMeasure,
): Figures["recalls"] {
	return {
		count: count + 1,
		ms: ms + measure.ms,
		longest: Math.max(longest, measure.ms),
		failed: failed + (measure.failure === undefined ? 0 : 1),
	};
}

/** What kind of failure an error is: its code, or the name of its class; never its message. */
export function failureOf(error: unknown): string {
	if (error instanceof StoreError) return error.code;
	const { code, name } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
	if (typeof code === "string" && /^[A-Z][A-Z_]*$/.test(code)) return code;
	return typeof name === "string" && /^\w*Error$/.test(name) ? name : "unknown";
}

/** Tokens of a text, at four characters each. */
export function tokensIn(chars: number): number {
	return Math.ceil(chars / 4);
}

/** Ms to a hundredth. */
export function rounded(ms: number): number {
	return Math.round(ms * 100) / 100;
}
