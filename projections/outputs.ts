import type { Draft } from "immer";
import type { OutputEvent } from "../events/output.ts";
import type { Projection } from "./projection.ts";

/** A whole output that is kept. */
export type KeptOutput = Extract<OutputEvent, { type: "output/kept" }>["data"];

/** An output that was not kept, and why. */
export type RefusedOutput = Extract<OutputEvent, { type: "output/refused" }>["data"];

/** The outputs that the host cut short, by the entries that show a part of them. */
export interface Outputs {
	readonly kept: ReadonlyMap<string, KeptOutput>;
	readonly refused: ReadonlyMap<string, RefusedOutput>;
	/** bytes of all that are kept */
	readonly bytes: number;
}

/** Which whole output belongs to an entry. */
export const outputs: Projection<Outputs, OutputEvent> = {
	name: "outputs",
	version: 1,
	listens: { "output/kept": true, "output/refused": true },
	initial: () => ({ kept: new Map(), refused: new Map(), bytes: 0 }),
	apply,
};

/**
 * Bytes a session may keep of whole outputs unless told otherwise: pi-fold's limit. Entries and fold texts never count.
 */
export const OUTPUT_CAP_BYTES = 512 << 20;

/** The whole output behind an entry, if it is kept. */
export function outputOf(state: Outputs, entry: string): KeptOutput | undefined {
	return state.kept.get(entry);
}

/** That the output behind an entry was not kept, if it was tried. */
export function refusalOf(state: Outputs, entry: string): RefusedOutput | undefined {
	return state.refused.get(entry);
}

function apply(draft: Draft<Outputs>, event: OutputEvent): void {
	switch (event.type) {
		case "output/kept": {
			const { entry, source, bytes, piece, pieces } = event.data;
			draft.bytes += bytes - (draft.kept.get(entry)?.bytes ?? 0);
			draft.kept.set(entry, { entry, source, bytes, piece, pieces: [...pieces] });
			draft.refused.delete(entry);
			return;
		}
		case "output/refused": {
			const { entry, source, bytes, why, cap } = event.data;
			if (draft.kept.has(entry)) return;
			const known = { ...(bytes !== undefined && { bytes }), ...(cap !== undefined && { cap }) };
			draft.refused.set(entry, { entry, source, why, ...known });
			return;
		}
		default:
			event satisfies never;
	}
}
