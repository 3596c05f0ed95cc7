/** Pi 1.6 compacts above window − 16,384 tokens. */
export const RESERVE_TOKENS = 16_384;

/** Pi 1.6 keeps the newest 20,000 tokens, counted at four characters each. */
export const KEEP_CHARS = 20_000 * 4;

/** Pi shows its summariser at most so many characters of a tool result. */
export const SUMMARISED_RESULT_CHARS = 2_000;

/** Mean size of the four summaries in recorded sessions (3,649 to 4,712 characters). */
export const SUMMARY_CHARS = 4_300;

/** A compaction the host made, or would have made by itself. */
export interface Compaction {
	/** the last entry it drops; `null` for none */
	readonly to: string | null;
	/** characters of its summary */
	readonly chars: number;
}
