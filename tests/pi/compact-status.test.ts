import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { TOOLS } from "./checkpointed.ts";
import { BILLED, type Host, type HostOptions, Sandbox } from "./sandbox.ts";

const OPTIONS: HostOptions = {
	models: BILLED,
	tools: [...TOOLS, "pi_compact_recall"],
	engine: (pi: ExtensionAPI) => registerPalimpsest(pi),
};

/** What the command says; it adds nothing to the session and asks no model. */
async function statusOf(host: Host): Promise<string> {
	const before = [host.requests.length, host.session.sessionManager.getEntries().length];
	await host.session.prompt("/pi-compact-status");
	expect([host.requests.length, host.session.sessionManager.getEntries().length]).toEqual(before);
	const text = host.said.at(-1) ?? "";
	for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(78);
	return text;
}

/** A row's words, unwrapped. */
function rowIn(text: string, label: string): string | undefined {
	const rows = text.split("\n").slice(0, -1).join("\n");
	return new RegExp(`^${label.padEnd(9)}(.*(?:\\n {9}.*)*)`, "m").exec(rows)?.[1]?.replaceAll(/\s+/g, " ");
}

test("it tells what the log, the index and the work summary hold, and the last compaction, and is never a turn", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	const none = await statusOf(host);
	expect(none).toMatch(/^Palimpsest: a compaction is a checkpoint, without a model$/m);
	expect(rowIn(none, "log")).toBe("nothing was said in this session yet");
	expect(rowIn(none, "last")).toBe("nothing was compacted on this branch");
	expect(sandbox.stores()).toEqual([]);
	for (const topic of ["alpha", "beta", "gamma"]) await host.work(topic, 3, 6_000);
	await host.session.prompt("/pi-compact-recall alpha");
	await host.session.prompt("/pi-compact-recall ids:nowhere");
	const { summary } = await host.session.compact();
	const text = await statusOf(host);
	const recorded = host.session.sessionManager.getEntries().length;
	const [, events = "", nouns = ""] = /^(\d+) events: (.*)$/.exec(rowIn(text, "log") ?? "") ?? [];
	const counts = nouns.split(", ").map((one) => Number(one.split(" ")[1]));
	expect(counts.reduce((sum, n) => sum + n, 0)).toBe(Number(events));
	expect(nouns).toMatch(new RegExp(`^entry ${recorded}, .*\\bcompaction 2\\b`));
	expect(rowIn(text, "entries")).toBe(
		`${recorded} recorded; 0 folds in the window, 0 with nesting; 1 checkpoint`,
	);
	expect(rowIn(text, "recall")).toMatch(/^\d+ entries indexed, (none|\d+) waiting; none of it stored yet$/);
	expect(rowIn(text, "store")).toMatch(/^[\d.]+ [KM]B on disk, \//);
	expect(rowIn(text, "work")).toMatch(/^\d+ excerpts on this branch, a summary of [\d,]+ characters$/);
	expect(rowIn(text, "last")).toMatch(
		/^win_[0-9a-f]{24} \(manual\): \d+ entries for [\d,]+ characters, in [\d.]+ ms, cut where Pi would have$/,
	);
	expect(rowIn(text, "last")).toContain(` ${summary.length.toLocaleString("en-US")} characters`);
	expect(rowIn(text, "here")).toMatch(
		/^recall was asked 2 times since this session was opened, [\d.]+ ms in all, [\d.]+ ms the longest, 1 without an answer$/,
	);
	await host.quit();
	const again = await sandbox.open(host.file, OPTIONS);
	const later = await statusOf(again);
	expect(rowIn(later, "last")).toMatch(/ characters, made before this session was opened$/);
	expect(rowIn(later, "entries")).toBe(rowIn(text, "entries"));
	expect([...host.errors, ...again.errors]).toEqual([]);
});

test("it names the file that holds, why one is passed over, and whose compactions are then", async () => {
	await using sandbox = new Sandbox();
	const file = join(sandbox.dir, "pi-compact.json");
	const host = await sandbox.create(OPTIONS);
	await host.ask("hello");
	expect(rowIn(await statusOf(host), "config")?.replaceAll(" ", "")).toBe(
		`${file},foreveryprojectwithoutone`.replaceAll(" ", ""),
	);
	writeFileSync(
		file,
		JSON.stringify({ enabled: false, sessionSummary: { inject: false }, summaryMaxChars: 900 }),
	);
	const off = await statusOf(host);
	expect(off).toMatch(/^Palimpsest: compactions are Pi's: enabled is false$/m);
	expect(rowIn(off, "off")).toBe("enabled, sessionSummary.inject, debug");
	expect(rowIn(off, "at most")).toMatch(/^900 characters in a checkpoint/);
	expect(rowIn(off, "work")).toContain("no summary of it in a checkpoint");
	writeFileSync(file, "{ no json");
	const broken = await statusOf(host);
	expect(rowIn(broken, "config")?.replaceAll(" ", "")).toContain(`thedefaults:${file}cannotbefollowed:`);
	expect(rowIn(broken, "on")).toContain("enabled, overrideDefaultCompaction");
	expect(readFileSync(file, "utf8")).toBe("{ no json");
});

test("it tells as much where folding is off here, and where the store is another's", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	await host.work("alpha", 2, 3_000);
	await host.session.prompt("/fold off");
	expect(await statusOf(host)).toMatch(
		/^Palimpsest: compactions are Pi's: \/fold off leaves this session to it$/m,
	);
	const second = await sandbox.open(host.file, OPTIONS);
	await second.ask("hello");
	const text = await statusOf(second);
	expect(rowIn(text, "trouble")).toBe("STORE_LOCKED: this session is open elsewhere");
	expect(rowIn(text, "store")).toBe("in memory alone");
	expect(rowIn(text, "log")).toMatch(/^\d+ events: /);
	expect(second.errors).toEqual([]);
});

test("it tells how memory is switched, and how much of it there is", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(OPTIONS);
	const none = await statusOf(host);
	expect(rowIn(none, "on")).toContain("memory.enabled, memory.pinnedInjection, memory.deriveOnCompact");
	expect(rowIn(none, "memory")).toMatch(/^nothing is remembered here; 0 B on disk, \//);
	await host.session.prompt("/remember pin the port is 8080");
	await host.session.prompt("/remember the build needs Node 24");
	expect(rowIn(await statusOf(host), "memory")).toMatch(/^1 pinned, 1 active; [\d.]+ KB on disk, /);
	writeFileSync(join(sandbox.dir, "pi-compact.json"), JSON.stringify({ memory: { enabled: false } }));
	const off = await statusOf(host);
	expect(rowIn(off, "off")).toContain("memory.enabled");
	expect(rowIn(off, "memory")).toBe("off: memory.enabled is false");
});
