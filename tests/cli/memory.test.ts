import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MemoryWrite } from "../../src/engine/memory/memory-log.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { workspaceDirectory } from "../../src/store/identity.ts";
import { openStore } from "../../src/store/open-store.ts";
import { folderMemory, newRecord, remembering, said } from "../memory/memories.ts";
import { type EndedInside, inside } from "./inside.ts";

let root: string;
let home: string;
let agent: string;
let folder: string;

beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-cli-memory-")));
	[home, agent, folder] = [join(root, "home"), join(root, "agent"), join(root, "project")];
	for (const directory of [agent, folder]) mkdirSync(directory);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs `memory` in the folder, with the keys of an agent folder. */
async function run(args: readonly string[], { to = home, as = agent } = {}): Promise<EndedInside> {
	vi.stubEnv("PI_CODING_AGENT_DIR", as);
	const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
	try {
		return await inside(to, "memory", ...args);
	} finally {
		cwd.mockRestore();
	}
}
const json = async (args: readonly string[], where = {}) =>
	JSON.parse((await run([...args, "--json"], where)).text);
/** What `verify` says of the folder's memory. */
async function verified(to: string): Promise<unknown> {
	vi.stubEnv("PI_CODING_AGENT_DIR", agent);
	return JSON.parse((await inside(to, "verify", workspaceDirectory(to, folder), "--json")).text);
}
const statuses = ({ records }: { records: { id: string; status: string; proof: string }[] }) =>
	Object.fromEntries(records.map(({ id, status, proof }) => [id, `${status} ${proof}`]));

/** Writes to the folder's memory as Pi's commands do. */
async function remember(...writes: readonly MemoryWrite[]): Promise<void> {
	const memory = folderMemory(home, folder, join(agent, "palimpsest-keyring.json"));
	for (const write of writes) await memory.write(() => ({ write }));
	await memory.close();
}

const pin = (id: string): MemoryWrite => ({
	events: [said({ type: "memory/pinned", data: { id } }, "user", 4)],
	bodies: [],
});
const usual = () =>
	remember(
		remembering("mem_a", "use tabs\nand never blanks", "user", Date.parse("2026-01-01T10:00Z")),
		remembering("mem_b", "release on Tuesdays", "user", Date.parse("2026-01-02T10:00Z")),
		pin("mem_b"),
	);
const DIRECTORY = () => workspaceDirectory(home, folder);

describe("memory list and at", () => {
	test("show the records of the folder with their proof and text, by words, status and kind", async () => {
		await usual();
		const { text, stderr, code } = await run(["list"]);
		expect([code, stderr]).toEqual([0, ""]);
		expect(text).toBe(
			[
				"mem_b  pinned  fact  user, verified",
				"    release on Tuesdays",
				"    2026-01-02T10:00:00Z, changed 1970-01-01T00:00:00Z",
				"",
				"mem_a  active  fact  user, verified",
				"    use tabs",
				"    and never blanks",
				"    2026-01-01T10:00:00Z",
				"",
				"",
			].join("\n"),
		);
		expect((await run(["list", "TABS"])).text).toMatch(/^mem_a[^m]*$/);
		expect((await run(["list", "and never"])).text).toMatch(/^mem_a[^m]*$/);
		expect((await run(["list", "mem_b"])).text).toMatch(/^mem_b[^m]*$/);
		expect(await json(["list", "--status", "resolved"])).toMatchObject({ records: [] });
		expect(await json(["list", "--kind", "fact"])).toMatchObject({
			cwd: folder,
			suspects: [],
			records: [{ text: "release on Tuesdays" }, {}],
		});
		expect(statuses(await json(["at", "0"]))).toEqual({ mem_a: "active verified" });
		expect(statuses(await json(["at", "2026-01-02"]))).toEqual({
			mem_a: "active verified",
			mem_b: "pinned verified",
		});
		expect(await run(["at", "last week"])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_USAGE"),
		});
	});

	test("count what claims to be the user's and is not proved, and list it when asked", async () => {
		await usual();
		const stranger = { as: join(root, "stranger") };
		const { text, stderr } = await run(["list"], stranger);
		expect(text).toContain("mem_a  provisional  fact  user, unverified");
		expect(stderr).toContain("3 events claim to be yours and are not proved to be");
		expect((await run(["list", "--suspects"], stranger)).text).toContain("memory/pinned  mem_b  unverified");
	});

	test("read a memory that is open elsewhere, and find a folder by a link to it", async () => {
		await usual();
		symlinkSync(folder, join(root, "link"));
		const store = await openStore({ directory: DIRECTORY(), registry: REGISTRY });
		try {
			const { text, stderr, code } = await run(["list", "--cwd", join(root, "link")]);
			expect([code, text.match(/^mem_./gm)]).toEqual([0, ["mem_b", "mem_a"]]);
			expect(stderr).toContain("read from a copy");
		} finally {
			await store.close();
		}
	});

	test("show what a session remembers for itself only when it is named", async () => {
		await usual();
		const directory = join(home, "sessions", "s-1");
		const store = await openStore({ directory, registry: REGISTRY });
		const { events, bodies } = remembering("mem_s", "only in this session", "model", 3);
		const own = events.map(({ event, ...more }) => ({
			...more,
			event: {
				...event,
				data: { ...newRecord("mem_s", "only in this session"), scope: "session", session: "s-1" },
			},
		}));
		await store.append("session/s-1", own, 0, { blobs: bodies });
		await store.close();
		expect((await run(["list"])).text).not.toContain("mem_s");
		const { records } = await json(["list", "--session", "s-1", "--status", "provisional"]);
		expect(records).toMatchObject([{ id: "mem_s", text: "only in this session" }]);
	});

	test("say of a folder without a memory that nothing is remembered, and make none", async () => {
		expect(await run(["list"])).toMatchObject({
			code: 0,
			text: "",
			stderr: expect.stringContaining("nothing is remembered"),
		});
		expect(await run(["export"])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_NO_MEMORY"),
		});
		expect(existsSync(home)).toBe(false);
	});
});

describe("memory export and import", () => {
	test("carry a memory to another home with its authority, and the same file twice adds nothing", async () => {
		await usual();
		const file = join(root, "memory.jsonl");
		expect(await run(["export", "--out", file])).toMatchObject({
			code: 0,
			stderr: expect.stringContaining("3 events and 2 texts"),
		});
		expect((await run(["export"])).text).toBe(readFileSync(file, "utf8"));
		const other = { to: join(root, "other") };
		expect((await run(["import", file, "--dry-run"], other)).text).toContain(
			"would be taken in: 3 events proved",
		);
		expect(existsSync(other.to)).toBe(false);
		expect((await run(["import", file], other)).text).toContain("taken in: 3 events proved to be yours");
		expect(statuses(await json(["list"], other))).toEqual({
			mem_a: "active verified",
			mem_b: "pinned verified",
		});
		expect(await json(["import", file], other)).toMatchObject({ events: [], known: 3, refused: [] });
		expect(await verified(other.to)).toMatchObject({ sound: true, checked: { events: 3, blobs: 2 } });
		expect(await verified(other.to)).not.toHaveProperty("unproved");
		const stranger = { to: join(root, "third"), as: join(root, "stranger") };
		expect((await run(["import", file], stranger)).text).toContain("3 events to be confirmed");
		expect(statuses(await json(["list"], stranger))).toEqual({
			mem_a: "provisional unverified",
			mem_b: "provisional unverified",
		});
	});

	test("refuse an export without its end, its header or its own lines, unless what is there is asked for", async () => {
		await usual();
		const file = join(root, "memory.jsonl");
		await run(["export", "--out", file]);
		const [header = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
		const other = { to: join(root, "other") };
		const imported = (texts: readonly string[], ...more: string[]) => {
			writeFileSync(file, texts.map((text) => `${text}\r\n`).join(""));
			return run(["import", file, "--dry-run", ...more], other);
		};
		const refused = async (texts: readonly string[], why: string) => {
			const { code, stderr } = await imported(texts);
			expect(code).toBe(1);
			expect(stderr).toContain("CLI_MEMORY_NOT_WHOLE");
			expect(stderr).toContain(why);
			expect((await imported(texts, "--partial")).code).toBe(0);
		};
		await refused(
			[header, ...lines.slice(0, -1)],
			`tells of ${lines.length} events, ${lines.length - 1} are there`,
		);
		await refused(lines, "its header is missing");
		await refused([header, ...lines.slice(0, -1), lines[0] ?? ""], "its lines are not those");
		await refused([header.replace(/,"digest":"[^"]*"/, ""), ...lines], "no digest");
		expect((await imported([header, ...lines])).code).toBe(0);
	});

	test("tell lines that are broken by their numbers, with 1", async () => {
		await usual();
		const file = join(root, "memory.jsonl");
		await run(["export", "--out", file]);
		writeFileSync(file, readFileSync(file, "utf8").replace('"position":1,', '"position":1;'));
		const other = { to: join(root, "other") };
		expect(await run(["import", file], other)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/CLI_MEMORY_NOT_WHOLE: .*1 line of it cannot be read/),
		});
		const { text, code } = await run(["import", file, "--partial"], other);
		expect(code).toBe(1);
		expect(text).toContain("  line 3: it is no JSON");
		expect(await run(["import", join(folder, "nothing")])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_NO_SUCH_FILE"),
		});
		expect(await run(["import", folder])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining(`${folder} is a folder`),
		});
		writeFileSync(file, "{}\nnothing\n");
		expect(await run(["import", file])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_NOT_A_MEMORY"),
		});
	});
});

describe("memory move", () => {
	const renamed = () => {
		const to = join(root, "renamed");
		renameSync(folder, to);
		mkdirSync(folder);
		return to;
	};

	test("gives the memory of a renamed folder to its new name, where it keeps its authority", async () => {
		await usual();
		const to = renamed();
		const from = DIRECTORY();
		expect(await run(["move", folder, to])).toMatchObject({ code: 0 });
		expect(existsSync(from)).toBe(false);
		expect(statuses(await json(["list", "--cwd", to]))).toEqual({
			mem_a: "active verified",
			mem_b: "pinned verified",
		});
		expect(await json(["list"])).toMatchObject({ records: [] });
		expect(await run(["move", to, folder])).toMatchObject({ code: 0 });
		expect(statuses(await json(["list"]))).toEqual({ mem_a: "active verified", mem_b: "pinned verified" });
	});

	test("is what authority in another place takes: a store that was only put there has none", async () => {
		await usual();
		const to = renamed();
		renameSync(DIRECTORY(), workspaceDirectory(home, to));
		expect(statuses(await json(["list", "--cwd", to]))).toEqual({
			mem_a: "provisional unverified",
			mem_b: "provisional unverified",
		});
		expect(await run(["move", folder, to], { as: join(root, "stranger") })).toMatchObject({ code: 0 });
		expect(statuses(await json(["list", "--cwd", to]))).toEqual({
			mem_a: "provisional unverified",
			mem_b: "provisional unverified",
		});
		expect(await run(["move", folder, to])).toMatchObject({ code: 0 });
		expect(statuses(await json(["list", "--cwd", to]))).toEqual({
			mem_a: "active verified",
			mem_b: "pinned verified",
		});
	});

	test("is refused where nothing is remembered, where something is, and while the store is open elsewhere", async () => {
		const to = join(root, "renamed");
		mkdirSync(to);
		expect(await run(["move", folder, to])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_NO_MEMORY"),
		});
		await usual();
		expect(await run(["move", folder, join(root, "nowhere")])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("CLI_USAGE"),
		});
		const store = await openStore({ directory: DIRECTORY(), registry: REGISTRY });
		const locked = await run(["move", folder, to]);
		await store.close();
		expect(locked).toMatchObject({ code: 1, stderr: expect.stringContaining("STORE_LOCKED") });
		const there = folderMemory(home, to, join(agent, "palimpsest-keyring.json"));
		await there.write(() => ({ write: remembering("mem_z", "already here") }));
		await there.close();
		const taken = await run(["move", folder, to]);
		expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining("CLI_MEMORY_TAKEN") });
		expect(taken.stderr).toContain("palimpsest memory import");
		expect(statuses(await json(["list"]))).toEqual({ mem_a: "active verified", mem_b: "pinned verified" });
	});
});

test("memory rotate-key adds a key, and what older ones signed stays proved", async () => {
	await usual();
	const { key, keys } = await json(["rotate-key"]);
	expect(key).toMatch(/^[0-9a-f]{16}$/);
	expect(keys).toBe(2);
	await remember(remembering("mem_c", "said with the new key", "user", 5));
	expect(statuses(await json(["list"]))).toEqual({
		mem_a: "active verified",
		mem_b: "pinned verified",
		mem_c: "active verified",
	});
	writeFileSync(join(agent, "palimpsest-keyring.json"), "{}");
	expect(await run(["rotate-key"])).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("KEYRING_DAMAGED"),
	});
});
