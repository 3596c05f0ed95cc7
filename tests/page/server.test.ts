import { createServer } from "node:net";
import { Hono } from "hono";
import { beforeAll, describe, expect, test } from "vitest";
import { onlyOwnAddress } from "../../src/adapters/page/guard.ts";
import { PageError } from "../../src/adapters/page/page-error.ts";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import { Tickets } from "../../src/adapters/page/tickets.ts";
import { type Answer, ask, Pages } from "./served.ts";

const pages = new Pages();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

const refusal = ({ status, json }: Answer) => [status, (json as { error: { code: string } }).error.code];

describe("who may ask", () => {
	test("who carries the token is told of the session, and nobody else", async () => {
		const page = await pages.serve(store);
		expect((await ask(page, "/api/session")).json).toMatchObject({ session: "rec-1", requests: 60 });
		for (const authorization of [
			undefined,
			"",
			page.token,
			"Bearer",
			`Bearer ${page.token}x`,
			`Bearer ${page.token.slice(1)}`,
			`bearer ${page.token}`,
		]) {
			for (const path of ["/api/session", "/api/grown?since=0", "/api/nothing", "/api/"])
				expect(refusal(await ask(page, path, { headers: { authorization } }))).toEqual([
					401,
					"PAGE_FORBIDDEN",
				]);
		}
		expect(
			refusal(await ask(page, `/api/session?token=${page.token}`, { headers: { authorization: undefined } })),
		).toEqual([401, "PAGE_FORBIDDEN"]);
	});

	test("each start has a token of its own, of 32 bytes, that no request line carries", async () => {
		const [one, other] = [await pages.serve(store), await pages.serve(store)];
		expect(Buffer.from(one.token, "base64url")).toHaveLength(32);
		expect(one.token).not.toBe(other.token);
		const { hash, pathname, search } = new URL(one.url);
		expect([hash, pathname, search]).toEqual([`#token=${one.token}`, "/", ""]);
	});

	test("a browser is opened with a ticket, which is exchanged for the token once", async () => {
		const page = await pages.serve(store);
		const exchange = (ticket: unknown, headers: Record<string, string> = {}) =>
			ask(page, "/api/ticket", {
				method: "POST",
				headers: { authorization: undefined, ...headers },
				body: JSON.stringify({ ticket }),
			});
		const url = new URL(page.ticketUrl());
		expect(url.href).not.toContain(page.token);
		expect([url.host, url.pathname, url.search]).toEqual([`127.0.0.1:${page.port}`, "/", ""]);
		const [, ticket = ""] = /^#ticket=([\w-]{43})$/.exec(url.hash) ?? [];
		for (const origin of ["http://evil.example", "null"])
			expect(refusal(await exchange(ticket, { origin }))).toEqual([403, "PAGE_HOST"]);
		for (const wrong of ["", ticket.slice(1), page.token, undefined, 7, [ticket], { ticket }, "__proto__"])
			expect(refusal(await exchange(wrong))).toEqual([401, "PAGE_TICKET"]);
		const given = await exchange(ticket, { origin: url.origin });
		expect([given.status, given.json]).toEqual([200, { token: page.token }]);
		expect(refusal(await exchange(ticket))).toEqual([401, "PAGE_TICKET"]);
		const other = await pages.serve(store);
		const foreign = new URL(other.ticketUrl()).hash.slice("#ticket=".length);
		expect(refusal(await exchange(foreign))).toEqual([401, "PAGE_TICKET"]);
	});

	test("a ticket is good for a minute", () => {
		let now = 5;
		const tickets = new Tickets(() => now);
		const [soon, late] = [tickets.issue(), tickets.issue()];
		now += 59_999;
		expect(tickets.redeem(soon)).toBe(true);
		now += 1;
		expect(tickets.redeem(late)).toBe(false);
	});

	test("a name that leads here from elsewhere is refused, for files and questions alike", async () => {
		const page = await pages.serve(store);
		const { port } = page;
		for (const host of [
			`evil.example:${port}`,
			"127.0.0.1",
			`127.0.0.1:${port + 1}`,
			`127.0.0.1.evil.example:${port}`,
		])
			for (const path of ["/", "/lib/preact.js", "/api/session"])
				expect(refusal(await ask(page, path, { headers: { host } }))).toEqual([403, "PAGE_HOST"]);
		for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
			expect((await ask(page, "/api/session", { headers: { host } })).status).toBe(200);
	});

	test("port 80 is named by no browser", async () => {
		const app = new Hono().use(onlyOwnAddress(() => 80)).get("/", ({ text }) => text("here"));
		app.onError((error, { text }) => text(error.message, 403));
		const asked = async (host: string) => (await app.request("/", { headers: { host } })).status;
		expect([await asked("127.0.0.1"), await asked("localhost")]).toEqual([200, 200]);
		expect([await asked("evil.example"), await asked("127.0.0.1:81")]).toEqual([403, 403]);
	});

	test("a page of another site is refused, whatever it knows", async () => {
		const page = await pages.serve(store);
		const { port } = page;
		for (const origin of [
			"http://evil.example",
			"null",
			`https://127.0.0.1:${port}`,
			`http://localhost:${port}`,
		])
			expect(refusal(await ask(page, "/api/session", { headers: { origin } }))).toEqual([403, "PAGE_HOST"]);
		const link = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
		for (const site of ["cross-site", "same-site"]) {
			const from = { "sec-fetch-site": site };
			for (const [path, headers] of [
				["/", from],
				["/", { ...from, ...link, "sec-fetch-dest": "iframe" }],
				["/", { ...from, ...link, "sec-fetch-mode": "no-cors" }],
				["/lib/preact.js", { ...from, ...link }],
				["/api/session", { ...from, ...link }],
			] as const)
				expect(refusal(await ask(page, path, { headers }))).toEqual([403, "PAGE_HOST"]);
			expect((await ask(page, "/", { headers: { ...from, ...link } })).status).toBe(200);
		}
		const own = { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" };
		expect((await ask(page, "/api/session", { headers: own })).status).toBe(200);
	});

	test("nothing but reading is taken, and large bodies not at all", async () => {
		const page = await pages.serve(store);
		for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
			const answer = await ask(page, "/api/session", { method });
			expect(refusal(answer)).toEqual([405, "PAGE_METHOD"]);
			expect(answer.headers.allow).toBe("GET, HEAD");
		}
		const large = await ask(page, "/api/undo", { method: "POST", body: "x".repeat(20_000) });
		expect(refusal(large)).toEqual([413, "PAGE_TOO_LARGE"]);
		const head = await ask(page, "/lib/uplot.css", { method: "HEAD" });
		expect([head.status, head.text]).toEqual([200, ""]);
	});
});

describe("what is served", () => {
	test("no file beside the page's, however it is named", async () => {
		const page = await pages.serve(store);
		for (const path of [
			"/view/../page-server.ts",
			"/view/%2e%2e/page-server.ts",
			"/view/..%2fpage-server.ts",
			"/view/%2e%2e%2fpage-server.ts",
			"/view/..%5cpage-server.ts",
			"/view/tsconfig.json",
			"/view/.hidden.ts",
			"/view//etc/passwd",
			"/view/",
			"/lib/../../package.json",
			"/lib/..%2f..%2fpackage.json",
			"/lib/constructor",
			"/lib/__proto__",
			"/lib/hono",
			"/etc/passwd",
			"/index.html",
		])
			expect(refusal(await ask(page, path))).toEqual([404, "PAGE_NOT_FOUND"]);
	});

	test("every answer keeps to itself: not stored, not guessed at, not framed", async () => {
		const page = await pages.serve(store);
		for (const path of ["/", "/lib/uplot.css", "/api/session", "/nothing", "/api/grown"]) {
			const { headers } = await ask(page, path);
			expect(headers).toMatchObject({
				"cache-control": "no-store",
				"x-content-type-options": "nosniff",
				"referrer-policy": "no-referrer",
				"cross-origin-opener-policy": "same-origin",
				"cross-origin-resource-policy": "same-origin",
				"content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
			});
			expect(headers["access-control-allow-origin"]).toBeUndefined();
			if (path.startsWith("/api/")) expect(headers["content-type"]).toMatch(/^application\/json/);
		}
	});
});

test("a port that is taken is named", async () => {
	const other = createServer();
	await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
	const { port } = other.address() as { port: number };
	try {
		const refused = await pages.serve(store, { port }).catch((error) => error);
		expect(refused).toBeInstanceOf(PageError);
		expect(refused).toMatchObject({ code: "PAGE_PORT", message: expect.stringContaining(String(port)) });
	} finally {
		other.close();
	}
});

test("a page that was closed answers nobody, and closing it twice does no harm", async () => {
	const page = await pages.serve(store);
	const waiting = ask(page, `/api/grown?since=${await version(page)}`).catch(() => "gone");
	await Promise.all([page.close(), page.close()]);
	expect(await waiting).toBe("gone");
	await expect(ask(page, "/")).rejects.toThrow(/ECONNREFUSED/);
});

async function version(page: ServedPage): Promise<number> {
	return ((await ask(page, "/api/session")).json as { head: { version: number } }).head.version;
}
