import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stderr } from "node:process";
import { afterEach, expect, test, vi } from "vitest";
import { registerPalimpsest } from "../../src/adapters/pi/register.ts";
import { folderMemory, remembering } from "../memory/memories.ts";
import { callMemory, idIn, type, WITH_MEMORY } from "./memory-calls.ts";
import { Sandbox } from "./sandbox.ts";

afterEach(() => vi.restoreAllMocks());

test("what is remembered is listed after a restart, starts no turn and leaves no message", async () => {
	await using sandbox = new Sandbox();
	const first = await sandbox.create(WITH_MEMORY);
	const text = 'Release notes go to "docs/notes.md",\n  never to the wiki; pin the date.';
	const said = await type(first, `/remember pin kind:constraint priority:high file:"my docs/a b.md" ${text}`);
	expect(said).toMatch(
		/^Palimpsest: remembered: mem_[0-9a-f]{16} \(pinned, constraint, high priority, about my docs\/a b\.md\)$/,
	);
	await first.quit();
	const host = await sandbox.create(WITH_MEMORY);
	const listed = await type(host, "/memories");
	expect(listed).toContain("1 record: 1 pinned\n\npinned\n");
	expect(listed).toContain(`  ${idIn(said)}  constraint, high, yours, just now\n    about my docs/a b.md\n`);
	for (const line of text.split("\n")) expect(listed).toContain(`    ${line}`);
	expect([...first.requests, ...host.requests]).toEqual([]);
	expect([...first.path("custom_message"), ...host.path("custom_message")]).toEqual([]);
	expect([...first.errors, ...host.errors]).toEqual([]);
});

test("what the model proposes waits for the user, who makes it his own or drops it", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const proposed = await callMemory(host, "propose", {
		content: "The build needs Node 24.",
		kind: "constraint",
	});
	const id = idIn(proposed.text);
	expect(proposed).toEqual({
		text: `${id}: proposed, provisional until the user confirms it`,
		failed: false,
		details: { source: "memory-log", recordId: id, status: "provisional" },
	});
	expect(await type(host, "/memories status:provisional")).toContain(
		`1 record: 1 provisional\n\nprovisional: /remember confirm:ID makes one yours, /forget ID drops it\n  ${id}  constraint, by the model, just now\n    The build needs Node 24.`,
	);
	expect(await type(host, `/remember confirm:${id}`)).toBe(
		`Palimpsest: yours now: ${id} (active, constraint)`,
	);
	expect(await type(host, `/remember confirm:${id}`)).toContain(`nothing to do: ${id}`);
	expect(await type(host, "/memories status:provisional")).toContain("nothing like that is remembered here");
	const refused = await callMemory(host, "update", { recordId: id, action: "resolve" });
	expect(refused).toMatchObject({ failed: true, details: { rejected: true } });
	await host.quit();
	const next = await sandbox.create(WITH_MEMORY);
	expect(await type(next, "/memories")).toContain(`active\n  ${id}  constraint, yours,`);
});

test("what is forgotten leaves the lists and can be brought back; a word beside an id changes nothing", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(host, "/remember pin the port is 8080"));
	expect(await type(host, `/forget ${id} please`)).toContain("please is no record's id");
	expect(await type(host, "/memories")).toContain(`pinned\n  ${id}`);
	expect(await type(host, `/forget ${id}`)).toBe(
		`Palimpsest: ${id} is forgotten; /forget undo:${id} brings it back`,
	);
	expect(await type(host, "/memories")).toBe(
		"Palimpsest: nothing is remembered here now; /memories status:resolved lists what was forgotten",
	);
	expect(await type(host, "/memories status:resolved")).toContain(
		`resolved: /forget undo:ID brings one back\n  ${id}`,
	);
	await host.quit();
	const next = await sandbox.create(WITH_MEMORY);
	expect(await type(next, `/forget undo:${id}`)).toBe(`Palimpsest: ${id} is back: pinned`);
	expect(await type(next, "/memories")).toContain(`pinned\n  ${id}`);
	expect(await type(next, `/remember unpin:${id}`)).toBe(`Palimpsest: unpinned: ${id} (active, fact)`);
	expect(await type(next, "/forget mem_0000")).toContain("MEMORY_NOT_FOUND");
});

test("a record of one session is not there for another, by no command and no tool", async () => {
	await using sandbox = new Sandbox();
	const first = await sandbox.create(WITH_MEMORY);
	await first.ask("hello");
	const id = idIn(await type(first, "/remember scope:session the branch is called heron"));
	expect(id).not.toBe("");
	expect(await type(first, "/memories")).toContain(`${id}  fact, yours, this session, just now`);
	expect((await callMemory(first, "read", { recordId: id })).failed).toBe(false);
	await first.quit();
	const other = await sandbox.create(WITH_MEMORY);
	await other.ask("hello");
	expect(await type(other, "/memories")).toBe("Palimpsest: nothing is remembered here yet");
	expect(await type(other, "/memories heron")).toContain("nothing like that");
	for (const command of [
		`/memories ${id}`,
		`/forget ${id}`,
		`/remember confirm:${id}`,
		`/forget shred:${id} yes`,
	])
		expect(await type(other, command)).toContain("MEMORY_NOT_FOUND");
	expect(await callMemory(other, "read", { recordId: id })).toMatchObject({
		failed: true,
		details: { count: 0 },
	});
	expect((await callMemory(other, "search", { query: "heron" })).text).toBe("nothing was found");
	await other.quit();
	const again = await sandbox.open(first.file, WITH_MEMORY);
	expect(await type(again, "/memories")).toContain(id);
});

test("of two records of one id, which only a foreign store can bring, commands mean the one that is shown", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	await host.ask("hello");
	const id = idIn(await type(host, "/remember scope:session the branch is called heron"));
	const folder = folderMemory(sandbox.home, sandbox.dir, join(sandbox.dir, "palimpsest-keyring.json"));
	await folder.write(() => ({ write: remembering(id, "the port is 8080", "model") }));
	await folder.close();
	expect(await type(host, `/memories ${id}`)).toContain("the port is 8080");
	expect(await type(host, `/remember confirm:${id}`)).toBe(`Palimpsest: yours now: ${id} (active, fact)`);
	expect(await type(host, `/memories ${id}`)).toMatch(/active, fact, yours[\s\S]*the port is 8080/);
});

test("before anybody spoke a session can remember nothing of its own, and says so", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	expect(await type(host, "/remember scope:session the branch is called heron")).toContain(
		"it was not written: MEMORY_NO_LOG",
	);
});

test("switched off, tools are not offered, commands say so, and nothing is written", async () => {
	await using sandbox = new Sandbox();
	const config = join(sandbox.dir, "pi-compact.json");
	writeFileSync(config, JSON.stringify({ memory: { enabled: false } }));
	const host = await sandbox.create({ ...WITH_MEMORY, engine: (pi) => registerPalimpsest(pi) });
	const offered = () => host.session.getActiveToolNames().filter((name) => name.startsWith("pi_memory_"));
	expect(offered()).toEqual([]);
	const off = /^Palimpsest: memory is off here: "memory\.enabled" is false/;
	for (const command of ["/remember the port is 8080", "/memories", "/forget mem_1", "/memories trust all"])
		expect(await type(host, command)).toMatch(off);
	await host.ask("hello");
	expect(offered()).toEqual([]);
	expect(existsSync(join(sandbox.home, "workspaces"))).toBe(false);
	expect(existsSync(join(sandbox.dir, "palimpsest-keyring.json"))).toBe(false);
	writeFileSync(config, JSON.stringify({ memory: { enabled: true }, debug: false }));
	await host.ask("hello again");
	expect(offered()).toHaveLength(4);
	expect(await type(host, "/remember the port is 8080")).toContain("remembered: mem_");
});

test("beside an extension that remembers neither commands nor tools are made", async () => {
	await using sandbox = new Sandbox();
	const neighbour = (pi: Parameters<typeof registerPalimpsest>[0]) => {
		pi.registerCommand("pi-compact-recall", { description: "theirs", handler: async () => {} });
		pi.registerCommand("remember", {
			description: "theirs",
			handler: async (_args, ctx) => ctx.ui.notify("of the neighbour"),
		});
	};
	const host = await sandbox.create({
		...WITH_MEMORY,
		before: [neighbour],
		engine: (pi) => registerPalimpsest(pi),
	});
	await host.ask("hello");
	expect(await type(host, "/remember x")).toBe("of the neighbour");
	expect(host.session.getAllTools().filter(({ name }) => name.startsWith("pi_memory_"))).toEqual([]);
});

test("a text that would lose a value is asked about, and not written where that is not wanted", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(host, "/remember Never listen on a port but 8080."));
	host.answer = false;
	expect(await type(host, `/remember supersede:${id} Listen on any port.`)).toBe(
		"Palimpsest: nothing was written",
	);
	expect(host.questions).toHaveLength(1);
	expect(host.questions[0]).toContain("8080");
	expect(await type(host, "/memories")).toContain("Never listen on a port but 8080.");
	host.answer = true;
	const said = await type(host, `/remember supersede:${id} Listen on any port.`);
	expect(said).toContain("remembered: mem_");
	expect(await type(host, "/memories")).toContain("v2, just now\n    Listen on any port.");
	expect(await type(host, `/memories ${id}`)).toContain(`its place is ${idIn(said)}'s`);
	await host.quit();
	const printed: string[] = [];
	vi.spyOn(stderr, "write").mockImplementation((text) => void printed.push(String(text)) === undefined);
	const print = await sandbox.create({ ...WITH_MEMORY, prints: true });
	await print.session.prompt("/remember Use Node 24.1.0 only.");
	const other = idIn(printed.join(""));
	await print.session.prompt(`/remember supersede:${other} Use Node.`);
	expect(printed.join("")).toMatch(
		/nothing was written; the new text would lose:\n.*24\.1\.0[\s\S]*losing:ok/,
	);
	await print.session.prompt(`/remember supersede:${other} losing:ok Use Node.`);
	expect(printed.at(-1)).toContain("remembered: mem_");
});

test("what contradicts or repeats what stands is told, and the same again is nothing to do", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(host, "/remember Always use tabs for indentation."));
	expect(await type(host, "/remember Always use tabs for indentation.")).toContain(
		`nothing to do: ${id} (active, fact)\n  is remembered already`,
	);
	expect(await type(host, "/remember Never use tabs for indentation.")).toContain(`may contradict ${id}`);
});

test("the same text of another kind takes the record's place, and that is said", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const id = idIn(await type(host, "/remember the port is 8080"));
	const said = await type(host, "/remember kind:decision the port is 8080");
	expect(said).toContain(`takes the place of ${id}, which says the same`);
	const whole = await type(host, `/memories ${id}`);
	expect(whole.split("\n")[0]).toMatch(new RegExp(`^Palimpsest: ${id} {2}superseded`));
});

test("at most three contradictions are told one by one", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	for (const text of [
		"use yarn",
		"use yarn for installs",
		"always use yarn",
		"use yarn in CI",
		"prefer yarn",
	])
		await type(host, `/remember ${text}`);
	const said = await type(host, "/remember never use yarn");
	expect(said.match(/may contradict mem_/g)).toHaveLength(3);
	expect(said).toMatch(/\n {2}may contradict \d more\n?/);
});

test("a text over 8,000 characters is refused whole, and an empty one shows how it goes", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	expect(await type(host, `/remember ${"a sentence. ".repeat(700)}`)).toContain("MEMORY_TOO_LONG");
	expect(await callMemory(host, "propose", { content: "x".repeat(8_001) })).toMatchObject({
		failed: true,
		details: { rejected: true },
	});
	expect(await type(host, "/remember")).toContain("/remember takes");
	expect(await type(host, "/memories")).toContain("nothing is remembered here yet");
});

test("without a keyring that can be read nothing of the user's is written, and that is said as it is", async () => {
	await using sandbox = new Sandbox();
	const path = join(sandbox.dir, "palimpsest-keyring.json");
	writeFileSync(path, "no keyring");
	const host = await sandbox.create(WITH_MEMORY);
	const said = await type(host, "/remember the port is 8080");
	expect(said).toMatch(/^Palimpsest: it was not written: KEYRING_DAMAGED: /);
	expect(readFileSync(path, "utf8")).toBe("no keyring");
	expect(await type(host, "/memories")).not.toContain("8080");
	expect((await callMemory(host, "propose", { content: "the port is 8080" })).failed).toBe(false);
	const listed = await type(host, "/memories");
	expect(listed).toContain("1 provisional");
});

test("a text that is shredded is in no file of the store, and the sessions that hold it are named by their lines", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const secret = 'the "heron" lands at dawn, and nobody knows of the quokka beside it';
	const id = idIn((await callMemory(host, "propose", { content: secret })).text);
	await callMemory(host, "read", { recordId: id });
	host.answer = false;
	expect(await type(host, `/forget shred:${id}`)).toBe("Palimpsest: nothing was destroyed");
	const lines = readFileSync(host.file, "utf8").split("\n");
	const holding = lines.flatMap((line, at) => (line.includes("nobody knows of the quokka") ? [at + 1] : []));
	expect(holding).toHaveLength(2);
	const [question = ""] = host.questions;
	expect(question.replaceAll(/\s+/g, "")).toContain(`${host.file}:lines${holding.join(",")}`);
	expect(question).toContain(secret);
	host.answer = true;
	expect(await type(host, `/forget shred:${id}`)).toContain(
		`the text of ${id} is destroyed, and 4 texts of this session's log with it\nWhat stays:`,
	);
	expect(await type(host, `/memories ${id}`)).toContain("(its text was destroyed)");
	expect(await type(host, `/remember ${secret}`)).toContain("MEMORY_SHREDDED");
	await host.quit();
	const workspaces = join(sandbox.home, "workspaces");
	const files = readdirSync(workspaces, { recursive: true, withFileTypes: true }).filter((one) =>
		one.isFile(),
	);
	expect(files.length).toBeGreaterThan(2);
	for (const { parentPath, name } of files)
		expect(readFileSync(join(parentPath, name)).includes("quokka")).toBe(false);
});

test("at most 30 records are shown at once, and each page is another", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	for (let n = 0; n < 35; n++) await host.session.prompt(`/remember port number ${n} is ${n * 7919}`);
	const first = await type(host, "/memories kind:fact");
	expect(first).toContain("35 records: 35 active; page 1 of 2");
	expect(first).toContain("more: /memories kind:fact page:2");
	const second = await type(host, "/memories kind:fact page:2");
	const ids = (text: string) => [...text.matchAll(/mem_[0-9a-f]{16}/g)].map(([id]) => id);
	expect(ids(first)).toHaveLength(30);
	expect(new Set([...ids(first), ...ids(second)]).size).toBe(35);
	expect(await type(host, "/memories 7919")).toContain("best first");
});

test("options are taken before the text and never out of it", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	const text = "pin the version: kind:fact and status:active stay, as scope:session and unknown:key do";
	await type(host, `/remember kind:decision -- ${text}`);
	expect((await type(host, "/memories")).replaceAll(/\s+/g, " ")).toContain(text);
	expect(await type(host, "/remember the rule holds kind:constraint")).toMatch(
		/\(active, constraint\)\n {2}taken as kind:constraint; quote the text to keep it in$/,
	);
	expect(await type(host, '/remember "the rule ends in kind:constraint"')).toMatch(/\(active, fact\)/);
});

test("what is taken otherwise than it may have been meant is said, with what an option takes", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	expect(await type(host, "/remember pin the tail to the donkey")).toMatch(
		/\(pinned, fact\)\n {2}pinned: the tail to the donkey \(write "--" before a text that begins with pin\)$/,
	);
	expect(await type(host, "/remember kind:nonsense some text")).toContain(
		"kind:nonsense is kept in the text: kind: takes fact, preference,",
	);
	for (const typed of ["confirm:", "unpin:", "confirm: mem_1", "unpin:,"])
		expect(await type(host, `/remember ${typed}`)).toContain("/remember takes [pin]");
	expect(await type(host, "/memories status:bogus")).toContain(
		"status:bogus was looked for as a word: status: takes pinned, active",
	);
	expect(await type(host, "/memories page:x")).toContain("page: takes a number from 1");
	expect(await type(host, "/memories page:99")).toContain("there is no page 99: 2 records on 1 page");
	expect(await type(host, "/memories")).toContain("2 records");
});

test("a record that has no room in what the model is told is marked, and whoever remembers it is told", async () => {
	await using sandbox = new Sandbox();
	writeFileSync(join(sandbox.dir, "pi-compact.json"), JSON.stringify({ memory: { hintMaxChars: 500 } }));
	const host = await sandbox.create({ ...WITH_MEMORY, engine: (pi) => registerPalimpsest(pi) });
	const old = idIn(await type(host, `/remember ${"an old rule. ".repeat(10)}`));
	const high = await type(host, `/remember priority:high ${"a new rule. ".repeat(10)}`);
	expect(high).not.toContain("not told by itself");
	expect(await type(host, "/memories")).toMatch(new RegExp(`${old} .*not told by itself: no\\s+room`));
	expect(await type(host, `/remember ${"some low rule. ".repeat(20)}`)).toContain(
		"not told by itself: 1 record fills the room; pin it, give it priority:high, or a file:",
	);
	expect((await type(host, "/pi-compact-status")).replaceAll(/\s+/g, " ")).toContain(
		"3 active; 2 with no room in what the model is told",
	);
});
