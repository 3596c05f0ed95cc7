import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { expect, test, vi } from "vitest";
import { SEGMENT_CHARS } from "../../projections/recall/segment.ts";
import { inside } from "../cli/inside.ts";
import { callFold } from "./fold-calls.ts";
import { END, ENTER, ESC } from "./keys.ts";
import { callMemory, idIn, type, WITH_MEMORY } from "./memory-calls.ts";
import { callRecall } from "./recall-calls.ts";
import { type Host, QUICK_SETTINGS, Sandbox } from "./sandbox.ts";
import { logOf } from "./session-log.ts";

const TOKEN = "zq7heronquux";
const TEXT = `the "staging" host is ${TOKEN}.example,\nnot the other`;
const SPELLINGS = [TEXT, JSON.stringify(TEXT).slice(1, -1), TOKEN];

/** Files below a folder that hold one of the spellings. */
function filesWith(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
		const path = join(entry.parentPath, entry.name);
		const isHeld = entry.isFile() && SPELLINGS.some((text) => readFileSync(path).includes(text));
		return isHeld ? [path] : [];
	});
}

/** Remembers the text, has it told to the model, found, read and proposed again. */
async function spread(host: Host, scope: string): Promise<string> {
	await host.ask("hello");
	const id = idIn(await type(host, `/remember pin scope:${scope} ${TEXT}`));
	await host.ask("what is remembered?");
	expect((await callMemory(host, "search", { query: TOKEN })).text).toContain(TOKEN);
	expect((await callMemory(host, "read", { recordId: id })).text).toContain(TOKEN);
	return id;
}

test.each(["workspace", "session"])(
	"a destroyed text of scope %s is in no file of ours, and the session goes on",
	async (scope) => {
		await using sandbox = new Sandbox();
		const host = await sandbox.create(WITH_MEMORY);
		const id = await spread(host, scope);
		expect(filesWith(sandbox.home)).not.toEqual([]);
		const said = await type(host, `/forget shred:${id}`);
		expect(host.questions.at(-1)).toMatch(/out of this session's log: \d+ messages/);
		expect(said).toContain(`the text of ${id} is destroyed`);
		expect(said.replaceAll(/\n\s*/g, "")).toContain(host.file);
		expect(filesWith(sandbox.home)).toEqual([]);

		const sent = await host.ask("go on");
		expect(sent.some((message) => message.includes(TOKEN))).toBe(true);
		await host.quit();
		expect(host.errors).toEqual([]);
		expect(filesWith(sandbox.home)).toEqual([]);

		const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
		const verified = await inside(sandbox.home, "verify", store);
		expect(verified).toMatchObject({ code: 0, text: expect.stringMatching(/^shredded: .*\n(.*\n)*sound$/m) });
		expect(verified.text).not.toMatch(/unverified|FORGED/);
		const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
		const shredded = events.filter(({ type }) => type === "payload/shredded");
		expect(shredded).toMatchObject([{ actor: "user", data: { records: [id] } }]);

		const window = await inside(sandbox.home, "window", store, "--at", `${host.requests.length}`);
		expect(window).toMatchObject({ code: 0, text: expect.stringContaining("destroyed on purpose") });
		expect(window.text).not.toContain(TOKEN);
	},
);

test("what another session was told is destroyed there once it runs again, once", async () => {
	await using sandbox = new Sandbox();
	const told = await sandbox.create(WITH_MEMORY);
	const id = await spread(told, "workspace");
	const { file } = told;
	await told.quit();
	const other = await sandbox.create(WITH_MEMORY);
	await other.ask("hello");
	await type(other, `/forget shred:${id}`);
	await other.quit();
	expect(filesWith(sandbox.home)).not.toEqual([]);
	for (const run of [1, 2]) {
		const again = await sandbox.open(file, WITH_MEMORY);
		await again.ask("hello again");
		for (let tries = 0; tries < 200 && filesWith(sandbox.home).length > 0; tries++) await pause(50);
		await again.quit();
		expect(again.errors, `run ${run}`).toEqual([]);
	}
	expect(filesWith(sandbox.home)).toEqual([]);
	const logs = await Promise.all(sandbox.stores().map((name) => logOf(sandbox.home, name)));
	const shredded = logs.flatMap(({ events }) => events.filter(({ type }) => type === "payload/shredded"));
	expect(shredded.filter(({ actor }) => actor === "runtime")).toHaveLength(1);
});

/** Ids of entries of the host's file whose JSON holds the token, by what they are. */
function holders(host: Host): { readonly id: string; readonly type: string }[] {
	return host.session.sessionManager.getEntries().filter((entry) => JSON.stringify(entry).includes(TOKEN));
}

test("whoever reads back what was destroyed is told so: peek, recall, and the list of what was said", async () => {
	await using sandbox = new Sandbox();
	const tools = [...(WITH_MEMORY.tools ?? []), "pi_fold_context", "pi_compact_recall"];
	const host = await sandbox.create({ ...WITH_MEMORY, tools });
	const id = await spread(host, "workspace");
	await type(host, `/forget shred:${id}`);
	const gone = holders(host);
	expect(gone.map((entry) => entry.type)).toContain("custom_message");
	expect(gone.length).toBeGreaterThan(3);
	for (const entry of gone) {
		const peeked = await callFold(host, { action: "peek", id: entry.id });
		expect(peeked).toMatchObject({ failed: false, text: expect.stringContaining("destroyed on purpose") });
		for (const raw of [true, false]) {
			const read = await callRecall(host, { action: "read", entryIds: [entry.id], raw });
			expect(read).toMatchObject({ failed: false, text: expect.stringContaining("destroyed on purpose") });
			expect(read.text).not.toContain(TOKEN);
		}
	}
	const found = await callRecall(host, { action: "search", query: "staging host" });
	expect(found.text).not.toContain(TOKEN);
	const listed = await callRecall(host, { action: "list", limit: 50 });
	expect(listed.text).not.toContain(TOKEN);
	expect(host.errors).toEqual([]);
	await host.quit();
	expect(filesWith(sandbox.home)).toEqual([]);
});

test("the map of the window says what was destroyed, in its place", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ ...WITH_MEMORY, tui: true });
	const id = await spread(host, "workspace");
	await type(host, `/forget shred:${id}`);
	const closed = host.session.prompt("/fold-editor");
	const lines = () => (host.screen?.render(120) ?? []).map(stripTerminalSequences).join("\n");
	await vi.waitFor(() => expect(lines()).toContain("→ "), { timeout: 20_000 });
	host.screen?.handleInput?.(END);
	host.screen?.handleInput?.(ENTER);
	await vi.waitFor(() => expect(lines()).toContain("[what stood here was destroyed on purpose"), {
		timeout: 20_000,
	});
	expect(lines()).not.toContain(TOKEN);
	host.screen?.handleInput?.(ESC);
	host.screen?.handleInput?.(ESC);
	await closed;
	expect(host.errors).toEqual([]);
});

test("the index loses the words of a destroyed text with the rows they stood in, and finds the rest again", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = await spread(host, "workspace");
	const line = (n: number) => `part ${n} has a needle_${n} in haystack ${n * 7}\n`;
	const long = (n: number) => line(n).repeat(SEGMENT_CHARS / 3 / line(n).length);
	for (let n = 0; n < 4; n++) await host.ask(long(n));
	await host.quit();
	const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
	const rows = async () => {
		const { text } = await inside(sandbox.home, "verify", store);
		return Number(/ (\d+) index rows/.exec(text)?.[1]);
	};
	const again = await sandbox.open(host.file, WITH_MEMORY);
	await again.ask("again");
	while (!((await rows()) > 0)) await pause(100);
	await type(again, `/forget shred:${id}`);
	expect(filesWith(sandbox.home)).toEqual([]);
	while (!((await rows()) > 0)) await pause(100);
	await again.quit();
	expect(again.errors).toEqual([]);
	expect(filesWith(sandbox.home)).toEqual([]);
	const verified = await inside(sandbox.home, "verify", store);
	expect(verified).toMatchObject({ code: 0, text: expect.stringMatching(/^sound$/m) });
	const ask = (query: string) => inside(sandbox.home, "recall", query, "--session", host.file);
	expect((await ask("needle_2")).text).toContain("needle_2");
	expect((await ask(TOKEN)).text).not.toContain(TOKEN);
});

test("what stood for it in the window goes too, and folds stand as they are, now and after a restart", async () => {
	await using sandbox = new Sandbox();
	const options = {
		tools: WITH_MEMORY.tools ?? [],
		settings: { ...QUICK_SETTINGS, policy: "off" as const, toolFoldThreshold: 1 },
	};
	const host = await sandbox.create(options);
	await host.ask("hello");
	const padding = "and so on, at length ".repeat(120);
	const id = idIn(await type(host, `/remember pin ${TEXT} ${padding}`));
	for (const limit of [8_000, 400]) await callMemory(host, "read", { recordId: id, limit });
	for (const topic of ["a", "b", "c", "d"]) await host.work(topic);
	await callMemory(host, "read", { recordId: id, limit: 8_000 });
	expect(await host.fold()).toContain("folded");
	const clipped = await host.ask("go on");
	expect(clipped.join("\n")).toMatch(new RegExp(`${TOKEN}.*clipped by the runtime`));
	await callMemory(host, "read", { recordId: id, limit: 8_000 });
	for (const topic of ["e", "f"]) await host.work(topic);
	await type(host, `/forget shred:${id}`);
	expect(filesWith(sandbox.home)).toEqual([]);
	const sent = await host.ask("and on");
	for (const topic of ["g", "h", "i", "j"]) await host.work(topic);
	expect(await host.fold()).toContain("folded");
	await host.ask("and on");
	expect(filesWith(sandbox.home)).toEqual([]);
	await host.quit();
	const again = await sandbox.open(host.file, options);
	expect((await again.ask("still there?")).length).toBeGreaterThan(3);
	expect(await type(again, "/fold status")).not.toContain("STORE");
	await again.quit();
	expect(sent.length).toBeGreaterThan(3);
	expect([...host.errors, ...again.errors]).toEqual([]);
	expect([...host.said, ...again.said].join("\n")).not.toMatch(/without new folds|not in the log/);
	expect(filesWith(sandbox.home)).toEqual([]);
	const store = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "");
	const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
	expect(events.map((event) => event.type)).toContain("fold/clipped");
	for (let n = 1; n <= host.requests.length; n++)
		expect(await inside(sandbox.home, "window", store, "--at", `${n}`)).toMatchObject({ code: 0 });
});

test("a short text goes wherever the session says it, a fold's text included, and the window says so", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ tools: WITH_MEMORY.tools ?? [] });
	const text = `${TOKEN}.ts`;
	await host.ask(`see ${text}`, `I looked into ${text}`);
	const id = idIn(await type(host, `/remember ${text}`));
	await host.work(TOKEN);
	for (const topic of ["a", "b", "c", "d", "e"]) await host.work(topic);
	await host.fold();
	const before = await host.ask("go on");
	expect(before.join("\n")).toContain(text);
	await type(host, `/forget shred:${id}`);
	const after = await host.ask("and on");
	// what stands raw are the host's own bytes
	const ours = after.filter((message) => /Written by the runtime|Folded by the runtime/.test(message));
	expect(ours.join("\n")).not.toContain(text);
	expect(after.join("\n")).toContain("destroyed on purpose");
	await host.quit();
	expect(host.errors).toEqual([]);
	const again = await sandbox.open(host.file);
	expect((await again.ask("still there?")).slice(0, after.length)).toEqual(after);
	await again.quit();
	expect(again.errors).toEqual([]);
	expect(again.said.join("\n")).not.toMatch(/without new folds|not in the log/);
});

test("what a repair put aside is named before and after, and left alone", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = await spread(host, "workspace");
	const aside = join(sandbox.home, "sessions", sandbox.stores()[0] ?? "", "damaged-1");
	mkdirSync(aside);
	const said = await type(host, `/forget shred:${id}`);
	for (const text of [host.questions.at(-1) ?? "", said])
		expect(text.replaceAll(/\n\s*/g, "")).toContain(aside);
	expect(readdirSync(aside)).toEqual([]);
});

test("where the user says no, nothing is destroyed", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = await spread(host, "workspace");
	host.answer = false;
	expect(await type(host, `/forget shred:${id}`)).toContain("nothing was destroyed");
	await host.quit();
	const { events } = await logOf(sandbox.home, sandbox.stores()[0] ?? "");
	expect(events.filter(({ type }) => type === "payload/shredded")).toEqual([]);
});
