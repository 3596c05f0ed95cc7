import { basename } from "node:path";
import { bash, type Desk, edit, read } from "./desk.ts";
import { survey } from "./explore.ts";
import { testRun } from "./notes.ts";
import type { Call, Turn } from "./scripted-model.ts";

/** Finds an exported name used in several files and gives it another one everywhere, then runs what may have broken. */
export function* renameAcross(desk: Desk): Turn {
	yield* survey(desk, { folders: ["src/", "projections/", "tests/"], requests: 11, characters: 95_000 });
	const names = [...new Set(desk.notes.facts.filter((f) => f.kind === "export").map((f) => f.name))];
	const modules = new Set([...desk.notes.sizes.keys()].map((path) => basename(path, ".ts")));
	const candidates = names.filter((name) => /^[a-z]/.test(name) && !modules.has(name)).slice(-40);
	const counts = yield* desk.act({
		say: `Counting where the exported names are used. ${desk.recall()}`,
		...desk.thought("which name is used widely and still seldom enough to change in one go"),
		calls: [
			bash(`for n in ${candidates.join(" ")}; do echo "$n $(git grep -lw $n -- '*.ts' | wc -l)"; done`),
		],
	});
	const old = mostUsed(counts[0]?.text ?? "") ?? "shapeOf";
	const fresh = `palimpsest${old.slice(0, 1).toUpperCase()}${old.slice(1)}`;
	const where = yield* desk.act({
		say: `\`${old}\` it is, to become \`${fresh}\`.`,
		calls: [bash(`git grep -nw ${old} -- '*.ts' | cut -c1-180`), bash(`git grep -lw ${old} -- '*.ts'`)],
	});
	const files = (where[1]?.text ?? "").split("\n").filter((line) => line.endsWith(".ts"));
	for (const file of files) {
		const [whole] = yield* desk.act({
			say: `\`${file}\` first in full. ${desk.recall()}`,
			calls: [read(file)],
		});
		yield* desk.act({
			say: `Changing \`${old}\` in it.`,
			calls: [renameIn(file, whole?.text ?? "", old, fresh)],
		});
	}
	const [, types] = yield* desk.act({
		say: `${files.length} files done. Anything left, and do types hold?`,
		calls: [
			bash(`git grep -nw ${old} -- . ':!node_modules' | cut -c1-160 | head -20`),
			bash("npx tsc --noEmit 2>&1 | tail -20", 120),
			bash("git diff --stat"),
		],
	});
	const complaints = types?.text.match(/error TS\d+/g)?.length ?? 0;
	yield* desk.act({
		say: "The whole change once more, as a reviewer would see it.",
		calls: [bash("git diff | head -400")],
	});
	const tests = files.filter((file) => file.endsWith(".test.ts") && !file.includes("record")).slice(0, 3);
	for (const test of tests) {
		const run = testRun(
			yield* desk.act({
				say: `Running \`${test}\`.`,
				calls: [bash(`npm test -- ${test} 2>&1 | tail -40`, 120)],
			}),
		);
		if (run.failed > 0) desk.remember(`${test}: ${run.failed} failed`);
	}
	yield {
		say: `\`${old}\` is now \`${fresh}\` in ${files.length} files (${files.join(", ")}). The compiler has ${complaints} complaints. Nothing is committed yet. ${desk.recall()}`,
	};
}

/** Undoes whatever is not committed and renames the session's own function instead. */
export function* renameOwn(desk: Desk): Turn {
	yield* desk.act({
		say: "Back to the last commit first, then only our own files.",
		think: `The broad rename is to be dropped. What I own is src/debug/session-shape.ts. ${desk.recall()}`,
		calls: [bash("git checkout -q -- . && git status --short && git log --oneline | head -3")],
	});
	const files = ["src/debug/session-shape.ts", "tests/session-shape.test.ts"];
	const found = yield* desk.act({
		say: "Both files as they stand.",
		calls: [...files.map((file) => read(file)), bash("git grep -nw shapeOf -- '*.ts'")],
	});
	yield* desk.act({
		say: "Renaming `shapeOf` to `outlineOf` in both at once.",
		calls: files.map((file, i) => renameIn(file, found[i]?.text ?? "", "shapeOf", "outlineOf")),
	});
	const run = testRun(
		yield* desk.act({
			say: `Tests of it, and a last search. ${desk.recall()}`,
			calls: [
				bash(`npm test -- ${files[1]} 2>&1 | tail -30`, 120),
				bash("git grep -nw shapeOf -- '*.ts' || echo none left"),
			],
		}),
	);
	yield* desk.act({
		say: `${run.passed} passed.`,
		calls: [
			bash(
				`git commit -q -am "debug: call it an outline" && git log --oneline | head -3 && git show --stat HEAD`,
			),
		],
	});
	yield {
		say: `\`shapeOf\` is \`outlineOf\` now, in its module and its test; nothing else changed. ${desk.recall()}`,
	};
}

/** The edit that renames a word in a file: one replacement per line where lines are unique, a filter otherwise. */
function renameIn(file: string, text: string, old: string, fresh: string): Call {
	const word = new RegExp(`\\b${old}\\b`);
	const lines = text.split("\n").filter((line) => word.test(line));
	const unique = lines.every((line) => text.split(line).length === 2);
	const everywhere = new RegExp(word, "g");
	if (!unique || lines.length === 0)
		return bash(`perl -pi -e 's/\\b${old}\\b/${fresh}/g' ${file} && git diff --stat ${file}`);
	return edit(file, ...lines.map((line) => ({ oldText: line, newText: line.replaceAll(everywhere, fresh) })));
}

/** The name used in most files, three to nine of them, out of lines of `name files`. */
function mostUsed(counts: string): string | undefined {
	const rows = [...counts.matchAll(/^(\w+) +(\d+)$/gm)].map(([, name, n]) => ({ name, files: Number(n) }));
	const fit = rows.filter((row) => row.files >= 3 && row.files <= 9);
	return (fit.length > 0 ? fit : rows).toSorted((a, b) => b.files - a.files)[0]?.name;
}
