import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WindowView } from "../../src/debug/window-view.ts";
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
	const child = start(["debug", ...args], { home, env: { TMPDIR: temporary } });
	const end = ended(child);
	const [first] = (await once(child.stdout as NonNullable<typeof child.stdout>, "data")) as [Buffer];
	const url = /http:[^"\s]+/.exec(String(first))?.[0] ?? expect.fail(String(first));
	const { port, hash } = new URL(url);
	return { child, end, url, page: { port: Number(port), token: hash.slice("#token=".length) } };
}

test("debug prints one line, the address, and serves until it is ended, leaving nothing behind", async () => {
	const { child, end, url, page } = await served("rec-1", "--no-open");
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
	const { child, end, url, page } = await served("rec-1", "--json", "--write");
	expect((await ask(page, "/api/session")).json).toMatchObject({ write: true });
	child.kill("SIGTERM");
	expect(await end).toMatchObject({ code: 0, text: `${JSON.stringify({ url })}\n`, stderr: "" });
});

test("debug listens at the port asked for, and says so where it cannot", async () => {
	const { child, end, page } = await served("rec-1", "--no-open");
	const taken = await palimpsest(["debug", "rec-1", "--port", String(page.port)], {
		home,
		env: { TMPDIR: temporary },
	});
	expect(taken).toMatchObject({ code: 2, text: "", stderr: expect.stringMatching(/^PAGE_PORT: /) });
	child.kill("SIGTERM");
	await end;
	expect(readdirSync(temporary)).toEqual([]);
	const again = await served("rec-1", "--port", String(page.port), "--no-open");
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

test("debug shows a bundle too, and of a redacted one all but what was said", async () => {
	for (const redact of [[], ["--redact"]]) {
		const bundle = join(home, `rec${redact.length}.bundle`);
		await inside(home, "bundle", "rec-1", "--out", bundle, ...redact);
		const { child, end, page } = await served(bundle, "--no-open", "--write");
		expect((await ask(page, "/api/session")).json).toMatchObject({
			session: "rec-1",
			requests: 60,
			live: false,
			write: false,
		});
		const { rows } = (await ask(page, "/api/window/50")).json as WindowView;
		const item = (await ask(page, `/api/item/50/${rows[0]?.id}`)).json;
		expect(item).toMatchObject({ gone: redact.length > 0 });
		const body = JSON.stringify({ decision: "c1-1", price: 0 });
		const refused = await ask(page, "/api/undo", { method: "POST", body });
		expect(refused).toMatchObject({ status: 403, json: { error: { code: "PAGE_READ_ONLY" } } });
		child.kill("SIGTERM");
		expect((await end).code).toBe(0);
	}
	expect(readdirSync(temporary)).toEqual([]);
});

test("debug says of a redacted bundle what is left out, in the terminal and to the page", async () => {
	const file = join(home, "redacted.bundle");
	await inside(home, "bundle", "rec-1", "--redact", "--out", file);
	const { child, end, page } = await served(file, "--no-open");
	const { notes } = (await ask(page, "/api/session")).json as { notes: string[] };
	expect(notes).toEqual([expect.stringMatching(/ is redacted: [\d,]+ contents left out$/)]);
	child.kill("SIGINT");
	expect(await end).toMatchObject({ code: 0, stderr: expect.stringContaining(notes[0] as string) });
	expect(readdirSync(temporary)).toEqual([]);
});
