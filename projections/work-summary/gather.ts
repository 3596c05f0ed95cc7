import { sourcesOf } from "../brief/sources.ts";
import { isSent } from "../brief/texts.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { accumulated } from "./accumulate.ts";
import { CUT_EVIDENCE, type Evidence } from "./evidence.ts";
import { proseOf } from "./excerpt.ts";
import { openBoxes, openSentences, openTodos } from "./open-items.ts";
import { bashEvidence, callEvidence } from "./runs.ts";
import { userEvidence } from "./user-words.ts";

/** Tools of ours and of those we follow: what they give back stands elsewhere in the session, first hand. */
export const OURS: RegExp = /^pi_(?:fold|compact|memory)_/;

/**
 * The evidence of a stretch of a path, in its order, as far as it still holds at its end; at most so many pieces. What
 * no model is sent, what the host or an extension said, and what our own tools gave back is none.
 */
export function evidenceOf(entries: readonly TranscriptEntry[], most: number = CUT_EVIDENCE): Evidence[] {
	const places = new Map(entries.map(({ id }, at) => [id, at] as const));
	const found: Evidence[] = [];
	for (const entry of entries) {
		if (!isSent(entry)) continue;
		if (entry.role === "user") found.push(...userEvidence(entry));
		else if (entry.role === "bash") found.push(...bashEvidence(entry));
		else if (entry.role === "assistant") found.push(...replyEvidence(entry));
	}
	for (const source of sourcesOf(entries)) if (!OURS.test(source.tool)) found.push(...callEvidence(source));
	const placeOf = ({ entry }: Evidence) => places.get(entry) ?? 0;
	return accumulated([found.sort((a, b) => placeOf(a) - placeOf(b))], most);
}

function replyEvidence(entry: TranscriptEntry): Evidence[] {
	const found: Evidence[] = [];
	const calls = entry.blocks.filter((block) => block.type === "call");
	for (const { tool, args } of calls) {
		const list = openTodos(entry.id, tool, args);
		if (list) found.push(list);
	}
	const text = proseOf(entry);
	const boxes = openBoxes(entry.id, "assistant", text);
	if (boxes) found.push(boxes);
	return calls.length > 0 ? found : [...found, ...openSentences(entry, text)];
}
