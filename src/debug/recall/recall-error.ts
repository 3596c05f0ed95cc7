/** Codes of {@link RecallError} and what each means. */
export const RECALL_ERROR_CODES = {
	ARGUMENT_MISSING: "an action lacks an argument",
	ENTRY_UNKNOWN: "no entry on this branch has the id",
	OFFSET_BEYOND_END: "the entry's JSON ends before this character",
	RECALL_NO_ROOM: "`recallMaxChars` leaves no room for what was asked",
	SUMMARY_MISSING: "there is no work summary to be had",
} as const;

/** Code of a {@link RecallError}. */
type RecallErrorCode = Exclude<keyof typeof RECALL_ERROR_CODES, "RECALL_NO_ROOM">;

/** Something was asked of recall that has no answer. */
export class RecallError extends Error {
	override readonly name = "RecallError";
	readonly code: RecallErrorCode;
	/** fields of a call that works */
	readonly instead: { readonly [field: string]: unknown };

	constructor(code: RecallErrorCode, message: string, instead: RecallError["instead"]) {
		super(message);
		this.code = code;
		this.instead = instead;
	}
}
