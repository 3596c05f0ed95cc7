import { bash, type Desk, describe, mention, read } from "./desk.ts";
import { testRun } from "./notes.ts";
import type { Call, Output, Reply } from "./scripted-model.ts";

/** A stretch of reading: where, how many requests, and how many characters of output it may bring in. */
export interface Survey {
	/** path prefixes in the order of interest; files elsewhere are read once these are used up */
	readonly folders: readonly string[];
	readonly requests: number;
	readonly characters: number;
	/** fails the request with this index as an overloaded provider would */
	readonly overloadedAt?: number;
}

/** Files no one would read whole. */
const TEDIOUS = /(^|\/)(package-lock\.json|LICENSE)$|\.(png|svg|jsonl)$/;

/** Characters one reply may ask for at once; above it a file is read in pieces. */
const BATCH_LIMIT = 24_000;

/**
 * Reads through folders as an agent would: files in batches or pieces, now and then a search for a name just seen, now
 * and then one test file run, each with a remark about what earlier output showed.
 */
export function* survey(desk: Desk, plan: Survey): Generator<Reply, void, readonly Output[]> {
	let brought = 0;
	for (let i = 0; i < plan.requests; i++) {
		if (i === plan.overloadedAt) yield { fail: "529 overloaded_error" };
		const left = plan.requests - i;
		const allowance = Math.max(600, Math.min(BATCH_LIMIT, (plan.characters - brought) / left));
		const name = i % 4 === 2 ? newName(desk) : undefined;
		const test = i % 6 === 5 ? testFile(desk, plan.folders) : undefined;
		let outputs: readonly Output[];
		if (name !== undefined) outputs = yield* search(desk, name, allowance);
		else if (test !== undefined) outputs = yield* runOne(desk, test);
		else outputs = yield* readSome(desk, plan.folders, allowance);
		brought += outputs.reduce((n, output) => n + output.text.length, 0);
	}
}

function* readSome(
	desk: Desk,
	folders: readonly string[],
	allowance: number,
): Generator<Reply, readonly Output[], readonly Output[]> {
	const calls = nextReads(desk, folders, allowance);
	const paths = calls.map((call) => `\`${call.args.path}\``).join(", ");
	const openings = [
		`Reading ${paths}.`,
		`Next: ${paths}.`,
		`${paths} should show where this continues.`,
		`I need ${paths} in full before I can say more.`,
	];
	const say = [desk.pick(openings), desk.recall()].filter(Boolean).join(" ");
	return yield* desk.act({ say, ...desk.thought(`how ${paths} fits in`), calls });
}

function* search(
	desk: Desk,
	name: string,
	allowance: number,
): Generator<Reply, readonly Output[], readonly Output[]> {
	const lines = Math.max(8, Math.min(60, Math.round(allowance / 110)));
	const calls = [
		bash(`git grep -n -w ${name} -- '*.ts' | cut -c1-160 | head -${lines}`),
		bash(`git grep -c -w ${name} -- '*.ts' | sort -t: -k2 -rn | head -12`),
	];
	const say = `Who uses \`${name}\`? ${desk.recall()}`;
	return yield* desk.act({ say, ...desk.thought(`who depends on ${name}`), calls });
}

function* runOne(desk: Desk, test: string): Generator<Reply, readonly Output[], readonly Output[]> {
	const outputs = yield* desk.act({
		say: `Running \`${test}\` to see the rules it guards hold here. ${desk.recall()}`,
		calls: [bash(`npm test -- ${test} 2>&1 | tail -60`, 120)],
	});
	const { failed, reason } = testRun(outputs);
	if (failed > 0 && reason !== undefined) desk.remember(`${test} failed here with "${reason}"`);
	return outputs;
}

/** The next reads: unread files of the folders, then of anywhere, then files read before, once more. */
function nextReads(desk: Desk, folders: readonly string[], allowance: number): Call[] {
	const { sizes, readTo } = desk.notes;
	const worth = [...sizes.keys()].filter((path) => !TEDIOUS.test(path));
	const unread = worth.filter((path) => readTo.get(path) !== Number.POSITIVE_INFINITY);
	const near = folders.flatMap((folder) => unread.filter((path) => path.startsWith(folder)));
	const again = desk.again(worth);
	const calls: Call[] = [];
	let asked = 0;
	for (const path of new Set([...near, ...unread, ...again])) {
		const size = sizes.get(path) ?? 0;
		if (calls.length === 4 || (calls.length > 0 && asked + size > allowance * 1.3)) break;
		const from = readTo.get(path) === Number.POSITIVE_INFINITY ? undefined : readTo.get(path);
		const piece = size > allowance * 2 ? Math.max(30, Math.round(allowance / 45)) : undefined;
		calls.push(read(path, from, piece));
		asked += Math.min(size, allowance);
	}
	return calls;
}

/** A name lately seen and not searched for yet. */
function newName(desk: Desk): string | undefined {
	const names = desk.notes.facts.filter((fact) => fact.kind === "export" || fact.kind === "constant");
	const fresh = names.slice(-30).filter((fact) => desk.once(`search ${fact.name}`, false));
	const fact = desk.pick(fresh);
	if (fact !== undefined) desk.once(`search ${fact.name}`, true);
	return fact?.name;
}

/** A test file of the folders at hand, cheap and not run yet. What tests the recording itself cannot run in a copy. */
function testFile(desk: Desk, folders: readonly string[]): string | undefined {
	const tests = [...desk.notes.sizes]
		.filter(
			([path, size]) => path.endsWith(".test.ts") && size < 9_000 && !/record|workload|bench|pack/.test(path),
		)
		.filter(([path]) => desk.once(`run ${path}`, false));
	const topics = folders.map((folder) => folder.replace(/\/$/, "").split("/").at(-1) ?? folder);
	const [path] = tests.find(([file]) => topics.some((topic) => file.includes(topic))) ?? tests[0] ?? [];
	if (path !== undefined) desk.once(`run ${path}`, true);
	return path;
}

/** What a survey found, for the end of a turn: names with their places, codes, and anything that failed. */
export function findings(desk: Desk, folders: readonly string[], most: number): string {
	const here = desk.notes.facts.filter((fact) => folders.some((folder) => fact.file.startsWith(folder)));
	const exported = here.filter((fact) => fact.kind === "export").slice(0, most);
	const codes = here.filter((fact) => fact.kind === "code").slice(0, most);
	const tests = here.filter((fact) => fact.kind === "test").slice(0, most);
	const lines = exported.map((fact) => `- ${describe(fact)}`);
	if (codes.length > 0) lines.push(`- codes: ${codes.map(mention).join(", ")}`);
	lines.push(...tests.map((fact) => `- ${mention(fact)}`));
	lines.push(...desk.remembered().map((line) => `- ${line}`));
	return lines.join("\n");
}
