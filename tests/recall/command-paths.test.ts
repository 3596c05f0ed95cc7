import { expect, test } from "vitest";
import { pathsInCommand } from "../../projections/recall/command-paths.ts";

test.each([
	["cat src/a.ts | head", ["src/a.ts"]],
	["cat 'notes with spaces/häuser liste.txt'", ["notes with spaces/häuser liste.txt"]],
	['wc -l "my docs/a b.md" src/b.ts', ["my docs/a b.md", "src/b.ts"]],
	["cat notes\\ with\\ spaces/häuser\\ liste.txt", ["notes with spaces/häuser liste.txt"]],
	["cat häuser.txt 会话.md", ["häuser.txt", "会话.md"]],
	["tool --file='a b.json'; ls", ["a b.json"]],
	["git commit -m 'mend src/a.ts'", ["src/a.ts"]],
	["bash -c 'cat src/a.ts'", ["src/a.ts"]],
	["grep -n 'it is so' src/a.ts", ["src/a.ts"]],
	["sed -i 's/a/b/' x.md", ["x.md"]],
	['echo "unclosed src/a.ts', ["src/a.ts"]],
	["ls -la", []],
])("the paths of %j are %j", (command, paths) => expect(pathsInCommand(command)).toEqual(paths));

test("a long command without a path has none", () => {
	for (const text of ["a-".repeat(500), "'".repeat(1000), "\\ ".repeat(500), "./".repeat(500)])
		expect(pathsInCommand(text)).toEqual([]);
});
