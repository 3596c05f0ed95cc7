import type { Command } from "commander";
import type { RecallAnswer } from "../debug/recall/recall.ts";
import { type RecallRequest, saysNothing, typedRequest } from "../debug/recall/request.ts";
import { shownText } from "../debug/screen-text.ts";
import { CliError } from "./cli-error.ts";
import { wholeNumber } from "./numbers.ts";
import { addRecallEval } from "./recall-eval.ts";
import { type SearchedSession, searchedSessions, searchSession } from "./recall-sessions.ts";
import { wrapped } from "./table.ts";
import { foundSomethingWrong, note, outputColumns, printJson, printLines } from "./terminal.ts";

interface RecallOptions {
	readonly session?: string;
	readonly all?: boolean;
	readonly branches?: boolean;
	readonly limit?: number;
	readonly json?: boolean;
}

/** Keys that steer a search from within its words, as in Pi; what else steers it there is text here. */
const STEERING: ReadonlySet<string | undefined> = new Set(["page", "limit", "scope"]);

const GRAMMAR = `
A query is words, not all of which must be there, "exact phrases" and filters; where the shell would take double quotes away,
put the query in single ones: palimpsest recall 'file:"my docs/a.md" "exact phrase" word'
  file:PART              of a path; ends at a space unless it stands in double quotes
  kind:KIND              user, assistant, tool_call, tool_result, bash or custom
  tool:NAME, role:ROLE   exactly so
  since:TIME, until:TIME ISO 8601 (2026, 2026-01-31, 20260131, 2026-01-31T12:00Z), UTC unless it says otherwise
  sourceClass:primary    no summaries, and nothing that was read back (derived: nothing else)
  thinking:true          what the model thought, too
  page:N, limit:N, scope:all
                         the next ones, how many, every branch
list, before filters alone, shows the newest in place of a search: palimpsest recall list kind:user`;

/** `recall`: find again what was said in a session. */
export function addRecall(program: Command): void {
	const command = program
		.command("recall")
		.description("find again what was said: in the last session of this folder, another, or all of them")
		.argument("<query...>", "words, phrases and filters; or list and filters")
		.option("--session <where>", "a session file, a session id or a store's folder")
		.option("--all", "every session that Pi recorded in this folder")
		.option("--branches", "every branch of a session, not only the one it ended on")
		.option("--limit <n>", "hits to show, 8 unless given", wholeNumber({ least: 1, most: 1000 }))
		.option("--json", "one JSON object")
		.addHelpText("after", GRAMMAR)
		.action(runRecall);
	addRecallEval(command);
}

async function runRecall(typed: readonly string[], options: RecallOptions): Promise<void> {
	const { session, all = false, json } = options;
	if (session !== undefined && all)
		throw new CliError("CLI_USAGE", "--session names one session, --all means every one");
	if (session === "") throw new CliError("CLI_USAGE", "--session is an empty text");
	const request = typedRequest(typed.join(" "), ({ key }) => STEERING.has(key));
	const { action, query, page, unheeded } = request;
	if (action === "search" && saysNothing(query)) {
		const needed = "a query needs a word, a phrase or file:; `list` takes other filters alone";
		throw new CliError("CLI_USAGE", [needed, ...unheeded].join("; "));
	}
	for (const sentence of unheeded) note(sentence);
	const limit = options.limit ?? request.limit;
	const branches = options.branches === true || request.scope === "all";
	const asked = { action, query, branches, limit: page * limit } as const;
	const sessions = await searchedSessions(session, all, process.cwd());
	const answers: Answered[] = [];
	for (const one of sessions) answers.push({ session: one, answer: await searchSession(one, asked) });
	const hits = hitsOf(answers).slice((page - 1) * limit, page * limit);
	if (hits.length === 0) foundSomethingWrong();
	if (json) await printAsJson(answers, hits, request);
	else await printAsLines(answers, hits, page);
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
	{ query: { words }, unheeded }: RecallRequest,
): Promise<void> {
	await printJson({
		words,
		...(unheeded.length > 0 && { unheeded }),
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

async function printAsLines(answers: readonly Answered[], hits: readonly Hit[], page: number): Promise<void> {
	for (const { session, answer } of answers) {
		if (answer.from === "scan")
			note(`${session.file?.path ?? session.id} has no store that knows all of it; it was read through`);
	}
	const found = answers.reduce((sum, { answer }) => sum + answer.total, 0);
	if (found === 0) note("nothing was found");
	else if (hits.length === 0) note(`page ${page} is behind the last of ${found} entries found`);
	else if (found > hits.length) note(`${hits.length} of ${found} entries found; --limit or page: shows more`);
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
