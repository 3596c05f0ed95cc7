import { tellableText } from "../brief/tellable.ts";
import { SHORT_EXCERPT_CHARS } from "./evidence.ts";
import { excerpt, looseDigest } from "./excerpt.ts";

/** Most errors quoted of one run. */
const QUOTED = 3;
/** Most errors of one run that are told from others. */
const TOLD = 16;
/** Longest line that is looked at, characters. */
const LINE = 1000;

/** A line that says itself an error. */
const ERROR =
	/(?:^|[\s([:'"])(?:[\w.$]*(?:Error|Exception)(?:\s*\[\w+\])?:|error\b(?:\s*\[\w+\]|\s+[A-Z]{1,5}\d+)?\s*:|(?:ERROR|FATAL|PANIC)\b|fatal:|panic(?:ked)?\b|Traceback\b|Fehler\s*:|ERR!)|^E\s{2,}\S|^\s*[✗✖×]\s|(?:错误|異常|异常|エラー|오류)\s*[:：]/;
/** A line that tells of something that went wrong. */
const WRONG =
	/\b(?:errors?|exception|fail(?:ed|ure|s)?|cannot|can't|could not|couldn't|not found|no such|denied|undefined|unexpected|unable|refused|timed out|timeout|invalid|missing|rejected|segfault|assert(?:ion)?)\b|Fehler|fehlgeschlagen|nicht gefunden|konnte nicht|kann nicht|错误|失败|异常|无法|找不到|未找到|錯誤|失敗|無法/i;

/** The errors of an output. */
export interface Errors {
	/** in the output's order, with their digests */
	readonly quoted: readonly { readonly text: string; readonly digest: string }[];
	/** digests of all lines that tell of something wrong */
	readonly shows: readonly string[];
	/** there are more of those than `shows` holds */
	readonly more: boolean;
}

/**
 * The errors an output shows: lines that call themselves one, else lines that tell of something wrong; where neither
 * stands in it, none, for the last line of a failed command may be one of a good listing. What a `tool` that failed says is
 * all about that, so of it the last line is quoted then. Of a run that was not said to fail (`unsure`) only lines that call
 * themselves errors are quoted.
 */
export function errorsIn(output: string, ended: "failed" | "tool" | "unsure"): Errors {
	const shows = new Set<string>();
	const errors = new Map<string, Line>();
	const wrong = new Map<string, Line>();
	let last: Line | undefined;
	for (const raw of output.split("\n")) {
		const line = raw.slice(0, LINE);
		if (line.trim() === "" || isEnding(line)) continue;
		const above: string = last?.line ?? "";
		last = { line, above };
		if (!isErrorLine(line)) continue;
		const digest = errorDigest(line);
		shows.add(digest);
		const found = ERROR.test(line) ? errors : wrong;
		if (found.size < QUOTED && !found.has(digest)) found.set(digest, last);
	}
	const best = errors.size > 0 || ended === "unsure" ? errors : wrong;
	if (best.size === 0 && ended === "tool" && last !== undefined) {
		best.set(errorDigest(last.line), last);
		shows.add(errorDigest(last.line));
	}
	return {
		quoted: [...best].flatMap(([digest, { line, above }]) => {
			const isSecret = !tellableText(`${above}\n${line}`).endsWith(tellableText(line));
			const text = isSecret ? "" : excerpt(line, SHORT_EXCERPT_CHARS);
			return text === "" ? [] : { text, digest };
		}),
		shows: [...shows].slice(0, TOLD),
		more: shows.size > TOLD,
	};
}

/** A line of output, and the last before it that says something: what may make a secret of it. */
interface Line {
	readonly line: string;
	readonly above: string;
}

/** Whether a line of output tells of something wrong. */
export function isErrorLine(line: string): boolean {
	return ERROR.test(line) || WRONG.test(line);
}

/** Digest of a line in which no number counts: an error that moved by some lines, or took longer, is the same. */
function errorDigest(line: string): string {
	return looseDigest(line.replace(/\d+/g, "0").replace(/\s+/g, " ").trim());
}

/** What the host adds below an output. */
function isEnding(line: string): boolean {
	return /^(?:Command (?:exited with code|timed out|aborted)|\(no output\)|\(command cancelled\)|\[(?:Output truncated|Showing lines|raw output))/.test(
		line,
	);
}
