import { expect } from "vitest";
import type { ServedPage } from "../../src/adapters/page/page-server.ts";
import { ask } from "./served.ts";

/**
 * Loads a page as a browser would: what its HTML links, its libraries and all that its modules import. Expects each to be
 * there, as what a browser takes it for; gives their paths.
 */
export async function pageFiles(page: Pick<ServedPage, "port" | "token">): Promise<string[]> {
	const { text } = await ask(page, "/");
	const [, map = ""] = /<script type="importmap">(.*?)<\/script>/s.exec(text) ?? [];
	const { imports } = JSON.parse(map) as { imports: Readonly<Record<string, string>> };
	const linked = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string);
	const met = new Set<string>();
	const load = async (path: string): Promise<void> => {
		if (met.has(path)) return;
		met.add(path);
		const { status, headers, text } = await ask(page, path);
		expect([path, status, headers["content-type"]]).toEqual([path, 200, typeOf(path)]);
		if (path.endsWith(".css"))
			for (const [, from = ""] of text.matchAll(/@import (?:url\()?"([^"]+)"/g))
				await load(resolved(from, path));
		if (!/\.[jt]s$/.test(path)) return;
		if (path.startsWith("/view/")) expect(text).not.toMatch(/^(?:import type|export interface)\b/m);
		for (const from of importsIn(text)) {
			const at = from.startsWith(".") ? resolved(from, path) : imports[from];
			expect([path, from, at]).toEqual([path, from, expect.any(String)]);
			await load(at as string);
		}
	};
	for (const path of [...linked, ...Object.values(imports)]) await load(path);
	return [...met];
}

function importsIn(text: string): string[] {
	const found = text.matchAll(/^(?:import|export)\b[^;"']*?\bfrom ?"([^"]+)"|^import ?"([^"]+)"/gm);
	return [...found].map(([, from, bare]) => (from ?? bare) as string);
}

function resolved(from: string, path: string): string {
	return new URL(from, `http://page${path}`).pathname;
}

function typeOf(path: string): string {
	if (path.endsWith(".css")) return "text/css; charset=utf-8";
	return path.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
}
