import { sourcesOf } from "../brief/sources.ts";
import { isSent } from "../brief/texts.ts";
import { WITHHELD } from "../secrets.ts";
import type { TranscriptEntry } from "../transcript.ts";
import type { Evidence, TestCounts } from "../work-summary/evidence.ts";
import { proseOf, sentencesOf } from "../work-summary/excerpt.ts";
import { OURS } from "../work-summary/gather.ts";
import { bashEvidence, callEvidence, isReading } from "../work-summary/runs.ts";
import { canonical, type Draft } from "./draft.ts";
import { lastingKind, SENTENCE_CHARS } from "./durability.ts";
import { secretIn } from "./secret-in.ts";

/** Hexadecimal digits of a draft's id. */
const ID_DIGITS = 16;

/** Whose session it is, and how ids are made: SHA-256 of a text's UTF-8 in hexadecimal digits. */
interface Deriving {
	readonly session: string;
	readonly hashText: (text: string) => string;
}

/** A draft before it has an id. */
type Found = Omit<Draft, "id">;

/**
 * What rules would have remembered of a run of entries, in its order, once each: files read or changed, commands with how
 * they ended, tests that were counted, and short sentences by which the user laid something down for good. Of a command
 * that ran more than once the last run counts. What may hold a secret is left out; what only looks, too, where the agent
 * ran it. Nothing is concluded, and none of it has authority.
 */
export function draftsOf(entries: readonly TranscriptEntry[], { session, hashText }: Deriving): Draft[] {
	const places = new Map(entries.map(({ id }, at) => [id, at] as const));
	const found: Found[] = [];
	for (const entry of entries) {
		if (!isSent(entry)) continue;
		if (entry.role === "user") found.push(...sentenceDrafts(entry));
		else if (entry.role === "bash") found.push(...lastRuns(bashEvidence(entry), true));
	}
	const calls = sourcesOf(entries).flatMap((source) => (OURS.test(source.tool) ? [] : callEvidence(source)));
	found.push(...calls.flatMap(fileDrafts), ...lastRuns(calls, false));
	const placeOf = ({ sources }: Found) => places.get(sources[0] ?? "") ?? 0;
	const drafts = new Map<string, Draft>();
	for (const each of found.sort((a, b) => placeOf(a) - placeOf(b))) {
		const text = canonical(each.text);
		const id = `mem_rule_${hashText(`${each.kind}\n${text}\n${session}`).slice(0, ID_DIGITS)}`;
		if (isPlain(text) && !drafts.has(id)) drafts.set(id, { ...each, id, text });
	}
	return [...drafts.values()];
}

function sentenceDrafts(entry: TranscriptEntry): Found[] {
	return sentencesOf(proseOf(entry)).flatMap((sentence) => {
		const text = sentence.trim().replace(/^[-*•]\s+/, "");
		const kind = text.length <= SENTENCE_CHARS ? lastingKind(text) : undefined;
		return kind === undefined ? [] : { rule: "sentence" as const, kind, text, sources: [entry.id] };
	});
}

function fileDrafts({ category, text, entry }: Evidence): Found[] {
	if (category !== "read" && category !== "changed") return [];
	return [{ rule: "file", kind: "derived", text: `file: ${text}`, sources: [entry] }];
}

/** Commands as they ended last, and the tests these counted. */
function lastRuns(evidence: readonly Evidence[], isUsers: boolean): Found[] {
	const runs = new Map<string, Evidence>();
	for (const piece of evidence) {
		if (piece.category !== "command" && piece.category !== "tests") continue;
		if (isUsers || !isReading(piece.text)) runs.set(piece.digest ?? piece.text, piece);
	}
	return [...runs.values()].flatMap((run) => [commandDraft(run), ...testsDraft(run)]);
}

function commandDraft({ text, exit, failed, piped, entry }: Evidence): Found {
	// how several commands ended is told by the last of them alone
	const code = exit ?? (failed === false && piped !== true ? 0 : undefined);
	const ended = code === undefined ? "" : ` exitCode=${code}`;
	return { rule: "command", kind: "derived", text: `command: ${text}${ended}`, sources: [entry] };
}

function testsDraft({ counts, entry }: Evidence): Found[] {
	if (!counts) return [];
	return [{ rule: "tests", kind: "derived", text: testsText(counts), sources: [entry] }];
}

function testsText({ passed, failed }: TestCounts): string {
	return `tests: ${passed ?? "unknown"} passed, ${failed ?? "unknown"} failed`;
}

function isPlain(text: string): boolean {
	return text !== "" && !text.includes(WITHHELD) && secretIn(text, false) === undefined;
}
