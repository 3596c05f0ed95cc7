import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alike, saysTheSame } from "../../projections/memory/alike.ts";

const NEAR: readonly (readonly [a: string, b: string])[] = [
	["Run npm test before committing", "Run npm test before each commit"],
	["Use tabs!", "use tabs"],
	["The parser reads JSON files from src/data", "JSON files from src/data are read by the parser"],
	["Vor jedem Commit die Tests laufen lassen", "Die Tests vor jedem Commit laufen lassen"],
	["Lancer les tests avant chaque commit", "Avant chaque commit, lancer les tests"],
	["Ejecuta las pruebas antes de cada commit", "Antes de cada commit ejecuta las pruebas"],
	["提交之前先运行全部测试", "提交之前先运行全部测试。"],
	["提交代码之前必须先运行全部测试", "提交代码之前先运行全部测试"],
	["コミットの前にテストを実行する", "コミットの前に、テストを実行する"],
	["Перед коммитом запускай все тесты", "Запускай все тесты перед коммитом"],
];

const FAR: readonly (readonly [a: string, b: string])[] = [
	["Use tabs for indentation", "Use spaces for indentation"],
	["The port of the server is 3000", "The port of the server is 4000"],
	["Use C for the core", "Use C++ for the core"],
	["Run the tests", "Run the linter"],
	["Wir nutzen Tabs im Projekt", "Wir nutzen Leerzeichen im Projekt"],
	["用制表符缩进", "用空格缩进"],
	["🎉", "🚀"],
	["Never push to main", "Squash before you push to the main branch of the fork"],
];

function why(a: string, b: string): string[] {
	return alike(a, [{ id: "mem_b", text: b }]).map(({ why }) => why);
}

describe("texts that say nearly the same are told, whichever comes first", () => {
	test.each(NEAR)("%s / %s", (a, b) => {
		expect(why(a, b)).toHaveLength(1);
		expect(why(b, a)).toHaveLength(1);
	});
});

describe("texts that say other things are left in peace", () => {
	test.each(FAR)("%s / %s", (a, b) => {
		expect(why(a, b)).toEqual([]);
		expect(why(b, a)).toEqual([]);
	});
});

test("a text that holds all of another is told to say more", () => {
	const less = "Run the whole suite with npm test before each commit to main";
	const more = `${less}, and once more on the build server after the merge, with coverage switched on`;
	expect(why(less, more)).toEqual(["says this and more"]);
	expect(why(more, less)).toEqual(["is said in this, with more"]);
});

test("any text says the same as itself, however it is spaced and composed", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
			expect(saysTheSame(text, ` ${text.normalize("NFD")}\n`)).toBe(true);
			if (/[\p{L}\p{N}]/u.test(text)) expect(why(text, text)).toEqual(["says the same"]);
		}),
	);
});
