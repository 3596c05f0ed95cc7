import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { calculateCost } from "@earendil-works/pi-ai";
import { type SessionEntry, SessionManager } from "@earendil-works/pi-coding-agent";
import { afterAll, expect, test } from "vitest";
import { END_BLOCK } from "../bench/workload/questions.ts";
import { PROBE_STAGES, planStages, STAGES, wordAt } from "../bench/workload/stage-plan.ts";
import { STAGES_MODEL, writeStages } from "../bench/workload/stages.ts";

const directory = mkdtempSync(join(tmpdir(), "stages-"));
afterAll(() => rmSync(directory, { recursive: true }));

const file = join(directory, "stages.jsonl");
const written = writeStages(file, { seed: 7 });
const entries: SessionEntry[] = SessionManager.open(file).getEntries();
const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
const results = messages.flatMap((message) =>
	message.role === "toolResult"
		? [message.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
		: [],
);
const stages = results.filter((text) => /^STAGE \d\d \//.test(text));

test("one seed gives the same bytes, another seed others", () => {
	const again = join(directory, "again.jsonl");
	writeStages(again, { seed: 7 });
	expect(readFileSync(again).equals(readFileSync(file))).toBe(true);
	writeStages(again, { seed: 8 });
	expect(readFileSync(again).equals(readFileSync(file))).toBe(false);
});

test("64 stages are told in order within one user turn, each for the key the one before gave", () => {
	expect(messages.filter((message) => message.role === "user")).toHaveLength(1);
	expect(stages.map((text) => Number(text.slice(6, 8)))).toEqual(
		Array.from({ length: STAGES }, (_, i) => i + 1),
	);
	const keys = messages.flatMap((message) =>
		message.role === "assistant"
			? message.content.flatMap((part) =>
					part.type === "toolCall" && part.name === "repo_stage" ? [part.arguments.key] : [],
				)
			: [],
	);
	const given = stages.map((text) => /NEXT_KEY: (\S+)$/.exec(text)?.[1]);
	expect(keys.slice(1)).toEqual(given);
});

test("58 stages carry files of 48,000 characters or more, 3.8 million in all", () => {
	const payload = stages.filter((text) => text.includes("/ payload"));
	expect(payload).toHaveLength(58);
	expect(Math.min(...payload.map((text) => text.length))).toBeGreaterThan(48_000);
	expect(written.payloadCharacters).toBeGreaterThan(3_400_000);
	expect(written.payloadCharacters).toBeLessThan(4_300_000);
	expect(results.reduce((n, text) => n + text.length, 0)).toBe(written.resultCharacters);
});

test("requests, calls and output stay in the range that was observed", () => {
	expect(written.requests).toBeGreaterThanOrEqual(92);
	expect(written.requests).toBeLessThanOrEqual(172);
	expect(written.calls).toBeGreaterThanOrEqual(129);
	expect(written.calls).toBeLessThanOrEqual(314);
	expect(written.outputTokens).toBeGreaterThanOrEqual(27_000);
	expect(written.outputTokens).toBeLessThanOrEqual(71_000);
	expect(written.largestPrompt).toBeLessThan(STAGES_MODEL.contextWindow);
});

test("each wave fills six slots, and the end block is asked only after the last stage", () => {
	for (const now of PROBE_STAGES) {
		const kinds = written.questions
			.filter((question) => question.askedAt === now)
			.map((question) => question.kind);
		expect(new Set(kinds).size).toBe(6);
	}
	const end = written.questions.filter((question) => question.askedAt === END_BLOCK);
	expect(end.map((question) => question.kind).filter((kind) => kind === "join")).toHaveLength(4);
	expect(end).toHaveLength(16);
	for (const { text } of end) expect(stages.some((stage) => stage.includes(text))).toBe(false);
});

test("every answer is told before it is asked for, and the agent gives it", () => {
	const said = JSON.stringify(messages.filter((message) => message.role === "assistant"));
	for (const { kind, answer, toldAt, askedAt } of written.questions) {
		expect(toldAt).toBeLessThan(askedAt);
		expect(said).toContain(JSON.stringify(answer).slice(1, -1));
		const value = answer.split(" = ").at(-1)?.split(" ").at(-1) ?? answer;
		if (!/echo|derivation|repo|chain/.test(kind)) expect(stages[toldAt - 1]).toContain(value);
	}
});

test("a code word is withdrawn three stages later, and the new one stands from then on", () => {
	const plan = planStages(7);
	expect(wordAt(plan, 10, 12)).toBe(plan[9]?.word);
	expect(wordAt(plan, 10, 13)).toBe(plan[12]?.reissued?.word);
	expect(stages[12]).toContain(
		`The code word of stage 10 is withdrawn. From now on it is ${wordAt(plan, 10, 13)}`,
	);
});

test("the ledger tells 16 rows three stages apart and corrects four of them", () => {
	const told = stages.flatMap((text, i) => (/^Ledger R\d\d:/m.test(text) ? [i + 1] : []));
	expect(told).toHaveLength(16);
	expect(Math.min(...told.slice(1).map((stage, i) => stage - (told[i] ?? 0)))).toBeGreaterThanOrEqual(3);
	expect(stages.filter((text) => text.includes("Ledger correction:"))).toHaveLength(4);
});

test("eight deliverables are written and 21 earlier files are visited again", () => {
	const calls = messages.flatMap((message) =>
		message.role === "assistant"
			? message.content.flatMap((part) => (part.type === "toolCall" ? [part] : []))
			: [],
	);
	expect(calls.filter((call) => call.name === "write")).toHaveLength(8);
	expect(
		messages.filter((m) => m.role === "assistant" && JSON.stringify(m.content).includes("Revisiting")).length,
	).toBe(21);
});

test("usage is an append-only prompt's, priced as the catalogue does, dearer above 272,000 tokens", () => {
	let before = 0;
	for (const message of messages) {
		if (message.role !== "assistant") continue;
		const { usage } = message;
		const prompt = usage.input + usage.cacheRead;
		expect(prompt).toBeGreaterThan(before);
		expect(usage.cacheRead % 512).toBe(0);
		expect(usage.cacheRead).toBeLessThanOrEqual(before);
		expect(calculateCost(STAGES_MODEL, structuredClone(usage)).total).toBeCloseTo(usage.cost.total, 10);
		const rate = usage.cost.output / usage.output;
		expect(rate).toBeCloseTo((prompt > 272_000 ? 45 : 30) / 1_000_000, 12);
		before = prompt;
	}
});
