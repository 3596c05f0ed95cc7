import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, Program } from "./program.ts";

/** What the host's own program says of a compaction asked for by RPC, and how many requests that took. */
async function compacted(pi: Program, words: string | undefined, ...args: readonly string[]) {
	const rpc = pi.rpc(["-e", CHECKOUT, ...pi.answered, ...args]);
	for (const prompt of ["one", "two", "three"]) await rpc.prompt(prompt);
	const before = pi.requests().length;
	const { success, data } = await rpc.send({
		type: "compact",
		...(words !== undefined && { customInstructions: words }),
	});
	const asked = pi.requests().length - before;
	expect(success).toBe(true);
	await rpc.prompt("briefly, what was that?");
	expect(await rpc.end()).toEqual({ code: 0, stderr: "" });
	expect(rpc.records.filter(({ type }) => type === "extension_error")).toEqual([]);
	return { summary: String((data as { summary: unknown }).summary), asked };
}

test("in the host's own program a compaction is a checkpoint, and the file with the defaults is made in its folder", async () => {
	using pi = new Program();
	mkdirSync(pi.agent, { recursive: true });
	writeFileSync(join(pi.agent, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 500 } }));
	const { summary, asked } = await compacted(pi, undefined);
	expect(summary).toMatch(/^\[Checkpoint win_/);
	expect(asked).toBe(0);
	expect(JSON.parse(readFileSync(join(pi.agent, "pi-compact.json"), "utf8"))).toMatchObject({
		enabled: true,
	});
	expect(existsSync(join(pi.cwd, ".pi"))).toBe(false);
	expect((await compacted(pi, "native")).asked).toBeGreaterThan(0);
});

test("a project's file is followed once the project is trusted, and not before", async () => {
	using pi = new Program();
	for (const folder of [pi.agent, join(pi.cwd, ".pi")]) mkdirSync(folder, { recursive: true });
	writeFileSync(join(pi.agent, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 500 } }));
	writeFileSync(join(pi.cwd, ".pi", "pi-compact.json"), JSON.stringify({ enabled: false }));
	// the host takes a folder for trusted in which it sees nothing to ask about
	expect((await compacted(pi, undefined)).asked).toBe(0);
	writeFileSync(join(pi.cwd, ".pi", "settings.json"), "{}");
	expect((await compacted(pi, undefined)).asked).toBe(0);
	expect((await compacted(pi, undefined, "--approve")).asked).toBeGreaterThan(0);
});
