import type { OutputEvent } from "../../events/output.ts";
import {
	type KeptOutput,
	type Outputs,
	outputOf,
	type RefusedOutput,
	refusalOf,
} from "../../projections/outputs.ts";

/** Room for outputs in a session. */
export interface Room {
	/** bytes it may keep of them */
	readonly cap: number;
	/** bytes of those that are being kept and not told of yet */
	readonly underway: number;
}

/** Whether an output of so many bytes may be kept. It is asked before anything of it is copied. */
export function hasRoomFor({ bytes: kept }: Outputs, bytes: number, { cap, underway }: Room): boolean {
	return kept + underway + bytes <= cap;
}

/** Tells of a whole output whose pieces are stored. One that is kept already stays quiet. */
export function keepOutput(outputs: Outputs, output: KeptOutput): OutputEvent[] {
	if (outputOf(outputs, output.entry)) return [];
	return [{ type: "output/kept", data: output }];
}

/** Tells of an output that is not kept, once. */
export function refuseOutput(outputs: Outputs, refused: RefusedOutput): OutputEvent[] {
	if (outputOf(outputs, refused.entry) || refusalOf(outputs, refused.entry)) return [];
	return [{ type: "output/refused", data: refused }];
}
