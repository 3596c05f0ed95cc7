import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openStore } from "../../src/store/open-store.ts";
import { takeApart } from "../store/bundles.ts";
import { changeStored, eventKeyAt, flipped } from "../store/change-stored.ts";
import { inside } from "./inside.ts";
import { type Recording, TIGHT, writeRecording } from "./recording.ts";
import { ended, palimpsest, start } from "./run.ts";

let home: string;
let recording: Recording;
let store: string;
let bundle: string;
let redacted: string;
const run = (...args: string[]) => inside(home, ...args);
const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).text);

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-bundle-cli-"));
	recording = writeRecording(home);
	store = (await json("replay", recording.path, ...TIGHT)).store;
	[bundle, redacted] = [join(home, "whole.bundle"), join(home, "redacted.bundle")];
	await run("bundle", store, "--out", bundle);
	await run("bundle", store, "--out", redacted, "--redact");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A copy of the store under another name. */
function copied(name: string): string {
	cpSync(store, join(home, name), { recursive: true });
	return join(home, name);
}

/** A file of the bundle's bytes, changed. */
function changed(name: string, change: (bytes: Buffer) => Buffer): string {
	const file = join(home, name);
	writeFileSync(file, change(readFileSync(bundle)));
	return file;
}

describe("bundle", () => {
	test("tells what it wrote, and writes the same bytes for the same store", async () => {
		const again = join(home, "again.bundle");
		const told = await json("bundle", store, "--out", again);
		const [head] = (await json("verify", store)).streams;
		expect(told).toMatchObject({
			store,
			file: again,
			streams: [head],
			redact: false,
			shredded: 0,
			damage: [],
		});
		expect(readFileSync(again)).toEqual(readFileSync(bundle));
		const ofBundle = join(home, "of-a-bundle.bundle");
		await run("bundle", bundle, "--out", ofBundle, "--redact");
		expect(readFileSync(ofBundle)).toEqual(readFileSync(redacted));
	});

	test("leaves alone what stands there, unless it is told otherwise", async () => {
		const file = join(home, "mine.txt");
		writeFileSync(file, "mine");
		const { code, stderr } = await run("bundle", store, "--out", file);
		expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^BUNDLE_EXISTS: /) });
		expect(readFileSync(file, "utf8")).toBe("mine");
		expect((await run("bundle", store, "--out", file, "--force")).code).toBe(0);
		expect(readFileSync(file)).toEqual(readFileSync(bundle));
	});

	test("with --force takes the place of a file, and of nothing else", async () => {
		const [folder, socket] = [join(home, "a-folder"), join(home, "a-socket")];
		mkdirSync(folder);
		await using server = createServer();
		await once(server.listen(socket), "listening");
		for (const out of [folder, socket]) {
			const { code, stderr } = await run("bundle", store, "--out", out, "--force");
			expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^BUNDLE_EXISTS: /) });
		}
		expect(statSync(socket).isSocket()).toBe(true);
	});

	test("makes no other of a redacted bundle, and says why", async () => {
		const { code, stderr } = await run("bundle", redacted, "--out", join(home, "twice.bundle"), "--redact");
		expect({ code, stderr }).toEqual({
			code: 2,
			stderr: expect.stringMatching(/^CLI_USAGE: .*copy the file/),
		});
	});

	test("redacted has no word of what was said, called or given out", () => {
		const bytes = readFileSync(redacted).toString("latin1");
		for (const word of ["helper", "src/part-", "export const", "Now look"])
			expect({ word, at: bytes.indexOf(word) }).toEqual({ word, at: -1 });
		expect(bytes).toContain("/home/dev/project");
	});

	test("leaves nothing where the file cannot be written", async () => {
		const { code, stderr } = await run("bundle", store, "--out", join(home, "nowhere", "a.bundle"));
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^CLI_SYSTEM: ENOENT/) });
		expect((await run("bundle", store)).stderr).toMatch(/^CLI_USAGE: .*--out/);
		expect((await run("bundle", store, "--out", "")).stderr).toMatch(/^CLI_USAGE: /);
	});

	test("refuses a damaged store, and takes what still verifies of it where that is asked for", async () => {
		const damaged = copied("damaged");
		await changeStored(damaged, eventKeyAt(40), flipped(-1));
		const out = join(home, "partial.bundle");
		const refused = await run("bundle", damaged, "--out", out);
		expect(refused.code).toBe(1);
		expect(refused.stderr).toMatch(/^STORE_DAMAGED: .*--partial/m);
		const taken = await run("bundle", damaged, "--out", out, "--partial");
		expect(taken.code).toBe(1);
		expect(taken.text).toMatch(/^left out: event 40 /m);
		const verified = await run("verify", out);
		expect(verified.code).toBe(0);
		expect(verified.text).toMatch(/^partial: made of what still verified/m);
		expect(verified.text).toMatch(/: (39|40) events, head /);
	});

	test("tells of content that was shredded, which is in no bundle", async () => {
		const shredded = copied("shredded");
		const { entries } = await shred(shredded, "e2");
		const out = join(home, "shredded.bundle");
		expect((await run("bundle", shredded, "--out", out)).text).toMatch(
			/^1 content shredded on purpose, and so not in it$/m,
		);
		const { code, text } = await run("verify", out);
		expect(code).toBe(0);
		expect(text).toMatch(new RegExp(`^shredded: the content ${entries} of session/rec-1, on purpose`, "m"));
		expect(text).toMatch(/^sound$/m);
		expect((await run("show", "e2", out)).stderr).toMatch(/^CLI_CONTENT_GONE: /m);
	});
});

describe("verify of a bundle", () => {
	test("replays its events to the same head where there is no home, no key and no host, and leaves nothing behind", () => {
		const empty = join(home, "empty");
		for (const name of ["home", "tmp", "cwd"]) mkdirSync(join(empty, name), { recursive: true });
		const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
		const env = { PATH: process.env.PATH, HOME: join(empty, "home"), TMPDIR: join(empty, "tmp") };
		for (const file of [bundle, redacted]) {
			const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "verify", file], {
				env,
				cwd: join(empty, "cwd"),
				encoding: "utf8",
			});
			expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
			const events = takeApart(readFileSync(file)).records.filter(({ kind }) => kind === "e").length;
			expect(stdout).toContain(`appended anew: ${events} events, to the same head\n`);
			expect(stdout).toMatch(
				new RegExp(`^replayed ${events} events: \\d+ entries, 60 requests, \\d+ decisions, `, "m"),
			);
			expect(stdout).toMatch(/^sound$/m);
			expect(stdout.includes("redacted: ")).toBe(file === redacted);
		}
		for (const name of ["home", "tmp", "cwd"]) expect(readdirSync(join(empty, name))).toEqual([]);
	});

	test("names the head that verify names of the store", async () => {
		const ofStore = await json("verify", store);
		const ofBundle = await json("verify", bundle);
		expect(ofBundle).toMatchObject({ sound: true, redacted: false, partial: false, damage: [] });
		expect(ofBundle.streams).toEqual(ofStore.streams.map((one: object) => expect.objectContaining(one)));
		expect(ofBundle.digest).toMatch(/^[0-9a-f]{64}$/);
		expect(ofBundle.checked).toMatchObject({
			events: ofStore.checked.events,
			contents: ofStore.checked.blobs,
		});
	});

	test("ends with 1 and names the event that was changed; reading commands refuse the bundle", async () => {
		const events = takeApart(readFileSync(bundle)).records.filter(({ kind }) => kind === "e");
		const at = (events[17]?.start ?? 0) + 60;
		const spoilt = changed("spoilt.bundle", (bytes) => {
			bytes[at] = (bytes[at] ?? 0) ^ 1;
			return bytes;
		});
		const { code, text } = await run("verify", spoilt);
		expect(code).toBe(1);
		expect(text).toMatch(/^DAMAGED event of session\/rec-1 at 17: event 17 of session\/rec-1 was changed$/m);
		expect(text).toMatch(/^BUNDLE_DAMAGED: 1 fault$/m);
		const read = await run("log", spoilt);
		expect({ code: read.code, stderr: read.stderr }).toEqual({
			code: 1,
			stderr: expect.stringMatching(/^BUNDLE_DAMAGED: .*event 17 of session\/rec-1 was changed/),
		});
	});

	test("tells what is no bundle, is cut off, or is of a newer release by a code", async () => {
		const cut = changed("cut.bundle", (bytes) => bytes.subarray(0, bytes.length - 1000));
		expect(await run("verify", cut)).toMatchObject({
			code: 1,
			text: expect.stringMatching(/^BUNDLE_TRUNCATED: 1 fault$/m),
		});
		expect((await run("log", cut)).stderr).toMatch(/^BUNDLE_TRUNCATED: /);
		const newer = changed("newer.bundle", (bytes) =>
			Buffer.from(bytes.toString("latin1").replace("bundle 1", "bundle 2"), "latin1"),
		);
		for (const command of ["verify", "log"])
			expect(await run(command, newer)).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(/^BUNDLE_NEWER: /),
			});
		const empty = changed("empty.bundle", () => Buffer.alloc(0));
		expect(await run("verify", empty)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^SESSION_EMPTY: /),
		});
		const other = changed("other.bundle", () => Buffer.from("GIF89a and so on\n"));
		expect(await run("verify", other)).toMatchObject({
			code: 1,
			stderr: expect.stringMatching(/^SESSION_NOT_A_SESSION: /),
		});
	});
});

describe("a bundle is read like a store", () => {
	test.each([
		["log"],
		["log", "--type", "commit", "--raw"],
		["show", "e2"],
		["window", "--at", "40"],
		["window", "--at", "40", "--json"],
	])("%s %s %s %s", async (command = "", ...rest) => {
		const [id, options] = command === "show" ? [rest.slice(0, 1), []] : [[], rest];
		const [ofStore, ofBundle] = [
			await run(command, ...id, store, ...options),
			await run(command, ...id, bundle, ...options),
		];
		expect(ofBundle).toEqual(ofStore);
		expect(ofBundle.code).toBe(0);
		expect(ofBundle.text.length).toBeGreaterThan(100);
	});

	test("without its contents where it is redacted, which is said", async () => {
		const [whole, bare] = [await run("log", store), await run("log", redacted)];
		expect(bare.text).toBe(whole.text);
		expect(bare.stderr).toMatch(/redacted\.bundle is redacted: \d+ contents left out/);
		for (const args of [
			["show", "e2", redacted],
			["window", "--at", "40", redacted],
		]) {
			const { code, stderr, text } = await run(...args);
			expect({ args, code, text, stderr }).toEqual({
				args,
				code: 1,
				text: "",
				stderr: expect.stringMatching(/^CLI_CONTENT_GONE: /m),
			});
		}
		expect((await run("window", "--at", "40", "--json", redacted)).code).toBe(0);
	});

	test("and never written to", async () => {
		const before = readFileSync(bundle);
		for (const args of [
			["undo", "c1-e1", bundle, "--yes"],
			["redo", bundle, "--yes"],
			["repair", bundle, "--yes"],
		])
			expect(await run(...args)).toMatchObject({
				code: 1,
				stderr: expect.stringMatching(/^STORE_READ_ONLY: /),
			});
		expect(readFileSync(bundle)).toEqual(before);
	});

	test("by the page too, which changes nothing in it", async () => {
		const temporary = join(home, "of-the-page");
		mkdirSync(temporary);
		const page = start(["debug", bundle, "--no-open", "--write", "--json"], {
			home,
			env: { TMPDIR: temporary },
		});
		const over = ended(page);
		const [line] = await once(page.stdout as NonNullable<typeof page.stdout>, "data");
		const url = new URL(JSON.parse(String(line)).url);
		const headers = {
			authorization: `Bearer ${url.hash.slice("#token=".length)}`,
			"content-type": "application/json",
		};
		const session = await (await fetch(new URL("/api/session", url), { headers })).json();
		expect(session).toMatchObject({
			requests: 60,
			live: false,
			head: { hash: (await json("verify", store)).streams[0].hash },
		});
		const body = JSON.stringify({ decision: "c1-e1", price: 0 });
		const undone = await fetch(new URL("/api/undo", url), { method: "POST", headers, body });
		expect(await undone.json()).toMatchObject({ error: { code: "PAGE_READ_ONLY" } });
		page.kill("SIGTERM");
		expect((await over).code).toBe(0);
		expect(readdirSync(temporary)).toEqual([]);
	});

	test("what it is unpacked to goes when the command ends", async () => {
		const temporary = join(home, "temporary");
		mkdirSync(temporary);
		const { code } = await palimpsest(["stats", bundle], { home, env: { TMPDIR: temporary } });
		expect({ code, left: readdirSync(temporary) }).toEqual({ code: 0, left: [] });
	});

	test("what it is unpacked to goes where the reader closes the pipe, or a signal ends the command", async () => {
		const temporary = join(home, "cut-short");
		mkdirSync(temporary);
		for (const signal of [undefined, "SIGINT", "SIGTERM"] as const) {
			const child = start(["log", bundle, "--raw"], { home, env: { TMPDIR: temporary } });
			const exit = once(child, "exit");
			// now it is at work
			await expect.poll(() => readdirSync(temporary), { interval: 5, timeout: 20_000 }).toHaveLength(1);
			if (signal) child.kill(signal);
			else child.stdout?.destroy();
			await exit;
			expect({ signal, left: readdirSync(temporary) }).toEqual({ signal, left: [] });
		}
	});

	test("a page of a bundle ends by a signal as it does by itself", async () => {
		const temporary = join(home, "page");
		mkdirSync(temporary);
		const child = start(["debug", bundle, "--no-open"], { home, env: { TMPDIR: temporary } });
		if (child.stdout) await once(child.stdout, "data");
		child.kill("SIGINT");
		expect({ code: (await once(child, "exit"))[0], left: readdirSync(temporary) }).toEqual({
			code: 0,
			left: [],
		});
	});
});

test("a store that another process writes to is read, and bundled, from a copy", async () => {
	const live = copied("live");
	const writer: ChildProcess = fork(fileURLToPath(new URL("./live-writer.ts", import.meta.url)), [live], {
		stdio: "ignore",
	});
	try {
		await once(writer, "message");
		const { version } = (await json("verify", store)).streams[0];
		const log = await run("log", live, "--from", String(version), "--limit", "1");
		expect(log.stderr).toContain("is open elsewhere: read from a copy");
		expect(log.text).toContain("engine/suspended");
		expect((await run("window", "--at", "40", live)).text).toBe(
			(await run("window", "--at", "40", store)).text,
		);
		const out = join(home, "live.bundle");
		expect((await run("bundle", live, "--out", out)).code).toBe(0);
		const verified = await json("verify", out);
		expect(verified).toMatchObject({ sound: true });
		expect(verified.streams[0].version).toBeGreaterThan(version);
		expect((await run("undo", "c1-e1", live, "--yes")).stderr).toMatch(/^STORE_LOCKED: /);
	} finally {
		writer.kill("SIGKILL");
		await once(writer, "exit");
	}
});

/** Destroys the content of an entry, as the host's session does when it is asked to. */
async function shred(directory: string, entry: string): Promise<{ entries: string }> {
	await using opened = await openStore({ directory, registry: REGISTRY });
	const [stream = ""] = opened.streams();
	let digest = "";
	for await (const { type, data } of opened.read(stream)) {
		const { id, digest: found } = data as { id?: string; digest?: string };
		if (type === "entry/recorded" && id === entry) digest = found ?? "";
	}
	const event = { type: "payload/shredded", data: { contents: [digest], records: [] } };
	const { version } = opened.head(stream);
	await opened.append(stream, [{ event, at: Date.UTC(2026, 0, 6), actor: "user" }], version, {
		shred: [digest],
	});
	return { entries: digest };
}
