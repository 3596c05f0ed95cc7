import { MemoryError } from "../../commands/memory/memory-error.ts";
import { wordsOf } from "./say.ts";

/**
 * Why nothing was done, in words, by its code where there is one. What the disk or the keys refused is said to be one of
 * theirs: then it is not known to be written.
 */
export function memoryRefusal(error: unknown): string {
	const code = codeOf(error);
	const words = code === undefined ? wordsOf(error) : `${code}: ${wordsOf(error)}`;
	return isRefused(error) ? words : `it is not known to be written: ${words}`;
}

/** Whether something may not be done, so that nothing of it was tried. */
export function isRefused(error: unknown): error is MemoryError {
	return error instanceof MemoryError;
}

function codeOf(error: unknown): string | undefined {
	const { code } = error as { readonly code?: unknown };
	return error instanceof Error && typeof code === "string" ? code : undefined;
}
