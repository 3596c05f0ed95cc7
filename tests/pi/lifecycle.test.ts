import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

const TOPICS = ["alpha", "beta", "gamma", "delta"];

async function worked(host: Host): Promise<Host> {
	for (const topic of TOPICS) await host.work(topic);
	return host;
}

test("after a restart the window is the same, byte for byte", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	const before = await host.ask("before?");
	await host.quit();
	const again = await sandbox.open(host.file);
	const after = await again.ask("after?");
	expect(isFold(after[1] ?? "")).toBe(true);
	expect(shared(before, after)).toBe(before.length);
	expect(after.length).toBe(before.length + 2);
});

test("a session dropped without a word can be opened again in the same process", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	const before = await host.ask("before?");
	host.drop();
	const again = await sandbox.open(host.file);
	const after = await again.ask("after?");
	expect(shared(before, after)).toBe(before.length);
	expect(again.said).toEqual([]);
});

test("after a reload of the extensions the window is the same, byte for byte", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	const before = await host.ask("before?");
	await host.session.reload();
	expect(shared(before, await host.ask("after?"))).toBe(before.length);
});

test("a session without a file keeps its window through a reload", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.host(SessionManager.inMemory(sandbox.dir)));
	await host.fold();
	const before = await host.ask("before?");
	await host.session.reload();
	expect(shared(before, await host.ask("after?"))).toBe(before.length);
});

test("/tree to before the decision shows the raw window, and back the folded one, byte for byte", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const raw = await host.ask("before?");
	const there = host.session.sessionManager.getLeafId() ?? "";
	await host.fold();
	const folded = await host.ask("after?");
	const here = host.session.sessionManager.getLeafId() ?? "";
	await host.session.navigateTree(there);
	const back = await host.ask("raw again?");
	expect(shared(raw, back)).toBe(raw.length);
	await host.session.navigateTree(here);
	const forth = await host.ask("folded again?");
	expect(shared(folded, forth)).toBe(folded.length);
	await host.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	const moves = events.filter(({ type }) => type === "session/leafMoved");
	expect(moves.map(({ data }) => data.leaf)).toContain(here);
});

test("a decision on one branch is none on another", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const there = host.session.sessionManager.getLeafId() ?? "";
	await host.fold();
	await host.ask("one branch");
	await host.session.navigateTree(there);
	const raw = await host.ask("another");
	expect(raw.some(isFold)).toBe(false);
	await host.fold();
	expect((await host.ask("folded here too")).some(isFold)).toBe(true);
	await host.quit();
	const again = await sandbox.open(host.file);
	expect((await again.ask("still")).some(isFold)).toBe(true);
});

test("/fork below the decision keeps the window, byte for byte, from the path alone", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	const before = await host.ask("before?");
	await host.ask("to be asked anew");
	const parent = host.session.sessionId;
	const users = host.path("message").filter((id) => {
		const entry = host.session.sessionManager.getEntry(id);
		return entry?.type === "message" && entry.message.role === "user";
	});
	await host.runtime.fork(users.at(-1) ?? "");
	expect(host.session.sessionId).not.toBe(parent);
	const after = await host.ask("asked anew");
	expect(shared(before, after)).toBe(before.length);
	const child = host.session.sessionId;
	await host.quit();
	expect(sandbox.stores()).toEqual([parent, child].sort());
	const { events } = await logOf(sandbox.home, child);
	expect(events[1]).toMatchObject({ type: "session/forked", data: { from: parent, decisions: 1 } });
	expect(events.find(({ type }) => type === "commit/applied")).toMatchObject({ data: { trigger: "node" } });
	expect(host.said).toHaveLength(1);
});

test("/fork above the decision is raw", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const raw = await host.ask("before?");
	await host.fold();
	const users = host.path("message").filter((id) => {
		const entry = host.session.sessionManager.getEntry(id);
		return entry?.type === "message" && entry.message.role === "user";
	});
	await host.runtime.fork(users.at(-1) ?? "");
	const after = await host.ask("asked anew");
	expect(after.some(isFold)).toBe(false);
	expect(shared(raw, after)).toBe(raw.length - 1);
});

test("/clone of a path with labels keeps the window, byte for byte", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	const label = (text: string) => {
		const { sessionManager } = host.session;
		sessionManager.appendLabelChange(host.path("message").at(-1) ?? "", text);
	};
	for (const topic of TOPICS) {
		await host.work(topic);
		label(topic);
	}
	await host.fold();
	label("folded");
	const before = await host.ask("before?");
	label("asked");
	const parents = () =>
		new Map(host.session.sessionManager.getBranch().map(({ id, parentId }) => [id, parentId]));
	const old = parents();
	await host.runtime.fork(host.session.sessionManager.getLeafId() ?? "", { position: "at" });
	// what makes it hard: an entry behind a label keeps its id and gets another parent, so other bytes
	expect(
		[...parents()].filter(([id, parent]) => old.has(id) && old.get(id) !== parent).length,
	).toBeGreaterThan(3);
	const after = await host.ask("after?");
	expect(shared(before, after)).toBe(before.length);
	expect(after.some(isFold)).toBe(true);
	expect(host.said).toHaveLength(1);
});

test("a copy of all branches under another id keeps the window, byte for byte", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const there = host.session.sessionManager.getLeafId() ?? "";
	await host.fold();
	await host.ask("a branch to be left");
	await host.session.navigateTree(there);
	await host.work("epsilon");
	await host.fold();
	const before = await host.ask("before?");
	await host.quit();
	const copy = await sandbox.host(SessionManager.forkFrom(host.file, sandbox.dir, sandbox.sessions));
	const after = await copy.ask("after?");
	expect(shared(before, after)).toBe(before.length);
	expect(copy.said).toEqual([]);
});

test("a label, a name and a thinking level change no byte", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	const before = await host.ask("before?");
	host.session.sessionManager.appendLabelChange(host.path("message")[2] ?? "", "folded away");
	host.session.sessionManager.appendSessionInfo("a name");
	host.session.sessionManager.appendThinkingLevelChange("high");
	expect(shared(before, await host.ask("after?"))).toBe(before.length);
});

test("with its store gone a session gets the same window back from its nodes", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	await host.work("epsilon");
	await host.work("zeta");
	await host.fold();
	const before = await host.ask("before?");
	await host.quit();
	rmSync(join(sandbox.home, "sessions"), { recursive: true });
	const again = await sandbox.open(host.file);
	const after = await again.ask("after?");
	expect(shared(before, after)).toBe(before.length);
	await again.quit();
	const { events } = await logOf(sandbox.home, host.session.sessionId);
	expect(events.filter(({ type }) => type === "commit/applied")).toHaveLength(2);
});

test("under other settings a copy keeps the window of its decisions, and cuts by its own from there on", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	const before = await host.ask("before?");
	await host.quit();
	const settings = { ...QUICK_SETTINGS, minFoldChars: 3_500, consolidateAfter: 2, toolFoldThreshold: 0.9 };
	const copy = await sandbox.host(SessionManager.forkFrom(host.file, sandbox.dir, sandbox.sessions), {
		settings,
	});
	expect(shared(before, await copy.ask("after?"))).toBe(before.length);
	await copy.work("epsilon");
	await copy.quit();
	const { events } = await logOf(sandbox.home, copy.session.sessionId);
	const marks = events.filter(({ type }) => type === "mark/set").map(({ data }) => Number(data.chars));
	expect(marks.length).toBeGreaterThan(3);
	expect(Math.min(...marks)).toBeLessThan(3_500);
	expect(marks.at(-1)).toBeGreaterThanOrEqual(3_500);
});

test("two sessions in one process have a store and a window each", async () => {
	await using sandbox = new Sandbox();
	const [one, two] = await Promise.all([sandbox.create(), sandbox.create()]);
	await Promise.all([worked(one), worked(two)]);
	await one.fold();
	const [folded, raw] = await Promise.all([one.ask("one"), two.ask("two")]);
	expect(folded.some(isFold)).toBe(true);
	expect(raw.some(isFold)).toBe(false);
	expect(sandbox.stores()).toEqual([one.session.sessionId, two.session.sessionId].sort());
});

test("two sessions that share an id and not a root have a store each", async () => {
	await using sandbox = new Sandbox();
	const named = () => SessionManager.create(sandbox.dir, sandbox.sessions, { id: "same" });
	const one = await worked(await sandbox.host(named()));
	await one.fold();
	const folded = await one.ask("before?");
	await one.quit();
	const two = await worked(await sandbox.host(named()));
	expect((await two.ask("raw?")).some(isFold)).toBe(false);
	expect(two.said).toEqual([]);
	const root = two.session.sessionManager.getEntries()[0]?.id;
	expect(sandbox.stores()).toEqual(["same", `same~${root}`]);
	const again = await sandbox.open(one.file);
	expect(shared(folded, await again.ask("after?"))).toBe(folded.length);
});

test("a copied file shares the store of its original, entries of both together", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const file = join(sandbox.dir, "copy.jsonl");
	copyFileSync(host.file, file);
	await host.fold();
	await host.ask("only in the original");
	await host.quit();
	const copy = await sandbox.open(file);
	expect((await copy.ask("only in the copy")).some(isFold)).toBe(false);
	await copy.quit();
	const again = await sandbox.open(host.file);
	expect((await again.ask("original")).some(isFold)).toBe(true);
	expect([...host.said.slice(1), ...copy.said, ...again.said]).toEqual([]);
	expect(sandbox.stores()).toHaveLength(1);
});

test("a host compaction across a fold shows the fold whole, as long as one of its entries is kept", async () => {
	await using sandbox = new Sandbox();
	let keepFrom = "";
	const summariser = (pi: ExtensionAPI) => {
		pi.on("session_before_compact", ({ preparation: { tokensBefore } }) => ({
			compaction: { summary: "what came before", firstKeptEntryId: keepFrom, tokensBefore },
		}));
	};
	const host = await worked(await sandbox.create({ after: [summariser] }));
	await host.fold();
	const before = await host.ask("before?");
	const folds = before.filter(isFold);
	// the last fold, and the receipt behind it
	const last = JSON.parse(folds.at(-1) ?? "").content.slice(-2);
	// the node before the last that is folded: in the middle of the last fold's span
	const tail = before.find((message, index) => index > 0 && !isFold(message)) ?? "";
	const messages = host.path("message").map((id) => host.session.sessionManager.getEntry(id));
	const firstRaw = messages.findIndex(
		(entry) => entry?.type === "message" && JSON.stringify(entry.message) === tail,
	);
	keepFrom = messages[firstRaw - 1]?.id ?? "";
	await host.session.compact();
	const after = await host.ask("after?");
	const roles = after.slice(0, 3).map((message) => JSON.parse(message));
	expect(roles.map(({ role }) => role)).toEqual(["system", "user", "user"]);
	expect(JSON.stringify(roles[1].content)).toContain("what came before");
	expect(roles[2].content).toEqual(last);
	const start = before.indexOf(tail);
	expect(after.slice(3, 3 + before.length - start)).toEqual(before.slice(start));

	keepFrom = host.path("message").at(-1) ?? "";
	await host.session.compact();
	expect((await host.ask("all gone")).some(isFold)).toBe(false);
});

test("a prompt patch inside a folded span follows its placeholder, in the order of the patches", async () => {
	await using sandbox = new Sandbox();
	let rules = "";
	const patcher = (pi: ExtensionAPI) => {
		pi.on("before_agent_start", ({ systemPromptOptions }) => {
			if (rules) (systemPromptOptions.sections as Record<string, string>).rules_of_the_day = rules;
		});
	};
	const host = await sandbox.create({ before: [patcher] });
	for (const topic of TOPICS) {
		await host.work(topic);
		rules = `after ${topic}`;
	}
	const raw = await host.ask("before?");
	await host.fold();
	const folded = await host.ask("after?");
	const systems = (window: readonly string[]) =>
		window.filter((message) => message.startsWith('{"role":"system"'));
	expect(systems(raw).length).toBeGreaterThan(3);
	expect(systems(folded)).toEqual(systems(raw));
	expect(folded.findIndex(isFold)).toBe(1);
	expect(folded[0]).toBe(raw[0]);
	rules = "changed again";
	expect(shared(folded, await host.ask("and now?"))).toBe(folded.length);
});
