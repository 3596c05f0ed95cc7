import { afterEach, expect, test, vi } from "vitest";
import { disk } from "./held-disk.ts";
import { answered, folded } from "./on-held-disk.ts";
import { Sandbox } from "./sandbox.ts";
import { isFold } from "./shared.ts";

vi.mock("../../src/store/level-key-value.ts", async (original) =>
	(await import("./held-disk.ts")).disk.around(await original()),
);

afterEach(() => disk.release());

test("a session that is loaded again twice while the disk hangs goes on with its own log once it answers", async () => {
	await using sandbox = new Sandbox();
	const host = await folded(sandbox);
	disk.hold("write");
	await host.ask("before the reload");
	await host.session.reload();
	await host.ask("behind the reload");
	await host.session.reload();
	await host.ask("behind the second");
	await answered(host);
	expect((await host.ask("and now?")).some(isFold)).toBe(true);
	expect(host.said.join("\n")).not.toContain("open elsewhere");
	await host.work("more", 3, 3_000);
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	await host.quit();
	expect(host.errors).toEqual([]);
});
