import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CHECKOUT, Program } from "./program.ts";

const SAID = "briefly: die Walrösser schlafen in src/zoo/walrus-house.ts, 海象在睡觉";

test("the host's own program finds what was said in a session that was compacted and killed, and in one without a file", async () => {
	using pi = new Program();
	mkdirSync(pi.agent, { recursive: true });
	writeFileSync(join(pi.agent, "settings.json"), JSON.stringify({ compaction: { keepRecentTokens: 500 } }));
	const args = ["-e", CHECKOUT, ...pi.answered];
	const first = pi.rpc(args);
	for (const prompt of [SAID, "one", "two"]) await first.prompt(prompt);
	expect((await first.send({ type: "compact" })).success).toBe(true);
	await first.kill();

	const requests = pi.requests().length;
	const found = (query: string) => `/pi-compact-recall ${query} kind:user`;
	const queries = ["walrus-house.ts", "Walrösser", "海象"].map(found);
	const { code, stderr } = await pi.run([...args, "--continue", "-p", ...queries]);
	expect(code).toBe(0);
	expect(stderr.match(/^1 entry found, best first\n\n\[entry \S+\] .* kinds=user\n/gm)).toHaveLength(3);
	expect(stderr.split(SAID)).toHaveLength(4);
	expect(pi.requests()).toHaveLength(requests);
	const beside = await pi.run([...args, "--no-session", "-p", SAID, found("walrus")]);
	expect(beside).toMatchObject({ code: 0, stderr: expect.stringContaining(SAID) });
});
