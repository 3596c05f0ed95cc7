import { homedir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { namedIn } from "../../src/adapters/pi/touched-files.ts";

const CWD = "/some/place";

const mentions = (input: unknown, file: string, cwd: string) => namedIn(input, cwd)(file);

test.each([
	[{ path: "src/a.ts" }],
	[{ path: "./src/a.ts" }],
	[{ path: "/some/place/src/a.ts" }],
	[{ command: "cat src/a.ts | head" }],
	[{ command: "node --test 'src/a.ts'" }],
	[{ command: "diff src/b.ts src/a.ts" }],
	[{ edits: [{ file: "src/a.ts", line: 3 }] }],
	[{ command: "sed -n 1,3p src/a.ts; ls" }],
	[{ command: "git show HEAD:src/a.ts" }],
])("a call names a file: %j", (input) => {
	expect(mentions(input, "src/a.ts", CWD)).toBe(true);
});

test.each([
	[{ path: "src/a.tsx" }],
	[{ path: "src/a.ts.bak" }],
	[{ path: "other/src/a.ts" }],
	[{ path: "/elsewhere/src/a.ts" }],
	[{ path: "lib-src/a.ts" }],
	[{ path: "../src/a.ts" }],
	[{ content: `${"x".repeat(3_000)} src/a.ts` }],
	[{}],
	[undefined],
])("a call does not name it: %j", (input) => {
	expect(mentions(input, "src/a.ts", CWD)).toBe(false);
});

test("what lies in a folder names the folder", () => {
	expect(mentions({ path: "src/store/log.ts" }, "src/store", CWD)).toBe(true);
	expect(mentions({ path: "src/store/log.ts" }, "src/store/", CWD)).toBe(true);
	expect(mentions({ path: "src/store-old/log.ts" }, "src/store/", CWD)).toBe(false);
});

test("a path is known from the user's home and outside of the folder too", () => {
	const secret = join(homedir(), ".pi", "agent", "keys.json");
	expect(mentions({ command: "cat ~/.pi/agent/keys.json" }, secret, CWD)).toBe(true);
	expect(mentions({ command: 'cat "$HOME/.pi/agent/keys.json"' }, secret, CWD)).toBe(true);
	expect(mentions({ path: "../other/b.ts" }, "/some/other/b.ts", CWD)).toBe(true);
	expect(mentions({ path: "src/größe.ts" }, "src/größe.ts", CWD)).toBe(true);
	expect(mentions({ path: "src/größe.tsü" }, "src/größe.ts", CWD)).toBe(false);
});

/** How a path might be written, each of these between others of its kind. */
const PIECES = [
	"a",
	"b.ts",
	".env",
	"..",
	".",
	"/",
	"/",
	"-x",
	"x-",
	"…",
	" ",
	"~",
	"é.md",
	"a.b.",
	"[id].ts",
	"0",
];

test("whatever a file is called, and wherever it stands, it is told as by looking for each way to write it", () => {
	const joined = fc
		.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 6 })
		.map((parts) => parts.join(""));
	fc.assert(
		fc.property(
			joined,
			joined,
			joined,
			fc.constantFrom("", "/", "./", `${CWD}/`),
			(file, before, behind, root) => {
				const text = `${before}${root}${file}${behind}`;
				// an absolute path is always looked for
				const path = resolve(CWD, /^~(?=\/|$)/.test(file) ? `${homedir()}${file.slice(1)}` : file);
				expect(mentions({ text }, file, CWD)).toBe(mentions({ text }, path, CWD));
			},
		),
		{ numRuns: 2_000 },
	);
});
