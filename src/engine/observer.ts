import type { DomainEvent } from "../../events/catalogue.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Item } from "../../projections/window-plan.ts";

/** A window about to be recorded, told by what is new in it. */
export interface SentWindow {
	readonly leaf: string | null;
	/** leading items that are those of the window before */
	readonly kept: number;
	/** the items behind them, in order */
	readonly items: readonly Item[];
}

/**
 * Told of everything an engine takes in and sends out, as it happens: an entry before the events that record it, a
 * window before its `request/prepared`. What an engine loads from its journal is not told.
 */
export interface Observer {
	entry(entry: TranscriptEntry): void;
	event(event: DomainEvent, position: number): void;
	window(window: SentWindow): void;
}
