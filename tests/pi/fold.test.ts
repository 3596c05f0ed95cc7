import { expect, test } from "vitest";
import { Sandbox } from "./sandbox.ts";

/** Messages two requests share at their heads. */
function shared(a: readonly string[], b: readonly string[]): number {
	const differs = a.findIndex((message, index) => message !== b[index]);
	return differs === -1 ? a.length : differs;
}

test("/fold shortens the window from the next request on, and says so in one sentence", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	const raw = await host.ask("before?");
	expect(await host.fold()).toMatch(
		/^Palimpsest: folded about [\d,]+ tokens out of the window: .* next request on$/,
	);
	const folded = await host.ask("after?");
	expect(folded.length).toBeLessThan(raw.length);
	expect(shared(raw, folded)).toBe(1);
	expect(folded[1]).toMatch(/^\{"role":"user","content":\[\{"type":"text","text":"\[Written by the runtime/);
	expect(host.errors).toEqual([]);
});

test("after a restart the window is the same, byte for byte", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const before = await host.ask("before?");
	await host.quit();
	const again = await sandbox.open(host.file);
	const after = await again.ask("after?");
	expect(shared(before, after)).toBe(before.length);
	expect(after.length).toBe(before.length + 2);
});
