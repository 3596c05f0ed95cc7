import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type ExtensionAPI, type SessionEntry, SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { LiveLog } from "../../src/adapters/pi/live-log.ts";
import { registerEngine } from "../../src/adapters/pi/register.ts";
import { callOf, filesIn, LARGE, large, peek, readWhole, removeFiles, run, tools } from "./bash-output.ts";
import { QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

afterEach(removeFiles);

const capped = (outputCapBytes: number) => (pi: ExtensionAPI) =>
	registerEngine(pi, () => QUICK_SETTINGS, { outputCapBytes });

test("all of a bash output is read back by its entry, and then the message itself, when the host's file has gone", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	const [entry] = await run(host, [LARGE]);
	const [file = ""] = entry ? filesIn(entry) : [];
	expect(readFileSync(file, "utf8") === large).toBe(true);
	rmSync(file);
	const id = entry?.id ?? "";
	expect((await readWhole(host, id)) === `${large}\n${JSON.stringify(entry)}`).toBe(true);
	const first = await peek(host, { id: callOf(entry as SessionEntry), bytes: 1_024 });
	expect(first.split("\n")[1]).toBe(
		`the first ${large.length} bytes are all that bash gave out; the message that shows a part of it begins at byte ${large.length + 1}`,
	);
	expect(first.split("\n")[2]).toBe("1");
	expect(host.said.filter((said) => !said.includes("folded about"))).toEqual([]);
	expect(host.errors).toEqual([]);
});

test("what the model sees of a result is what it sees without us", async () => {
	const sent: unknown[] = [];
	for (const engine of [undefined, () => {}]) {
		await using sandbox = new Sandbox();
		const host = await sandbox.create({ tools: ["bash"], ...(engine && { engine }) });
		const [entry] = await run(host, [`${LARGE}; sleep 0`, "echo short"]);
		const { content, details } = JSON.parse(JSON.stringify(entry)).message;
		const text = JSON.stringify({ content, details }).replaceAll(/pi-bash-[0-9a-f]+/g, "file");
		sent.push(text);
	}
	expect(sent[0] === sent[1]).toBe(true);
});

test("a command that fails, runs out of time or is the user's own is kept whole as well", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	const [failed] = await run(host, [`${LARGE}; exit 3`]);
	const [late] = await run(host, [`${LARGE}; sleep 60`], { timeout: 1 });
	await host.session.executeBash(LARGE, undefined, {});
	await host.ask("did you see?");
	const own = host.session.sessionManager
		.getBranch()
		.find((entry) => entry.type === "message" && entry.message.role === "bashExecution");
	for (const entry of [failed, late, own]) {
		const [file = ""] = entry ? filesIn(entry) : [];
		rmSync(file);
		const text = await peek(host, { id: entry?.id, offset: large.length - 100, bytes: 1_024 });
		expect(text).toContain(`${large.slice(-90)}\n{"type":"message"`);
	}
	expect(host.errors).toEqual([]);
});

test("parallel outputs each belong to their own result, and a fold names them", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	const both = await run(host, ["seq 1 30000", "seq 100001 130000"]);
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	await host.fold();
	const sent = await host.ask("after?");
	const id = /"id\\":\\"([fg]\d+-[0-9a-z]+)/.exec(sent.join("\n"))?.[1] ?? "";
	const named = await peek(host, { id });
	for (const entry of both) expect(named).toContain(`${entry.id} (bash, `);
	for (const [index, entry] of both.entries()) {
		for (const file of filesIn(entry)) rmSync(file);
		const lines = (await peek(host, { id: entry.id, bytes: 1_024 })).split("\n");
		expect(lines[2]).toBe(index === 0 ? "1" : "100001");
	}
});

test("beyond the session's cap an output is not kept: the user is told once, the log each time, folds go on", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools, engine: capped(large.length + 10) });
	const [first, second, third] = [...(await run(host, [LARGE])), ...(await run(host, [LARGE, LARGE]))];
	expect(host.said).toEqual([
		expect.stringMatching(/whole outputs this session keeps have reached their 1 MB/),
	]);
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	expect(await host.fold()).toMatch(/^Palimpsest: folded about/);
	expect(await peek(host, { id: first?.id })).toContain("are all that bash gave out");
	const refused = await peek(host, { id: second?.id, bytes: 200_000 });
	expect(refused.includes(JSON.stringify(second))).toBe(true);
	expect(refused).toMatch(
		/\[all 1288895 bytes that bash gave out: only the part above was kept, because the outputs kept of this session have reached their limit; it may still be in .*\]$/,
	);
	await host.quit();
	const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
	const told = events.filter(({ type }) => type.startsWith("output/"));
	const [firstTold, ...later] = told.map(({ type, data }) => `${type} ${data.entry}`);
	expect(firstTold).toBe(`output/kept ${first?.id}`);
	expect(later.sort()).toEqual([second, third].map((entry) => `output/refused ${entry?.id}`).sort());
});

test("what was kept is there after a restart, and what the process did not live to keep is kept then", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	const [kept] = await run(host, [LARGE]);
	await host.quit();
	// a session that ran without us for a while stands for one whose process ended in the middle of a copy
	const without = await sandbox.open(host.file, { tools: ["bash"], engine: () => {} });
	const [missed] = await run(without, ["seq 2 200000"]);
	await without.quit();
	const again = await sandbox.open(host.file, { tools });
	await again.ask("hello?");
	await again.ask("are you there?");
	for (const entry of [kept, missed]) for (const file of entry ? filesIn(entry) : []) rmSync(file);
	for (const [entry, line] of [
		[kept, "1"],
		[missed, "2"],
	] as const) {
		expect((await peek(again, { id: entry?.id, bytes: 1_024 })).split("\n")[2]).toBe(line);
	}
	expect(again.said.filter((said) => !said.includes("folded about"))).toEqual([]);
});

test("an output is kept though its file goes and its result is changed right after the hook", async () => {
	await using sandbox = new Sandbox();
	const meddler = (pi: ExtensionAPI) => {
		pi.on("tool_result", ({ toolName, details }) => {
			if (toolName !== "bash") return undefined;
			rmSync((details as { fullOutputPath: string }).fullOutputPath);
			return { content: [{ type: "text", text: "replaced" }], details: {} };
		});
	};
	const host = await sandbox.create({ tools, after: [meddler] });
	const [entry] = await run(host, [LARGE]);
	const text = await peek(host, { id: entry?.id, offset: large.length - 100, bytes: 1_024 });
	expect(text).toContain(`${large.slice(-90)}\n${JSON.stringify(entry)}`);
	expect(host.errors).toEqual([]);
});

test("a session that ends in the middle of a copy tells nothing of it, and takes it up when it is opened again", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	const { keep } = LiveLog.prototype;
	const slow = vi.spyOn(LiveLog.prototype, "keep").mockImplementation(async function (
		this: LiveLog,
		contents,
	) {
		await pause(700);
		return keep.call(this, contents);
	});
	const [entry] = await run(host, [LARGE]);
	await host.quit();
	slow.mockRestore();
	const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
	expect(events.filter(({ type }) => type.startsWith("output/"))).toEqual([]);
	const again = await sandbox.open(host.file, { tools });
	await again.ask("go on");
	expect((await peek(again, { id: entry?.id, bytes: 1_024 })).split("\n")[2]).toBe("1");
	expect([...host.said, ...again.said].filter((said) => !said.includes("folded about"))).toEqual([]);
	expect([...host.errors, ...again.errors]).toEqual([]);
});

test("a fork has the results and not the outputs behind them, and says so", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools });
	const [entry] = await run(host, [LARGE]);
	await host.ask("and now?");
	await host.runtime.fork(host.path("message").at(-2) ?? "", { position: "at" });
	const text = await peek(host, { id: entry?.id, bytes: 200_000 });
	expect(text.includes(JSON.stringify(entry))).toBe(true);
	expect(text).toMatch(
		/\[all that bash gave out: only the part above was kept, because this session's store never had it/,
	);
	await host.quit();
	for (const store of sandbox.stores()) {
		const { events } = await logOf(sandbox.home, store);
		const forked = events.some(({ type }) => type === "session/forked");
		expect(events.some(({ type }) => type === "output/kept")).toBe(!forked);
	}
});

test("a second process on a session keeps no output and says nothing more", async () => {
	await using sandbox = new Sandbox();
	const first = await sandbox.create({ tools });
	await first.ask("hello");
	const second = await sandbox.open(first.file, { tools });
	const [entry] = await run(second, [LARGE]);
	expect(await peek(second, { id: entry?.id, bytes: 1_024 })).not.toContain("are all that");
	expect(second.said).toEqual([expect.stringMatching(/open elsewhere/)]);
	expect(second.errors).toEqual([]);
});

test("a session without a file keeps no output: the host's file lasts as long as it does", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.host(SessionManager.inMemory(sandbox.dir), { tools });
	const [entry] = await run(host, [LARGE]);
	const [file = ""] = entry ? filesIn(entry) : [];
	expect(await peek(host, { id: entry?.id, bytes: 200_000 })).toContain(`it may still be in ${file}]`);
	expect(existsSync(file)).toBe(true);
	expect(existsSync(join(sandbox.home, "sessions"))).toBe(false);
});
