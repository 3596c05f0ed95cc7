import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A file of the page, as it is sent. */
export interface PageFile {
	readonly type: string;
	readonly text: string;
}

/** Where the view's modules lie: sources beside these sources, or built ones beside these built. */
const VIEW = fileURLToPath(new URL("view/", import.meta.url));

const SCRIPT = "text/javascript; charset=utf-8";

const TYPES: Readonly<Record<string, string>> = {
	ts: SCRIPT,
	js: SCRIPT,
	css: "text/css; charset=utf-8",
	svg: "image/svg+xml",
};

/** The libraries of the page, by the names it asks for them, and where their packages have them. */
const LIBRARIES: Readonly<Record<string, string>> = {
	"preact.js": "preact",
	"preact-hooks.js": "preact/hooks",
	"uplot.js": "uplot/dist/uPlot.esm.js",
	"uplot.css": "uplot/dist/uPlot.min.css",
};

const stripped = new Map<string, { readonly changed: number; readonly text: string }>();

/** The HTML of the page; `undefined` where it is missing. */
export function pageHtml(): Promise<string | undefined> {
	return readFile(join(VIEW, "index.html"), "utf8").catch(() => undefined);
}

/**
 * A file of the view by its path below it; `undefined` where there is none. Where the sources are served, their types are
 * taken out, and a module is had by the name it is built to as well.
 */
export async function viewFile(path: string): Promise<PageFile | undefined> {
	// names of our own making alone: nothing with a dot before it, no declarations, no way up
	const [, name = "", ending = ""] = /^((?:[a-z0-9-]+\/)*[a-z0-9-]+)\.([a-z]+)$/.exec(path) ?? [];
	const type = Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined;
	if (type === undefined) return undefined;
	const file = join(VIEW, `${name}.${ending}`);
	if (await isFile(file)) {
		return { type, text: await (ending === "ts" ? withoutTypes(file) : readFile(file, "utf8")) };
	}
	const source = join(VIEW, `${name}.ts`);
	return ending === "js" && (await isFile(source)) ? { type, text: await withoutTypes(source) } : undefined;
}

/** A library of the page by the name it asks for it. */
export async function libraryFile(name: string): Promise<PageFile | undefined> {
	const from = Object.hasOwn(LIBRARIES, name) ? LIBRARIES[name] : undefined;
	if (from === undefined) return undefined;
	const file = createRequire(import.meta.url).resolve(from);
	const text = await readFile(file, "utf8");
	// maps are not served, and a browser's tools would ask for them
	return {
		type: TYPES[name.slice(name.lastIndexOf(".") + 1)] as string,
		text: text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"),
	};
}

async function isFile(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function withoutTypes(file: string): Promise<string> {
	const { mtimeMs: changed } = await stat(file);
	const kept = stripped.get(file);
	if (kept?.changed === changed) return kept.text;
	const { transformSync } = await import("amaro");
	const { code } = transformSync(await readFile(file, "utf8"), { mode: "strip-only" });
	stripped.set(file, { changed, text: code });
	return code;
}
