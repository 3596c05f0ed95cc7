import { rmSync } from "node:fs";
import { SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { OPTIONS, worked } from "./checkpointed.ts";
import { expectAll } from "./invariants.ts";
import { Sandbox, type Sent } from "./sandbox.ts";
import { shared } from "./shared.ts";

const LEAD = /^Work summary(?: since the checkpoint above)?, written by the runtime/;

/** Lines of the work summaries in a request: those of the checkpoint first, then those of the receipt. */
function summariesIn(sent: Sent): string[][] {
	return sent
		.flatMap((message) => JSON.parse(message).content as unknown)
		.flatMap((part) => (typeof part === "string" ? part : ((part as { text?: string }).text ?? [])))
		.flatMap((text) => text.split("\n\n"))
		.filter((paragraph) => LEAD.test(paragraph))
		.map((paragraph) => paragraph.split("\n").filter((line) => line.startsWith("[")));
}

test("below a checkpoint that carries a work summary a receipt tells only what came after it, in a fork too", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create(OPTIONS), "alpha", "beta", "gamma");
	await host.session.compact();
	await worked(host, "delta", "epsilon", "zeta");
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	const sent = await host.ask("what now?");
	const [checkpoint = [], receipt = [], ...more] = summariesIn(sent);
	expect(more).toEqual([]);
	expect(checkpoint.join("\n")).toContain("Read about alpha");
	expect(receipt.join("\n")).toContain("Read about delta");
	expect(receipt.filter((line) => checkpoint.includes(line))).toEqual([]);
	expect(sent.join("\n")).toContain("Work summary since the checkpoint above");
	await expectAll(sandbox, host);
	const fork = await sandbox.host(
		SessionManager.forkFrom(
			host.session.sessionManager.getSessionFile() ?? "",
			sandbox.dir,
			sandbox.sessions,
		),
		OPTIONS,
	);
	expect(shared(sent, await fork.ask("and in a copy?"))).toBe(sent.length);
	await fork.quit();
	await host.quit();
	rmSync(sandbox.home, { recursive: true });
	const bare = await sandbox.open(host.file, OPTIONS);
	expect(shared(sent, await bare.ask("and without the store?"))).toBeGreaterThanOrEqual(sent.length);
	expect(bare.errors).toEqual([]);
});

test("a receipt tells the whole work where the compaction above it is the host's", async () => {
	await using sandbox = new Sandbox();
	const compacts = { summary: "a summary of another" };
	const host = await sandbox.create({
		...OPTIONS,
		after: [
			(pi) => {
				pi.on("session_before_compact", ({ preparation: { tokensBefore, firstKeptEntryId } }) => ({
					compaction: { ...compacts, firstKeptEntryId, tokensBefore },
				}));
			},
		],
	});
	await worked(host, "alpha", "beta", "gamma");
	await host.session.compact();
	await worked(host, "delta", "epsilon", "zeta");
	await host.fold();
	const [receipt = [], ...more] = summariesIn(await host.ask("what now?"));
	expect(more).toEqual([]);
	expect(receipt.join("\n")).toContain("Read about alpha");
	await expectAll(sandbox, host);
});
