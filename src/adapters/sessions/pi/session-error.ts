/**
 * Why a file could not be read as a session, and what each code means. The README's table of codes is printed from
 * this record; the codes are API, the wording is not.
 */
export const sessionErrorCodes = {
	SESSION_NOT_FOUND: "no file stands at this path",
	SESSION_NOT_A_FILE: "the path names a folder, a device or a pipe",
	SESSION_UNREADABLE: "the file cannot be opened or read, or it shrank while it was read",
	SESSION_EMPTY: "the file holds nothing but white space",
	SESSION_NOT_A_SESSION: "the file holds no entry of a Pi session",
	SESSION_FORMAT_UNSUPPORTED: "the file is a session of another program, or of a later format of Pi",
} as const;

/** One of the reasons a file is refused as a session. */
export type SessionErrorCode = keyof typeof sessionErrorCodes;

/** A file that cannot be read as a session: what is wrong is in `code`, which file in `path`. */
export class SessionError extends Error {
	override readonly name = "SessionError";
	readonly code: SessionErrorCode;
	readonly path: string;

	constructor(code: SessionErrorCode, path: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
		this.path = path;
	}
}
