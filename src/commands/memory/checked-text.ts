import { secretIn } from "../../../projections/memory/secret-in.ts";
import type { Deciding, MemoryView } from "./decision.ts";
import { MemoryError } from "./memory-error.ts";

/** Longest text of a record, UTF-16 code units. */
export const TEXT_CHARS = 8_000;

/** A text that may be remembered. */
export interface CheckedText {
	readonly text: string;
	readonly digest: string;
}

/**
 * A text as it is remembered: well-formed, without blanks around it, never cut. Throws `MEMORY_EMPTY`,
 * `MEMORY_TOO_LONG`, `MEMORY_SECRET` with the kind of secret in words (a user may name digests), and `MEMORY_SHREDDED`.
 */
export function checkedText(
	view: Pick<MemoryView, "memory" | "beside">,
	typed: string,
	{ hashText }: Pick<Deciding, "hashText">,
	by: "user" | "model",
): CheckedText {
	const text = typed.toWellFormed().trim();
	if (text === "") throw new MemoryError("MEMORY_EMPTY", "there is no text to remember");
	if (text.length > TEXT_CHARS)
		throw new MemoryError(
			"MEMORY_TOO_LONG",
			`the text has ${text.length} characters, more than 8,000; it is not cut: say it in fewer words, or in several records`,
		);
	const secret = secretIn(text, by === "user");
	if (secret !== undefined)
		throw new MemoryError("MEMORY_SECRET", `the text seems to hold ${secret}; it was not stored`);
	const digest = hashText(text);
	if ([view.memory, ...(view.beside ?? [])].some(({ shredded }) => shredded.has(digest)))
		throw new MemoryError("MEMORY_SHREDDED", "this text was destroyed on purpose, and may not come back");
	return { text, digest };
}
