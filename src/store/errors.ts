/** What can go wrong in a store. The codes are API; {@link STORE_ERROR_CODES} says what each means. */
export type StoreErrorCode =
	| "STORE_VERSION_CONFLICT"
	| "STORE_CHAIN_BROKEN"
	| "STORE_DAMAGED"
	| "STORE_UNAVAILABLE"
	| "STORE_BLOB_DAMAGED"
	| "STORE_LOCKED"
	| "STORE_READ_ONLY"
	| "STORE_WRITE_FAILED"
	| "STORE_CLOSED"
	| "STORE_NOT_FOUND"
	| "STORE_NEWER"
	| "STORE_COPY_FAILED";

/** Each code of a {@link StoreError} and what it means, in one line. */
export const STORE_ERROR_CODES: { readonly [code in StoreErrorCode]: string } = {
	STORE_VERSION_CONFLICT: "the stream is not at the version the writer expected; the message names both",
	STORE_CHAIN_BROKEN:
		"an event was changed, removed, moved or added behind the store's back; its position is named",
	STORE_DAMAGED: "the store's files are incomplete or unreadable; `repair` keeps what still verifies",
	STORE_UNAVAILABLE:
		"the system would not let the store be used: no space, no permission, a file in the way; it is left as it is",
	STORE_BLOB_DAMAGED: "stored content no longer matches its SHA-256",
	STORE_LOCKED: "another process, or this one, has the store open",
	STORE_READ_ONLY: "the store was opened for reading and takes no events",
	STORE_WRITE_FAILED: "a batch could not be written; close the store and open it again before writing more",
	STORE_CLOSED: "the store was closed",
	STORE_NOT_FOUND: "there is no store in this directory",
	STORE_NEWER: "the store was written in a newer format than this release reads",
	STORE_COPY_FAILED: "no consistent copy of an open store could be taken in ten attempts",
};

/** Numbers and names needed to act on a {@link StoreError}. */
export interface StoreErrorDetail extends ErrorOptions {
	readonly stream?: string;
	/** the store's folder */
	readonly directory?: string;
	/** place in the stream, from 0 */
	readonly position?: number;
	/** `STORE_VERSION_CONFLICT`: the version the writer expected */
	readonly expected?: number;
	/** `STORE_VERSION_CONFLICT`: the version the stream is at, queued appends included */
	readonly actual?: number;
	/** `STORE_CHAIN_BROKEN`: how many events of the stream, from 0, are vouched for */
	readonly verified?: number;
}

/** A store that could not do what was asked of it. */
export class StoreError extends Error {
	override readonly name = "StoreError";
	readonly code: StoreErrorCode;
	readonly detail: StoreErrorDetail;

	constructor(code: StoreErrorCode, message: string, detail: StoreErrorDetail = {}) {
		super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
		this.code = code;
		this.detail = detail;
	}
}
