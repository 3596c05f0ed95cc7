import { type Calibration, charsPerToken, IMAGE_TOKENS } from "../../projections/calibration.ts";
import type { Weight } from "../../projections/session-tree.ts";

/** What was known of sizes when a request was sent. */
export interface PastSizes {
	/** characters a token takes */
	readonly perToken: number;
	/** tokens of a prompt that are not in its messages: instructions and tools */
	readonly base: number;
}

/** What a calibration says of sizes now. */
export function sizesNow(calibration: Calibration): PastSizes {
	return { perToken: charsPerToken(calibration), base: calibration.base };
}

/** Tokens of content, as they were estimated then. */
export function tokensThen({ perToken }: PastSizes, { chars, images }: Weight): number {
	return chars / perToken + images * IMAGE_TOKENS;
}
