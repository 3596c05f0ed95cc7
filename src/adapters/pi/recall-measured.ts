import { failureOf, type Measures, type RecallMeasure, rounded, tokensIn } from "./measures.ts";
import { answerRecall } from "./recall-answer.ts";
import type { RecallResult } from "./recall-session.ts";

/** An answer of recall, and what it took. Throws as {@link answerRecall} does. */
export async function measuredRecall(
	measures: Measures,
	by: RecallMeasure["by"],
	...asked: Parameters<typeof answerRecall>
): Promise<RecallResult> {
	const [{ clock }, { action }] = asked;
	const since = clock.now();
	const about = () => ({ what: "recall" as const, by, action, ms: rounded(clock.now() - since) });
	try {
		const result = await answerRecall(...asked);
		const { count, total, chars, from, truncated } = result.details;
		const found = { count, ...(total !== undefined && { total }), chars, tokens: tokensIn(chars) };
		measures.note({ ...about(), ...found, from, truncated });
		return result;
	} catch (error) {
		measures.note({ ...about(), failure: failureOf(error) });
		throw error;
	}
}
