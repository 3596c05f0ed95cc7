import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../page/served.ts";
import { inside } from "./inside.ts";
import { TIGHT, writeRecording } from "./recording.ts";
import { ended, palimpsest, start } from "./run.ts";

let home: string;
let temporary: string;

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
	temporary = mkdtempSync(join(tmpdir(), "palimpsest-cli-tmp-"));
	await inside(home, "replay", writeRecording(home).path, ...TIGHT, "--quiet");
});
afterAll(() => {
	for (const folder of [home, temporary]) rmSync(folder, { recursive: true, force: true });
});

/** Starts the command and waits for the address it prints. */
async function served(...args: string[]) {
	const child = start(["debug", "rec-1", ...args], { home, env: { TMPDIR: temporary } });
	const end = ended(child);
	const [first] = (await once(child.stdout as NonNullable<typeof child.stdout>, "data")) as [Buffer];
	const url = /http:[^"\s]+/.exec(String(first))?.[0] ?? expect.fail(String(first));
	const { port, hash } = new URL(url);
	return { child, end, url, page: { port: Number(port), token: hash.slice("#token=".length) } };
}

test("debug prints one line, the address, and serves until it is ended, leaving nothing behind", async () => {
	const { child, end, url, page } = await served("--no-open");
	expect((await ask(page, "/api/session")).json).toMatchObject({ session: "rec-1", write: false });
	expect(readdirSync(temporary)).not.toEqual([]);
	const { head } = (await ask(page, "/api/session")).json as { head: { version: number } };
	// somebody waits for it to grow while it ends
	const waiting = ask(page, `/api/grown?since=${head.version}`).catch(() => "gone");
	child.kill("SIGINT");
	expect(await end).toMatchObject({ code: 0, text: `${url}\n`, stderr: "" });
	expect(await waiting).toBe("gone");
	expect(readdirSync(temporary)).toEqual([]);
});

test("debug opens no browser where its output is no terminal, and --json says the same in an object", async () => {
	const { child, end, url, page } = await served("--json", "--write");
	expect((await ask(page, "/api/session")).json).toMatchObject({ write: true });
	child.kill("SIGTERM");
	expect(await end).toMatchObject({ code: 0, text: `${JSON.stringify({ url })}\n`, stderr: "" });
});

test("debug listens at the port asked for, and says so where it cannot", async () => {
	const { child, end, page } = await served("--no-open");
	const taken = await palimpsest(["debug", "rec-1", "--port", String(page.port)], {
		home,
		env: { TMPDIR: temporary },
	});
	expect(taken).toMatchObject({ code: 2, text: "", stderr: expect.stringMatching(/^PAGE_PORT: /) });
	child.kill("SIGTERM");
	await end;
	expect(readdirSync(temporary)).toEqual([]);
	const again = await served("--port", String(page.port), "--no-open");
	expect(again.page.port).toBe(page.port);
	again.child.kill("SIGTERM");
	await again.end;
});

test("debug of what is no store, or a port that is none, is a misuse", async () => {
	expect(await inside(home, "debug", "nowhere")).toMatchObject({
		code: 2,
		stderr: expect.stringMatching(/^CLI_NO_STORE: /),
	});
	for (const port of ["0", "65536", "x"])
		expect(await inside(home, "debug", "rec-1", "--port", port)).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(/^CLI_USAGE: /),
		});
});
