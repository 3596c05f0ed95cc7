import { StoreError } from "./errors.ts";

/** What the system says, in words, when it will not let a file be used now, though the file may be whole. */
const REFUSALS = new RegExp(
	[
		// POSIX's strerror, as LevelDB passes it on
		"No space left on device",
		"(Disk )?quota exceeded",
		"File too large",
		"Permission denied",
		"Operation not permitted",
		"Read-only file system",
		"Too many open files",
		"Cannot allocate memory",
		"Input/output error",
		"I/O error",
		"Stale file handle",
		"Not a directory",
		// Windows
		"Access is denied",
		"not enough space",
		"write.protected",
		"being used by another process",
	].join("|"),
	"i",
);

/** The same as Node names it. */
const CODES: ReadonlySet<string> = new Set([
	"ENOSPC",
	"EDQUOT",
	"EFBIG",
	"EACCES",
	"EPERM",
	"EROFS",
	"EMFILE",
	"ENFILE",
	"ENOMEM",
	"EIO",
	"ESTALE",
	"ENOTDIR",
	"EEXIST",
	"ELOOP",
]);

/**
 * The error for a file or database that could not be used: `STORE_UNAVAILABLE` where the system refused, so that
 * nothing is known against what is stored, else `STORE_DAMAGED`. `what` says what was tried, and of what.
 */
export function unusable(what: string, cause: unknown): StoreError {
	const message = originOf(cause);
	const code = isRefusal(cause) ? "STORE_UNAVAILABLE" : "STORE_DAMAGED";
	return new StoreError(code, `${what}: ${message}`, { cause });
}

/** Whether the system refused: no space, no permission, something else in its place, too many files, a device that does not answer. */
function isRefusal(cause: unknown): boolean {
	const { code } = cause as { readonly code?: unknown };
	return (typeof code === "string" && CODES.has(code)) || REFUSALS.test(originOf(cause));
}

/** An error met on the way to a store: what Node says of a file as a {@link StoreError}, any other as it is. */
export function metOnTheWay(directory: string, error: unknown): unknown {
	const { code, syscall } = error as NodeJS.ErrnoException;
	const isOfSystem = typeof code === "string" && syscall !== undefined;
	return isOfSystem ? unusable(`${directory} cannot be used`, error) : error;
}

/** Whether an error is LevelDB's word on its files. What is read at once comes without a code. */
export function isOfLevel(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const { code } = error as { readonly code?: unknown };
	return (
		code === "LEVEL_CORRUPTION" || code === "LEVEL_IO_ERROR" || /^(IO error|Corruption)/.test(error.message)
	);
}

/** LevelDB's own words, which are the cause of an error on opening. */
function originOf(error: unknown): string {
	const { cause } = error as { readonly cause?: { readonly message?: string } };
	return cause?.message ?? (error instanceof Error ? error.message : String(error));
}
