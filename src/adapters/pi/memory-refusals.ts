import { MemoryError } from "../../commands/memory/memory-error.ts";
import type { MemoryLogErrorCode } from "../../engine/memory/memory-log.ts";
import type { StoreErrorCode } from "../../store/errors.ts";
import { wordsOf } from "./say.ts";

/** What leaves it open whether something was written. */
const UNSURE: ReadonlySet<string> = new Set<StoreErrorCode | MemoryLogErrorCode>([
	"STORE_WRITE_FAILED",
	"MEMORY_SILENT",
]);

/**
 * Why nothing was done, in words, by its code where there is one. Where the disk or the keys refused it is said whether
 * nothing was written by that, or that is not known.
 */
export function memoryRefusal(error: unknown): string {
	const code = codeOf(error);
	if (code === undefined) return `it is not known to be written: ${wordsOf(error)}`;
	const words = `${code}: ${wordsOf(error)}`;
	if (isRefused(error)) return words;
	const isSure = /^(STORE|MEMORY|KEYRING|EVENT)_/.test(code) && !UNSURE.has(code);
	return `${isSure ? "it was not written" : "it is not known to be written"}: ${words}`;
}

/** Whether something may not be done, so that nothing of it was tried. */
export function isRefused(error: unknown): error is MemoryError {
	return error instanceof MemoryError;
}

function codeOf(error: unknown): string | undefined {
	const { code } = error as { readonly code?: unknown };
	return error instanceof Error && typeof code === "string" ? code : undefined;
}
