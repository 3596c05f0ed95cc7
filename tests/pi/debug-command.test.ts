import { expect, test } from "vitest";
import { type Answer, ask as askPage } from "../page/served.ts";
import { idIn, type, WITH_MEMORY } from "./memory-calls.ts";
import { BILLED, type Host, Sandbox } from "./sandbox.ts";

/** The page a host told of last. */
function pageOf(host: Host): { readonly url: string; readonly port: number; readonly token: string } {
	const [url = ""] = /http:\S+/.exec(host.said.at(-1) ?? "") ?? [];
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
	const { port, hash } = new URL(url);
	return { url, port: Number(port), token: hash.slice("#token=".length) };
}

async function debug(host: Host): Promise<string> {
	await host.session.prompt("/fold-debug");
	return host.said.at(-1) ?? "";
}

async function answered(answer: Promise<Answer>): Promise<Record<string, unknown>> {
	const { status, json } = await answer;
	expect(status).toBe(200);
	return json as Record<string, unknown>;
}

test("/fold-debug serves the running session's page, which grows with it and ends with it", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ models: BILLED });
	expect(await debug(host)).toBe("Palimpsest: nothing was said in this session yet");
	expect(sandbox.stores()).toEqual([]);
	await host.work("one", 4, 2_000);
	await debug(host);
	const page = pageOf(host);
	const session = await answered(askPage(page, "/api/session"));
	expect(session).toMatchObject({ session: host.session.sessionId, requests: 5, live: true, write: false });
	const window = await answered(askPage(page, "/api/window/5"));
	expect(window).toMatchObject({ request: 5, same: true });
	expect(window.items).toBe(host.requests.at(-1)?.length);

	const { version } = session.head as { version: number };
	const grown = answered(askPage(page, `/api/grown?since=${version}`));
	await host.ask("and now?", "now this");
	expect(((await grown).head as { version: number }).version).toBeGreaterThan(version);
	expect(await answered(askPage(page, "/api/session"))).toMatchObject({ requests: 6 });
	expect(await answered(askPage(page, "/api/window/6"))).toMatchObject({ same: true });

	await debug(host);
	expect(pageOf(host)).toEqual(page);
	await host.quit();
	await expect(askPage(page, "/")).rejects.toThrow();
	expect(host.errors).toEqual([]);
});

test("a session that lives in memory, its store being open elsewhere, has a page all the same", async () => {
	await using sandbox = new Sandbox();
	const first = await sandbox.create({ models: BILLED });
	await first.ask("hello");
	const host = await sandbox.open(first.file, { models: BILLED });
	await host.ask("once more");
	await debug(host);
	const session = await answered(askPage(pageOf(host), "/api/session"));
	expect(session).toMatchObject({ session: host.session.sessionId, requests: 1, live: true, damage: [] });
	expect(host.errors).toEqual([]);
});

test("the page tells what was remembered for the folder by then, and that it is proved to be the user's", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create(WITH_MEMORY);
	await host.ask("before");
	const id = idIn(await type(host, "/remember pin the port is 8080"));
	await host.ask("behind");
	await debug(host);
	const page = pageOf(host);
	const at = async (request: number) => (await askPage(page, `/api/memory/${request}`)).json;
	expect(await at(1)).toEqual([]);
	expect(await at(2)).toMatchObject([
		{ id, status: "pinned", author: "user", proof: "verified", scope: "workspace", text: "the port is 8080" },
	]);
	await type(host, `/forget ${id}`);
	await host.ask("and now");
	// whoever asks for the session has it looked at anew
	await answered(askPage(page, "/api/session"));
	expect(await at(3)).toMatchObject([{ id, status: "resolved" }]);
	expect(await at(2)).toMatchObject([{ id, status: "pinned" }]);
	expect(host.errors).toEqual([]);
});

test("another session has a page of its own, and that of the one before is gone", async () => {
	await using sandbox = new Sandbox();
	const host = await sandbox.create({ models: BILLED });
	await host.ask("first");
	await debug(host);
	const before = pageOf(host);
	await host.runtime.newSession();
	await host.ask("second");
	await expect(askPage(before, "/")).rejects.toThrow();
	await debug(host);
	const session = await answered(askPage(pageOf(host), "/api/session"));
	expect(session).toMatchObject({ session: host.session.sessionId, requests: 1 });
	expect(host.errors).toEqual([]);
});
