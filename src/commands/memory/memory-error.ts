/** Codes of {@link MemoryError} and what each means. */
export const MEMORY_ERROR_CODES = {
	MEMORY_EMPTY: "there is no text to remember",
	MEMORY_TOO_LONG: "the text is longer than 8,000 characters; nothing was cut",
	MEMORY_SECRET: "the text seems to hold a password, token or key",
	MEMORY_SHREDDED: "the text was destroyed, and may not come back",
	MEMORY_UNREADABLE: "the text cannot be read as it was stored",
	MEMORY_NOT_FOUND: "no record this session may see has the id, or no suspect stands at the position",
	MEMORY_OVER: "the record was superseded or resolved, so nothing can be done to it",
	MEMORY_NOT_YOURS: "the record is no proposal of the model's own",
	MEMORY_NO_SESSION: "a record of scope `session` needs a session",
	MEMORY_SCOPE: "a record keeps its scope when it is superseded",
	MEMORY_FORGED: "the event is not what was written, so nobody can vouch for it",
	MEMORY_NOTHING_TO_DO: "there is nothing of the kind asked for",
} as const;

/** Code of a {@link MemoryError}. */
export type MemoryErrorCode = keyof typeof MEMORY_ERROR_CODES;

/** Something may not be done to memory. Nothing was written. */
export class MemoryError extends Error {
	override readonly name = "MemoryError";
	readonly code: MemoryErrorCode;

	constructor(code: MemoryErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}
