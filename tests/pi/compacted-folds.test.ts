import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { callFold } from "./fold-calls.ts";
import { TOOLS } from "./furnished.ts";
import { expectAll } from "./invariants.ts";
import { type Host, Sandbox } from "./sandbox.ts";

/**
 * A session whose first folds another extension has compacted away, and one of these; the newest exchange was kept. Behind
 * that, compactions are left to us.
 */
async function compacted(sandbox: Sandbox): Promise<{ host: Host; fold: string }> {
	const compacts = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ preparation: { tokensBefore, firstKeptEntryId } }) =>
			host.path("compaction").length > 0
				? undefined
				: { compaction: { summary: "a summary", firstKeptEntryId: last ?? firstKeptEntryId, tokensBefore } },
		);
	};
	let last: string | undefined;
	const host = await sandbox.create({ tools: TOOLS, after: [compacts] });
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const { text } = await callFold(host, { action: "status", detail: "folds" });
	const fold = JSON.parse(text).rows[0].id as string;
	last = host.session.sessionManager
		.getBranch()
		.findLast((entry) => entry.type === "message" && entry.message.role === "user")?.id;
	expect(host.status).toMatch(/\d folds?/);
	await host.session.compact();
	expect(host.status).not.toMatch(/\d folds?/);
	await host.ask("after it");
	return { host, fold };
}

test("folds that the host compacted away are not counted, and are told as what they are", async () => {
	await using sandbox = new Sandbox();
	const { host, fold } = await compacted(sandbox);
	host.said.length = 0;
	await host.session.prompt("/fold-status");
	expect(host.said.join("\n")).toContain("0 here, 0 with nesting");
	await host.session.prompt(`/fold why ${fold}`);
	expect(host.said.at(-1)).toContain("is out of view: a compaction of Pi's took it out");
	const { text } = await callFold(host, { action: "status", detail: "tree" });
	expect(JSON.parse(text).rows.find(({ id }: { id: string }) => id === fold)).toMatchObject({
		state: "compacted",
	});
	expect(JSON.parse((await callFold(host, { action: "status" })).text).folds.standing).toBe(0);
	await expectAll(sandbox, host);
});

test("what a checkpoint took out of view is told by its name, and what a summary of another did is not, nor the other way round", async () => {
	await using sandbox = new Sandbox();
	const { host, fold } = await compacted(sandbox);
	const why = async (id: string) => {
		await host.session.prompt(`/fold why ${id}`);
		return host.said.at(-1) ?? "";
	};
	const editor = async () => {
		await host.session.prompt("/fold-editor");
		return host.said.at(-1) ?? "";
	};
	expect(await editor()).toContain(" summary of a compaction ·");
	const [between = ""] = host.path("message").slice(-2);
	for (const topic of ["epsilon", "zeta"]) await host.work(topic);
	await host.session.compact();
	expect(host.said.at(-1)).toContain("Palimpsest: checkpoint win_");
	const [name = ""] = /win_[0-9a-f]+/.exec(host.said.at(-1) ?? "") ?? [];
	expect(await editor()).toContain(" checkpoint ·");
	expect(await editor()).not.toContain("summary of a compaction");
	expect(await why(between)).toContain(`is out of view: checkpoint ${name} took it out.`);
	expect(await why(fold)).toContain(
		"is out of view: a compaction of Pi's took it out, with all it stands for",
	);
});

test.each([
	["expand", { id: true }],
	["refold", { id: true }],
	["pin", { ids: true }],
])("%s of what the host compacted away is refused, with the peek that reads it", async (action, by) => {
	await using sandbox = new Sandbox();
	const { host, fold } = await compacted(sandbox);
	const named = "ids" in by ? { ids: [fold] } : { id: fold };
	const { failed, text } = await callFold(host, { action, ...named });
	expect({ failed, text }).toMatchObject({ failed: true, text: expect.stringMatching(/^COMPACTED: /) });
	expect(text).toContain(`"action":"peek","id":"${fold}"`);
	expect((await callFold(host, { action: "peek", id: fold })).failed).toBe(false);
	await expectAll(sandbox, host);
});
