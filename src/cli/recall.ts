import type { Command } from "commander";
import { parseQuery } from "../../projections/recall/query.ts";
import type { RecallAnswer } from "../debug/recall/recall.ts";
import { shownText } from "../debug/screen-text.ts";
import { asTyped } from "./as-typed.ts";
import { CliError } from "./cli-error.ts";
import { wholeNumber } from "./numbers.ts";
import { addRecallEval } from "./recall-eval.ts";
import { type SearchedSession, searchedSessions, searchSession } from "./recall-sessions.ts";
import { wrapped } from "./table.ts";
import { note, outputColumns, printJson, printLines } from "./terminal.ts";

interface RecallOptions {
	readonly session?: string;
	readonly all?: boolean;
	readonly branches?: boolean;
	readonly limit: number;
	readonly json?: boolean;
}

/** Hits shown unless asked for more. */
const LIMIT = 8;

const GRAMMAR = `
A query is words, not all of which must be there, "exact phrases" and filters:
  file:PART              of a path; file:"with spaces"
  kind:KIND              user, assistant, tool_call, tool_result, bash or custom
  tool:NAME, role:ROLE   exactly so
  since:TIME, until:TIME ISO 8601, UTC unless it says otherwise
  sourceClass:primary    no summaries, and nothing that was read back (derived: nothing else)
  thinking:true          what the model thought, too`;

/** `recall`: find again what was said in a session. */
export function addRecall(program: Command): void {
	const command = program
		.command("recall")
		.description("find again what was said: in the last session of this folder, another, or all of them")
		.argument("<query...>", "words, phrases and filters")
		.option("--session <where>", "a session file, a session id or a store's folder")
		.option("--all", "every session that Pi recorded in this folder")
		.option("--branches", "every branch of a session, not only the one it ended on")
		.option("--limit <n>", "hits to show", wholeNumber({ least: 1, most: 1000 }), LIMIT)
		.option("--json", "one JSON object")
		.addHelpText("after", GRAMMAR)
		.action(runRecall);
	addRecallEval(command);
}

async function runRecall(typed: readonly string[], options: RecallOptions): Promise<void> {
	const { session, all = false, branches = false, limit, json } = options;
	if (session !== undefined && all)
		throw new CliError("CLI_USAGE", "--session names one session, --all means every one");
	if (session === "") throw new CliError("CLI_USAGE", "--session is an empty text");
	const query = parseQuery(typed.map(asTyped).join(" "));
	if (query.words.length + query.phrases.length === 0 && query.file === undefined)
		throw new CliError("CLI_USAGE", "a query needs a word, a phrase or file:");
	const sessions = await searchedSessions(session, all, process.cwd());
	const answers: Answered[] = [];
	for (const one of sessions)
		answers.push({ session: one, answer: await searchSession(one, { query, branches, limit }) });
	const hits = hitsOf(answers).slice(0, limit);
	if (json) await printAsJson(answers, hits, query.words);
	else await printAsLines(answers, hits);
}

interface Answered {
	readonly session: SearchedSession;
	readonly answer: RecallAnswer;
}

interface Hit {
	readonly session: SearchedSession;
	readonly hit: RecallAnswer["hits"][number];
}

/** Hits of all sessions, the best first, newer ones before older ones that are as good. */
function hitsOf(answers: readonly Answered[]): Hit[] {
	const hits = answers.flatMap(({ session, answer }) => answer.hits.map((hit) => ({ session, hit })));
	return hits.sort((a, b) => b.hit.score - a.hit.score || b.hit.at - a.hit.at);
}

async function printAsJson(
	answers: readonly Answered[],
	hits: readonly Hit[],
	words: readonly string[],
): Promise<void> {
	await printJson({
		words,
		sessions: answers.map(({ session: { id, file, store }, answer }) => ({
			session: id,
			...(file && { file: file.path }),
			...(answer.from === "index" && { store }),
			from: answer.from,
			total: answer.total,
		})),
		hits: hits.map(({ session, hit }) => ({
			session: session.id,
			entry: hit.id,
			at: timeOf(hit.at),
			role: hit.role,
			kinds: hit.kinds,
			tools: hit.tools,
			sourceClass: hit.sourceClass,
			files: hit.files,
			score: Number(hit.score.toFixed(3)),
			snippet: hit.snippet,
		})),
	});
}

async function printAsLines(answers: readonly Answered[], hits: readonly Hit[]): Promise<void> {
	for (const { session, answer } of answers) {
		if (answer.from === "scan")
			note(`${session.file?.path ?? session.id} has no store that knows all of it; it was read through`);
	}
	const found = answers.reduce((sum, { answer }) => sum + answer.total, 0);
	if (hits.length === 0) note("nothing was found");
	else if (found > hits.length) note(`${hits.length} of ${found} entries found; --limit shows more`);
	const width = outputColumns() - 4;
	for (const { session, hit } of hits) {
		const where = answers.length > 1 ? `  ${session.id}` : "";
		const derived = hit.sourceClass === "derived" ? ["derived"] : [];
		await printLines([
			[hit.id, timeOf(hit.at), hit.kinds.join("+"), ...hit.tools, ...derived].join("  ") + where,
			...shownText(hit.snippet)
				.split("\n")
				.flatMap((line) => wrapped(line, width, "").map((part) => `    ${part}`)),
			"",
		]);
	}
}

function timeOf(at: number): string {
	return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : `${at} ms`;
}
