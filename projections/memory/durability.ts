import type { MemoryKind } from "../../events/memory.ts";
import { contentTerms } from "./clauses.ts";
import {
	CONSTRAINT,
	DECISION,
	NOT_MEANT,
	ONE_OFF,
	PREFERENCE,
	QUESTION,
	STRONG,
	TASK,
	TROUBLE,
} from "./durability-words.ts";
import { subjectOf } from "./polarity.ts";

/** What a sentence that is meant to last lays down. */
export type LastingKind = Extract<MemoryKind, "constraint" | "decision" | "preference">;

/** Longest sentence that is looked at, characters. */
export const SENTENCE_CHARS = 240;

/**
 * What a user's sentence lays down for good, by its words, in English, German, French, Spanish, Chinese and Japanese:
 * what is demanded or forbidden is a constraint, what was decided or is used a decision, what else is to be so a
 * preference. Nothing of a question, of a line of a log, of what others said, of a jest, of a request for the moment, of a
 * tale of what goes wrong, or of a sentence that is too long; where it may be either it is nothing.
 */
export function lastingKind(sentence: string): LastingKind | undefined {
	const said = sentence.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
	if (said.length > SENTENCE_CHARS || said.startsWith(">") || QUESTION.test(said) || NOT_MEANT.test(said))
		return undefined;
	const isStrong = STRONG.test(said);
	if (!isStrong && (ONE_OFF.test(said) || TASK.test(said) || TROUBLE.test(said))) return undefined;
	if (contentTerms(subjectOf(said)).size === 0) return undefined;
	if (CONSTRAINT.test(said)) return "constraint";
	if (DECISION.test(said)) return "decision";
	return isStrong || PREFERENCE.test(said) ? "preference" : undefined;
}
