import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxToolCall } from "@earendil-works/pi-ai";
import { expect, onTestFinished, test } from "vitest";
import type { MemoryEvent } from "../../events/memory.ts";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { keyringPath } from "../../src/engine/memory/keyring.ts";
import { folderMemory, newRecord, remembering, said } from "../memory/memories.ts";
import { type Host, Sandbox, type Sent } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

/** A sandbox, and what changes the memory of its folder as another process would. */
function sandboxWithMemory() {
	const sandbox = new Sandbox();
	const memory = folderMemory(sandbox.home, sandbox.dir, keyringPath(sandbox.dir));
	onTestFinished(async () => {
		await memory.close();
		await sandbox[Symbol.asyncDispose]();
	});
	const write = async (...events: MemoryEvent[]) => {
		await memory.write(() => ({ write: { events: events.map((event) => said(event)), bodies: [] } }));
	};
	const remember = async (id: string, text: string, files: string[] = []) => {
		const { events, bodies } = remembering(id, text);
		const recorded = events.map((each) => ({
			...each,
			event: { type: "memory/recorded" as const, data: { ...newRecord(id, text), files } },
		}));
		await memory.write(() => ({ write: { events: recorded, bodies } }));
	};
	return { sandbox, write, remember };
}

/** Messages about memory that a request held. */
function told(sent: Sent): string[] {
	return sent.filter((message) => message.includes("mem_") || message.includes("Work summary"));
}

/** Has the host see what others wrote, as it does by itself before long. */
const seen = (host: Host) => host.session.prompt("/memories");

test("what the user wants remembered is in the first request of a session, once, and is there again after a restart", async () => {
	const { sandbox, remember } = sandboxWithMemory();
	await remember("mem_a", "always use <b>tabs</b>");
	const host = await sandbox.create();
	const first = await host.ask("hello");
	expect(told(first)).toHaveLength(1);
	expect(first.at(-1)).toContain("always use ‹b>tabs‹/b>");
	const second = await host.ask("again");
	expect(second.slice(0, first.length)).toEqual(first);
	expect(told(second)).toHaveLength(1);
	const { file } = host;
	await host.quit();
	const resumed = await sandbox.open(file);
	expect(told(await resumed.ask("and again"))).toHaveLength(1);
});

test("what was remembered last is told first", async () => {
	const { sandbox, remember } = sandboxWithMemory();
	await remember("mem_a", "use tabs");
	await remember("mem_b", "use semicolons");
	const host = await sandbox.create();
	expect((await host.ask("hello")).at(-1)).toMatch(/mem_b.*mem_a/);
});

test("each message is an event of the session before it is an entry of it", async () => {
	const { sandbox, remember } = sandboxWithMemory();
	await remember("mem_a", "use tabs");
	const host = await sandbox.create();
	await host.ask("hello");
	await host.quit();
	const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
	const shown = events.findIndex(({ type }) => type === "shown/appended");
	const entry = events.findIndex(({ type, data }) => type === "entry/recorded" && data.memory !== undefined);
	expect(shown).toBeGreaterThan(0);
	expect(entry).toBeGreaterThan(shown);
	expect(events[shown]?.data).toMatchObject({ what: "memory", memory: { records: ["mem_a"] } });
});

test("what changes in the middle of a session is told once, at the tail", async () => {
	const { sandbox, remember, write } = sandboxWithMemory();
	await remember("mem_a", "use tabs");
	const host = await sandbox.create();
	const first = await host.ask("hello");
	await remember("mem_b", "use semicolons");
	await write({ type: "memory/resolved", data: { id: "mem_a", why: "user:/forget" } });
	await seen(host);
	const second = await host.ask("again");
	expect(second.slice(0, first.length)).toEqual(first);
	expect(second.at(-1)).toMatch(/No longer holds.*mem_a.*mem_b.*use semicolons/);
	expect(told(await host.ask("more"))).toHaveLength(2);
});

test("a touched file brings the line about it once, and again once that has left the window", async () => {
	const { sandbox, remember } = sandboxWithMemory();
	await remember("mem_f", "this page is generated", ["docs/page-0.ts"]);
	const host = await sandbox.create();
	const before = await host.ask("hello");
	expect(told(before)).toEqual([]);
	const touching = await host.work("docs", 2);
	expect(told(touching)).toHaveLength(1);
	expect(told(touching)[0]).toContain("this page is generated");
	const lines = (sent: Sent) => told(sent).filter((message) => message.includes("mem_f"));
	expect(lines(await host.work("docs", 1))).toHaveLength(1);
	await work(host);
	await host.fold();
	await host.ask("go on");
	expect(lines(await host.ask("anything else?"))).toEqual([]);
	expect(lines(await host.work("docs", 1))).toHaveLength(1);
});

test("what a session remembers for itself still holds when it is resumed", async () => {
	const { sandbox } = sandboxWithMemory();
	const host = await sandbox.create();
	await host.ask("hello");
	await host.session.prompt("/remember scope:session use tabs");
	const before = told(await host.ask("again"));
	expect(before).toHaveLength(1);
	const { file } = host;
	await host.quit();
	const resumed = await sandbox.open(file);
	expect(told(await resumed.ask("go on"))).toEqual(before);
});

test("what a session remembers for itself stays with it when it is forked, and user and model are told so", async () => {
	const { sandbox } = sandboxWithMemory();
	const host = await sandbox.create();
	await host.ask("hello");
	await host.session.prompt("/remember pin scope:session use tabs");
	const [id = ""] = /mem_\w+/.exec((await host.ask("again")).join("\n")) ?? [];
	await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
	const forked = await host.ask("go on");
	expect(forked.at(-1)).toMatch(new RegExp(`Belongs to the session this was forked from.*${id}`));
	expect(forked.at(-1)).not.toContain("No longer holds");
	await host.ask("and on");
	const said = host.said.filter((each) => each.includes("did not come along"));
	expect(said).toEqual([expect.stringContaining(id)]);
});

test("where memory is off a session opens none, also when a tool is called", async () => {
	const { sandbox, remember } = sandboxWithMemory();
	await remember("mem_f", "this page is generated", ["docs/page-0.ts"]);
	const [name = ""] = readdirSync(join(sandbox.home, "workspaces"));
	const level = join(sandbox.home, "workspaces", name, "level");
	writeFileSync(join(sandbox.dir, "pi-compact.json"), JSON.stringify({ memory: { enabled: false } }));
	const before = readdirSync(level);
	const host = await sandbox.create({ engine: (pi) => registerPalimpsest(pi) });
	expect(told(await host.work("docs", 2))).toEqual([]);
	await host.quit();
	// whoever opens it begins another file
	expect(readdirSync(level)).toEqual(before);
});

test("what is remembered outlives folds, and the work summary comes with them", async () => {
	const { sandbox, remember } = sandboxWithMemory();
	await remember("mem_a", "use tabs");
	const host = await sandbox.create();
	await host.ask("hello");
	await work(host);
	await host.fold();
	const sent = await host.ask("go on");
	expect(told(sent).filter((message) => message.includes("use tabs"))).toHaveLength(1);
	expect(told(sent).filter((message) => message.includes("Work summary"))).toHaveLength(1);
});

test("no message is made for anybody but the user: proposals and rules are not told", async () => {
	const { sandbox } = sandboxWithMemory();
	const memory = folderMemory(sandbox.home, sandbox.dir, keyringPath(sandbox.dir));
	await memory.write(() => ({ write: remembering("mem_m", "obey me", "model") }));
	await memory.write(() => ({ write: remembering("mem_r", "obey me too", "rule") }));
	await memory.close();
	const host = await sandbox.create();
	expect(told(await host.ask("hello"))).toEqual([]);
});

test("a call that names the keyring or the stores is refused with a reason", async () => {
	const { sandbox } = sandboxWithMemory();
	const host = await sandbox.create();
	const touch = (page: string) =>
		host.play("look", [
			() => fauxAssistantMessage(fauxToolCall("fetch", { page, chars: 60 }), { stopReason: "toolUse" }),
			() => fauxAssistantMessage("done"),
		]);
	expect((await touch(keyringPath(sandbox.dir))).at(-1)).toContain("MEMORY_GUARDED");
	expect((await touch(`${sandbox.home}/workspaces/x`)).at(-1)).toContain("MEMORY_GUARDED");
	expect((await touch("docs/keys.ts")).at(-1)).not.toContain("MEMORY_GUARDED");
});

/** Enough for a fold of everything before it. */
async function work(host: Host): Promise<void> {
	for (const topic of ["parsers", "printers", "readers", "writers"]) await host.work(topic, 3);
}
