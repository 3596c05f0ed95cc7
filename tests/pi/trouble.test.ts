import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage } from "@earendil-works/pi-ai";
import { type ExtensionAPI, SessionManager } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { Engine } from "../../src/engine/engine.ts";
import { eventKey } from "../../src/store/keys.ts";
import { openLevel } from "../../src/store/level-key-value.ts";
import { levelDirectory } from "../../src/store/open-store.ts";
import { verifyDirectory } from "../../src/store/verify-directory.ts";
import { callFold } from "./fold-calls.ts";
import { type Host, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";
import { isFold, shared } from "./shared.ts";

afterEach(() => vi.restoreAllMocks());

async function worked(host: Host): Promise<Host> {
	for (const topic of ["alpha", "beta", "gamma", "delta"]) await host.work(topic);
	return host;
}

/** Writes a session file anew with one node of ours changed. */
function forge(file: string, change: (data: Record<string, unknown>) => void): void {
	const lines = readFileSync(file, "utf8").trimEnd().split("\n");
	const forged = lines.map((line) => {
		const entry = JSON.parse(line);
		if (entry.customType === "palimpsest") change(entry.data);
		return JSON.stringify(entry);
	});
	writeFileSync(file, `${forged.join("\n")}\n`);
}

test("a session that is open elsewhere keeps its folds and makes no new ones, and is told so once", async () => {
	await using sandbox = new Sandbox();
	const first = await worked(await sandbox.create());
	await first.fold();
	const folded = await first.ask("before?");
	const second = await sandbox.open(first.file);
	const beside = await second.ask("who is there?");
	expect(shared(folded, beside)).toBe(folded.length);
	for (const topic of ["epsilon", "zeta"]) await second.work(topic);
	expect(second.said).toEqual([
		"Palimpsest: STORE_LOCKED: this session is open elsewhere; its folds stand, and no new ones are made until it is closed there",
	]);
	expect(await second.fold()).toBe(
		"Palimpsest: nothing was folded: STORE_LOCKED: this session is open elsewhere",
	);
	expect(second.path("custom")).toHaveLength(1);
	expect(second.errors).toEqual([]);
	expect((await first.ask("still folded?")).some(isFold)).toBe(true);
	expect(sandbox.stores()).toHaveLength(1);
});

test("a first /fold in a session that is open elsewhere is refused with one sentence", async () => {
	await using sandbox = new Sandbox();
	const first = await worked(await sandbox.create());
	const second = await sandbox.open(first.file);
	await second.fold();
	expect(second.said).toEqual([expect.stringMatching(/open elsewhere; its folds stand/)]);
	expect(second.path("custom")).toEqual([]);
});

test("a session whose store is damaged keeps its folds, and is told once how the store is mended", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	await host.quit();
	const level = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "", "level");
	for (const name of readdirSync(level))
		if (/^(MANIFEST|CURRENT)/.test(name)) writeFileSync(join(level, name), "?");
	const again = await sandbox.open(host.file);
	expect((await again.ask("hello?")).some(isFold)).toBe(true);
	await again.ask("hello?");
	expect(again.said).toHaveLength(1);
	expect(again.said[0]).toMatch(
		/is damaged, which \/fold repair mends: .*; its folds stand, and no new ones are made until then$/,
	);
	expect(again.errors).toEqual([]);
});

test("a store that cannot be made leaves the session alone", async () => {
	await using sandbox = new Sandbox();
	mkdirSync(sandbox.home);
	writeFileSync(join(sandbox.home, "sessions"), "a file where a folder should be");
	const host = await worked(await sandbox.create());
	expect(host.said).toHaveLength(1);
	expect(host.errors).toEqual([]);
});

test("when something fails the last window stays in force, with new entries raw", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const [, above = ""] = host.path("message");
	await host.fold();
	const first = await host.work("epsilon");
	const between = host.session.sessionManager.getLeafId() ?? "";
	await host.work("zeta");
	await host.fold();
	const before = await host.ask("before?");
	vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("the disk is full"));
	const during = await host.ask("during?");
	const after = await host.ask("after?");
	expect(shared(before, during)).toBe(before.length);
	expect(shared(during, after)).toBe(during.length);
	expect(host.said.slice(2)).toEqual([
		"Palimpsest: the disk is full; this session goes on without new folds",
	]);
	await host.session.navigateTree(between);
	const again = await host.ask("between the decisions");
	expect(shared(first, again)).toBe(first.length);
	await host.session.navigateTree(above);
	expect((await host.ask("above both")).some(isFold)).toBe(false);
});

test("once something failed the footer, every command and the tool say what, and none that there is nothing", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create({ tools: ["fetch", "pi_fold_context"] }));
	vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("the disk is full"));
	await host.ask("during?");
	expect(host.status).toBe("palimpsest makes no new folds · /fold-status says why");
	const commands = ["", " pause", " off", " why e1", " undo c1", " search value", " e1"].map(
		(rest) => `/fold${rest}`,
	);
	for (const command of [...commands, "/fold-status", "/fold-editor"]) {
		const { length } = host.said;
		await host.session.prompt(command);
		expect(host.said.slice(length), command).toEqual([expect.stringContaining("the disk is full")]);
	}
	for (const args of [{ action: "status" }, { action: "peek", id: "f1" }, { action: "expand", id: "f1" }]) {
		expect((await callFold(host, args)).text, args.action).toContain("the disk is full");
	}
	expect(host.errors).toEqual([]);
});

test("in a session where nobody spoke yet every command says so in a sentence", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create();
	for (const command of ["pause", "why e1", "undo c1", "search value", "e1"]) {
		await host.session.prompt(`/fold ${command}`);
		expect(host.said.at(-1), command).toBe("Palimpsest: nothing was said in this session yet");
	}
	expect(host.said).toHaveLength(5);
	expect(host.errors).toEqual([]);
	expect(sandbox.stores()).toEqual([]);
});

test("a node that does not prove its window is not in force, and is told so once", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.fold();
	await host.ask("before?");
	await host.quit();
	for (const change of [
		(data: Record<string, unknown>) => Object.assign(data, { cut: Number(data.cut) - 1 }),
		(data: Record<string, unknown>) => Object.assign(data, { v: 2 }),
	]) {
		forge(host.file, change);
		const copy = await sandbox.host(SessionManager.forkFrom(host.file, sandbox.dir, sandbox.sessions));
		expect((await copy.ask("after?")).some(isFold)).toBe(false);
		await copy.ask("after that?");
		expect(copy.said).toEqual([expect.stringMatching(/^Palimpsest: a fold of this session cannot be had/)]);
		expect((await copy.fold()).startsWith("Palimpsest: folded")).toBe(true);
		expect((await copy.ask("folded anew")).some(isFold)).toBe(true);
	}
});

/** A session whose last host was killed between a decision's event and its node. */
async function killedBeforeNode(sandbox: Sandbox): Promise<Host> {
	const host = await worked(await sandbox.create());
	vi.spyOn(Engine.prototype, "nodeFor").mockImplementation(() => {
		throw new Error("killed");
	});
	await host.fold();
	vi.restoreAllMocks();
	await host.quit();
	return host;
}

test("an event whose node was never written is not in force once the session went on, and that is told once", async () => {
	await using sandbox = new Sandbox();
	const { file } = await killedBeforeNode(sandbox);
	const again = await sandbox.open(file);
	expect((await again.ask("after?")).some(isFold)).toBe(false);
	await again.ask("and now?");
	expect(again.said).toEqual([
		expect.stringMatching(/cannot be had: the session went on .* \/fold decides anew$/),
	]);
	expect(again.path("custom")).toEqual([]);
	await again.quit();
	const later = await sandbox.open(file);
	await later.ask("told again?");
	expect(later.said).toEqual([]);
	expect(await later.fold()).toMatch(/^Palimpsest: folded/);
	expect((await later.ask("folded")).some(isFold)).toBe(true);
});

test("an event whose node was never written gets it by a command, while nothing the model reads has come since", async () => {
	await using sandbox = new Sandbox();
	const { file, session } = await killedBeforeNode(sandbox);
	const looking = await sandbox.open(file);
	await looking.quit();
	expect(looking.path("custom")).toEqual([]);
	const again = await sandbox.open(file);
	again.session.sessionManager.appendLabelChange(again.path("message")[2] ?? "", "here");
	expect(await again.fold()).toMatch(/^Palimpsest: folded/);
	expect(again.path("custom")).toHaveLength(1);
	const folded = await again.ask("folded");
	expect(folded.some(isFold)).toBe(true);
	await again.quit();
	const { events } = await logOf(sandbox.home, session.sessionId);
	const applied = events.filter(({ type }) => type === "commit/applied");
	const nodes = events.filter(({ type, data }) => type === "entry/recorded" && data.decision !== undefined);
	expect(nodes.map(({ data }) => data.decision)).toEqual(applied.map(({ position }) => position));
	expect(applied).toHaveLength(1);
	const copy = await sandbox.host(SessionManager.forkFrom(file, sandbox.dir, sandbox.sessions));
	const copied = await copy.ask("and here?");
	expect(shared(folded, copied)).toBe(folded.length);
	expect(copy.said).toEqual([]);
});

test("what the host does while a decision is written decides whether it still gets its node", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const { sessionManager } = host.session;
	const meanwhile = (what: () => void) => {
		const { commitNow } = Engine.prototype;
		vi.spyOn(Engine.prototype, "commitNow").mockImplementationOnce(async function (this: Engine, request) {
			const decision = await commitNow.call(this, request);
			what();
			return decision;
		});
	};
	const before = sessionManager.getLeafId() ?? "";
	meanwhile(() => sessionManager.branch(host.path("message")[2] ?? ""));
	await host.fold();
	expect(host.said[0]).toMatch(/cannot be had: the session went on/);
	expect(host.path("custom")).toEqual([]);
	sessionManager.branch(before);
	meanwhile(() => sessionManager.appendLabelChange(host.path("message")[2] ?? "", "here"));
	expect(await host.fold()).toMatch(/^Palimpsest: folded/);
	expect(host.path("custom")).toHaveLength(1);
	expect((await host.ask("after?")).some(isFold)).toBe(true);
	expect(host.errors).toEqual([]);
});

test("a node that was written and not recorded is found again with its event", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	const record = vi.spyOn(Engine.prototype, "record").mockRejectedValue(new Error("killed"));
	await host.fold();
	record.mockRestore();
	await host.quit();
	const again = await sandbox.open(host.file);
	expect((await again.ask("after?")).some(isFold)).toBe(true);
	expect(again.said).toEqual([]);
	expect(again.path("custom")).toHaveLength(1);
});

test("a store whose first event was changed is let go of again", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	await host.quit();
	const directory = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
	const kv = await openLevel(levelDirectory(directory), { create: false });
	const batch = kv.batch();
	const bytes = Buffer.from(kv.get(eventKey(0, 0)) ?? []);
	batch.put(eventKey(0, 0), bytes.fill(0, bytes.length - 1));
	await batch.write(true);
	await kv.close();
	const again = await sandbox.open(host.file);
	await again.ask("hello?");
	expect(again.said).toHaveLength(1);
	expect((await verifyDirectory(directory)).damage).toMatchObject([{ part: "event", position: 0 }]);
});

test("messages another extension adds or changes before us stay where they are, and nothing of ours is lost", async () => {
	await using sandbox = new Sandbox();
	let meddle = false;
	const meddler = (pi: ExtensionAPI) => {
		pi.on("context", ({ messages }) => {
			if (!meddle) return undefined;
			const added = { role: "user" as const, content: "by the way", timestamp: 1 };
			return {
				messages: [
					added,
					...messages.slice(0, 4),
					added,
					...messages.slice(4, -1),
					added,
					...messages.slice(-1),
				],
			};
		});
	};
	const host = await worked(await sandbox.create({ before: [meddler] }));
	await host.fold();
	const plain = await host.ask("plain?");
	meddle = true;
	const meddled = await host.ask("meddled?");
	const added = (message: string) => message.includes('"by the way"');
	expect(meddled.filter(added)).toHaveLength(3);
	const folds = (window: readonly string[]) =>
		window.filter(isFold).flatMap((message) => JSON.parse(message).content);
	expect(folds(meddled)).toEqual(folds(plain));
	const rest = (window: readonly string[]) =>
		window.filter(
			(message) => !isFold(message) && !added(message) && !message.startsWith('{"role":"system"'),
		);
	expect(rest(meddled).slice(0, rest(plain).length)).toEqual(rest(plain));
});

test("a call without its result, and a result without its call, do not reach the provider apart", async () => {
	await using sandbox = new Sandbox();
	const host = await worked(await sandbox.create());
	host.session.sessionManager.appendMessage({
		role: "toolResult",
		toolCallId: "nobody",
		toolName: "fetch",
		content: [{ type: "text", text: "an orphan" }],
		isError: false,
		timestamp: Date.now(),
	});
	await host.fold();
	host.session.refreshContext();
	const folded = await host.play("go on", [() => fauxAssistantMessage("yes")]);
	expect(folded.some(isFold)).toBe(true);
	expect(folded.some((message) => message.includes("an orphan"))).toBe(false);
});
