import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, Program, recordOf } from "./program.ts";
import { isFold, shared } from "./shared.ts";

/** As many prompts as take a session past its first commit. */
const PROMPTS = Array.from({ length: 9 }, (_, n) => `question ${n}`);

/** A sentence of ours, which no reply of the script holds. */
const OURS = /Palimpsest: /;

test("print mode writes the reply and nothing of ours to stdout", async () => {
	using pi = new Program();
	const { code, stdout, stderr } = await pi.run(["-e", CHECKOUT, ...pi.answered, "-p", ...PROMPTS, "/fold"]);
	expect(code).toBe(0);
	expect(stderr).toMatch(OURS);
	expect(pi.requests().at(-1)?.some(isFold)).toBe(true);
	const lines = stdout.trimEnd().split("\n");
	expect(lines).toHaveLength(200);
	expect(lines.filter((line) => !line.startsWith("reply line "))).toEqual([]);
});

test("JSON mode stays one record a line across commits, and what we say goes to stderr", async () => {
	using pi = new Program();
	const id = "by.name_1-x";
	const common = ["-e", CHECKOUT, ...pi.answered, "--session-id", id];
	const first = await pi.run([...common, "--mode", "json", ...PROMPTS, "/fold", "after the fold"]);
	expect(first.code).toBe(0);
	expect(first.stderr).toMatch(OURS);
	expect(first.stdout).not.toMatch(OURS);
	const lines = first.stdout.trimEnd().split("\n");
	expect(lines.filter((line) => !recordOf(line))).toEqual([]);
	expect(recordOf(lines[0] ?? "")).toMatchObject({ type: "session", id });
	expect(pi.requests().at(-1)?.some(isFold)).toBe(true);

	const second = await pi.run([...common, "-p", "by the same id"]);
	expect(second).toMatchObject({ code: 0, stderr: "" });
	const [before = [], after = []] = pi.requests().slice(-2);
	expect(shared(before, after)).toBe(before.length);
	expect(after.some(isFold)).toBe(true);
	expect(readdirSync(join(pi.agent, "palimpsest", "sessions"))).toHaveLength(1);
});

test("RPC mode carries what we say as requests to the user's screen, and stdout stays one record a line", async () => {
	using pi = new Program();
	const rpc = pi.rpc(["-e", CHECKOUT, ...pi.answered]);
	for (const prompt of PROMPTS) {
		expect(await rpc.prompt(prompt)).toMatchObject({ success: true, data: { disposition: "started" } });
	}
	const { data } = await rpc.send({ type: "get_commands" });
	const { commands } = data as { commands: { name: string }[] };
	expect(commands.map(({ name }) => name)).toContain("fold");
	const said = rpc.asked("notify").length;
	expect(await rpc.prompt("/fold")).toMatchObject({ success: true, data: { disposition: "handled" } });
	const notices = rpc.asked("notify").map(({ message }) => String(message));
	expect(notices).toHaveLength(said + 1);
	expect(notices.filter((notice) => !OURS.test(notice))).toEqual([]);
	expect(notices.some((notice) => /folded about [\d,]+ tokens .* now/.test(notice))).toBe(true);
	await rpc.prompt("after the fold");
	const folded = pi.requests().at(-1) ?? [];
	await rpc.prompt("and after that");
	expect(shared(folded, pi.requests().at(-1) ?? [])).toBe(folded.length);
	expect(folded.some(isFold)).toBe(true);
	const { success, data: state } = await rpc.send({ type: "get_state" });
	expect({ success, state }).toMatchObject({ success: true, state: { isStreaming: false } });
	expect(await rpc.end()).toEqual({ code: 0, stderr: "" });
	expect(rpc.noise).toEqual([]);
	expect(rpc.records.filter(({ type }) => type === "extension_error")).toEqual([]);
	expect(pi.requests()).toHaveLength(PROMPTS.length + 2);
});

test("a session without a file folds, and nothing of it is left on the disk", async () => {
	using pi = new Program();
	const run = await pi.run(["-e", CHECKOUT, ...pi.answered, "--no-session", "-p", ...PROMPTS]);
	expect(run.code).toBe(0);
	expect(pi.requests().at(-1)?.some(isFold)).toBe(true);
	expect(existsSync(join(pi.agent, "palimpsest"))).toBe(false);
	expect(readdirSync(pi.home)).toEqual(["agent"]);
	expect(readdirSync(pi.cwd)).toEqual([]);
});
