import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { pageFiles } from "./page-files.ts";
import { ask, Pages } from "./served.ts";

const pages = new Pages();
let store: string;

beforeAll(async () => {
	store = await pages.replayed();
});

test("a page that may run its own scripts and the map of its libraries alone", async () => {
	const page = await pages.serve(store);
	const { headers, text } = await ask(page, "/", { headers: { authorization: undefined } });
	expect(headers["content-type"]).toMatch(/^text\/html/);
	const [, map = ""] = /<script type="importmap">(.*?)<\/script>/s.exec(text) ?? [];
	const policy = headers["content-security-policy"] as string;
	expect(policy).toContain(`script-src 'self' 'sha256-${createHash("sha256").update(map).digest("base64")}'`);
	expect(policy).toMatch(/^default-src 'none'; /);
	expect(policy).not.toMatch(/unsafe|\*|http/);
	expect(text.match(/<script(?![^>]*\bsrc=)[^>]*>/g)).toEqual(['<script type="importmap">']);
	expect(text).not.toMatch(/<style|style="|\son\w+=|https?:/);
	const { imports } = JSON.parse(map) as { imports: Record<string, string> };
	for (const path of Object.values(imports)) {
		const library = await ask(page, path);
		expect([library.status, library.headers["content-type"]]).toEqual([
			200,
			"text/javascript; charset=utf-8",
		]);
		expect(library.text).toMatch(/\bexport\b/);
		for (const [, from] of library.text.matchAll(/\bimport\{[^}]*\}from"([^"]+)"/g))
			expect(Object.keys(imports)).toContain(from);
	}
});

test("every module of the page as JavaScript, with all it imports", async () => {
	const paths = await pageFiles(await pages.serve(store));
	expect(paths).toContain("/view/main.js");
	expect(paths.filter((path) => path.endsWith(".ts")).length).toBeGreaterThan(20);
});
