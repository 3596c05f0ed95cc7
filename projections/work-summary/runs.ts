import type { Place, Source } from "../brief/sources.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { type Errors, errorsIn } from "./error-lines.ts";
import { type Evidence, SHORT_EXCERPT_CHARS } from "./evidence.ts";
import { excerpt, looseDigest, pathExcerpt, prose } from "./excerpt.ts";
import { openBoxes } from "./open-items.ts";
import { testCounts } from "./test-counts.ts";

/** A command with what came of it. */
interface Run {
	/** the entry that holds the outcome, else the one that makes the call */
	readonly entry: string;
	readonly command: string;
	readonly output: string;
	/** absent where no result came */
	readonly failed?: boolean;
}

/** Characters at each end of an output that are looked at. */
const REACH = 100_000;
/** Most of what shortens an output that is taken off the end of a command. */
const VIEWS = 8;
/** Tools that look for files rather than at them. */
const LOOKING = /^(?:grep|rg|find|ls|glob|search|list|tree)/i;
const CHANGING = /write|edit|patch|create|replace|insert|delete|remove|rename|move/i;
const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (\S.*)$/gm;
/** Tools that keep a list of things to do. */
const LISTING = /todo|task|plan|checklist/i;
/** Commands that show what others said: an error in their output is none of theirs. */
const READING =
	/^(?:cat|bat|grep|rg|ag|sed|awk|head|tail|less|ls|find|fd|tree|git\s+(?:log|show|diff|grep|blame)|jq|wc|sort|echo)\b/;

/** What came of a call: files read or changed, a command's end, tests, errors, a list of things to do. */
export function callEvidence(source: Source): Evidence[] {
	const { tool, call } = source;
	if (!call) return [];
	const entry = call.answered?.entry ?? call.entry;
	const output = textAt(source, "output", "failure");
	const failed = call.answered?.failed;
	const command = source.texts.find(({ place }) => place === "command")?.text;
	if (command !== undefined)
		return runEvidence({ entry, command, output, ...(failed !== undefined && { failed }) });
	const list = LISTING.test(tool) ? openBoxes(entry, tool, prose(output)) : undefined;
	return [...(list ? [list] : []), ...fileEvidence(source, entry, output)];
}

/** What came of a command that the user ran. */
export function bashEvidence(entry: TranscriptEntry): Evidence[] {
	const text = entry.blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
	if (!text.startsWith("Ran `")) return [];
	const ends = [text.indexOf("`\n```\n"), text.indexOf("`\n(no output)")].filter((at) => at >= 0);
	if (ends.length === 0) return [];
	const end = Math.min(...ends);
	const output = text
		.slice(end + 2)
		.replace(/^```\n/, "")
		.replace("\n```\n\nCommand", "\n\nCommand");
	return runEvidence({
		entry: entry.id,
		command: text.slice(5, end),
		output: output.replace(/\n```$/, ""),
		failed: entry.failed === true,
	});
}

/** Whether a command only looks at what is there. */
export function isReading(command: string): boolean {
	return READING.test(command);
}

/** By what the errors of a file's tool are told to be over: it went well with the same file. */
export function fileRun(category: "changed" | "read", path: string): string {
	return looseDigest(`${category} ${path}`);
}

function runEvidence({ entry, command, output, failed }: Run): Evidence[] {
	const own = command.trim().replace(/^(?:cd\s+\S+\s*(?:&&|;)\s*)+/, "");
	const text = excerpt(own, SHORT_EXCERPT_CHARS);
	if (text === "") return [];
	const plain = unstyled(output);
	const looks = isReading(own);
	const counts = looks ? undefined : testCounts(plain);
	const isPiped = /[|;\n]/.test(own);
	const errors = errorsIn(plain, failed === true ? "failed" : "unsure");
	const exit = exitCode(plain);
	const same = { digest: looseDigest(withoutView(command)), as: looseDigest(command.trim()) };
	const run: Evidence = {
		category: counts ? "tests" : "command",
		entry,
		text,
		...same,
		...(exit !== undefined && { exit }),
		...(failed !== undefined && { failed }),
		...(isPiped && { piped: true }),
		...(counts && { counts }),
		...(errors.shows.length > 0 && { shows: errors.shows }),
		...(errors.more && { showsMore: true }),
	};
	const isQuoted = failed === true || (isPiped && !looks);
	const during = { entry, of: same.digest, as: same.as, during: excerpt(own, 60) };
	return [...(isQuoted ? errorEvidence(errors, during) : []), run];
}

/** A command without what only shortens its output. O(command). */
function withoutView(command: string): string {
	let left = command.replace(/\s+/g, " ").trim();
	let before = "";
	for (let taken = 0; taken < VIEWS && before !== left; taken++) {
		before = left;
		left = left.replace(/ ?(?:\| ?(?:tail|head|cat|less)(?: -?-?[\w=+]+){0,3}|2> ?&1|2> ?\/dev\/null)$/, "");
	}
	return left;
}

function fileEvidence(source: Source, entry: string, output: string): Evidence[] {
	const { tool, call, texts } = source;
	const given = (place: Place) => texts.find((text) => text.place === place)?.text;
	const isChange = given("written") !== undefined || given("replaced") !== undefined || CHANGING.test(tool);
	const category = isChange ? "changed" : "read";
	const named = [given("path") ?? "", ...patchedIn(given("written"))].flatMap(
		(path) => pathExcerpt(path) ?? [],
	);
	const [path] = named;
	if (call?.answered?.failed !== false) {
		if (!call?.answered) return [];
		const errors = errorsIn(unstyled(output), "tool");
		const of = path === undefined ? looseDigest(`${tool} ${entry}`) : fileRun(category, path);
		const during = excerpt(path === undefined ? tool : `${tool} ${path}`, 80);
		return errorEvidence({ ...errors, quoted: errors.quoted.slice(0, 1) }, { entry, of, during });
	}
	if (LOOKING.test(tool)) return [];
	const at = isChange ? call.entry : entry;
	return [...new Set(named)].map((text) => ({ category, entry: at, text }));
}

function errorEvidence(
	errors: Errors,
	run: { entry: string; of: string; as?: string; during: string },
): Evidence[] {
	return errors.quoted.map(({ text, digest }) => ({ category: "error", ...run, text, digest }));
}

function patchedIn(written: string | undefined): string[] {
	return [...(written?.matchAll(PATCHED) ?? [])].flatMap((match) => match[1]?.trimEnd() ?? []);
}

/** The exit code that the end of an output tells. */
function exitCode(output: string): number | undefined {
	const told = /(?:exited with (?:code|status)|exit(?:ed)? (?:code|status):?)\s*(-?\d{1,10})\s*\W*$/i.exec(
		output.slice(-200),
	);
	return told ? Number(told[1]) : undefined;
}

function textAt(source: Source, ...places: readonly Place[]): string {
	return source.texts.flatMap(({ place, text }) => (places.includes(place) ? text : [])).join("\n");
}

/** An output without what colours it, as far as it is looked at. */
function unstyled(output: string): string {
	const ends = output.length > 2 * REACH ? `${output.slice(0, REACH)}\n${output.slice(-REACH)}` : output;
	// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is meant
	return ends.replace(/\u001b\[[\d;?]{0,20}[A-Za-z]/g, "");
}
