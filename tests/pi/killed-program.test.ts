import { expect, test } from "vitest";
import { CHECKOUT, Program } from "./program.ts";
import { isFold, shared } from "./shared.ts";

test("the host's program, killed right behind a fold and in the middle of a turn, goes on with the same window", async () => {
	using pi = new Program();
	const args = ["-e", CHECKOUT, ...pi.answered];
	const first = pi.rpc(args);
	for (let n = 0; n < 9; n++) await first.prompt(`question ${n}`);
	await first.prompt("/fold");
	const said = first.asked("notify").map(({ message }) => String(message));
	expect(said.some((words) => /Palimpsest: folded/.test(words))).toBe(true);
	await first.kill();

	const second = pi.rpc([...args, "--continue"]);
	await second.prompt("what was said stands?");
	const folded = pi.requests().at(-1) ?? [];
	expect(folded.some(isFold)).toBe(true);
	// accepted, and under way
	await second.send({ type: "prompt", message: "say it briefly" });
	await second.kill();

	const third = pi.rpc([...args, "--continue"]);
	await third.prompt("briefly: where were we?");
	const [before = [], after = []] = pi.requests().slice(-2);
	expect(shared(before, after)).toBe(before.length);
	expect(shared(folded, after)).toBe(folded.length);
	for (const rpc of [second, third]) {
		expect(rpc.asked("notify")).toEqual([]);
		expect(rpc.records.filter(({ type }) => type === "extension_error")).toEqual([]);
	}
	expect(await third.end()).toEqual({ code: 0, stderr: "" });
});
