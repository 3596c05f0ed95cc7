import { describe, expect, test } from "vitest";
import { contradicted } from "../../projections/memory/contradicts.ts";

type Pair = readonly [language: string, a: string, b: string];

const OPPOSITE: readonly Pair[] = [
	["English", "Always use tabs for indentation.", "Never use tabs for indentation."],
	["English", "Use yarn", "Don't use yarn"],
	["English", "Use yarn for installs", "Do not use yarn"],
	["English", "Run the linter before each commit", "Do not run the linter before each commit"],
	["English", "We deploy on Fridays", "Never deploy on Fridays"],
	["English", "Deploy on Fridays only.", "Never deploy on Fridays."],
	["English", "Use pnpm instead of npm", "Use npm instead of pnpm"],
	["English", "Instead of npm, use pnpm", "Use npm instead of pnpm"],
	["English", "Use pnpm instead of npm", "Use npm"],
	["English", "Use pnpm rather than npm", "Don't use pnpm"],
	["English", "Use single quotes instead of double quotes", "Use double quotes instead of single quotes"],
	["English", "Deploy with Docker rather than systemd", "Deploy with systemd rather than Docker"],
	["English", "Prefer composition over inheritance", "Prefer inheritance over composition"],
	["English", "Use tabs, not spaces", "Use spaces for indentation"],
	["English", "Never forget to run the migrations", "Never run the migrations"],
	["English", "You must squash commits before merging", "You must not squash commits before merging"],
	["German", "Immer Tabs verwenden", "Niemals Tabs verwenden"],
	["German", "Verwende npm statt yarn", "Verwende yarn statt npm"],
	["German", "Die Tests müssen vor dem Commit laufen", "Die Tests dürfen nicht vor dem Commit laufen"],
	["German", "Nutze keine Klassen", "Nutze Klassen"],
	["French", "Utilise toujours des tabulations", "N'utilise jamais de tabulations"],
	["French", "Utilise pnpm au lieu de npm", "Utilise npm au lieu de pnpm"],
	["French", "Il faut lancer les tests avant chaque commit", "Ne pas lancer les tests avant chaque commit"],
	["Spanish", "Usa siempre tabuladores", "No uses tabuladores"],
	["Spanish", "Usa pnpm en lugar de npm", "Usa npm en lugar de pnpm"],
	["Spanish", "Siempre ejecuta las pruebas antes del commit", "Nunca ejecuta las pruebas antes del commit"],
	["Chinese", "总是使用制表符缩进", "不要使用制表符缩进"],
	["Chinese", "用pnpm代替npm", "用npm代替pnpm"],
	["Chinese", "用 pnpm 而不是 npm", "用 npm 而不是 pnpm"],
	["Chinese", "必须在提交前运行测试", "禁止在提交前运行测试"],
	["Japanese", "必ずタブを使う", "タブを使わない"],
	["Japanese", "npmではなくpnpmを使う", "pnpmではなくnpmを使う"],
	["Japanese", "npmの代わりにpnpmを使う", "npmを使う"],
	["Japanese", "コミット前に必ずテストを実行する", "コミット前にテストを実行しないでください"],
];

const OTHER_VALUE: readonly Pair[] = [
	["English", "The dev server runs on port 3000", "The dev server runs on port 4000"],
	["English", "Use port 3000", "The port is 4000"],
	["English", "PORT=3000", "PORT=4000"],
	["English", "LOG_LEVEL=debug", "LOG_LEVEL=info"],
	["English", "We need Node 22", "We need Node 24"],
	["English", "Indent with 2 spaces", "Indent with 4 spaces"],
	["English", "Package manager: pnpm", "Package manager: yarn"],
	["English", "The default branch is main", "The default branch is master"],
	["English", "Lines are at most 100 characters", "Lines are at most 120 characters"],
	["German", "Der Server läuft auf Port 3000", "Der Server läuft auf Port 4000"],
	["French", "Le port est 3000", "Le port est 4000"],
	["Spanish", "El puerto es 3000", "El puerto es 4000"],
	["Chinese", "端口为3000", "端口为4000"],
	["Chinese", "端口是 3000", "端口是 4000"],
	["Japanese", "ポートは3000", "ポートは4000"],
];

const IN_PEACE: readonly Pair[] = [
	["English", "Never commit to main", "Always run the tests before you commit to main"],
	["English", "Never use yarn in CI", "Use yarn locally"],
	["English", "Don't use React classes", "Use React hooks"],
	["English", "Use pnpm instead of npm", "Don't use npm"],
	["English", "Use pnpm instead of npm", "Use pnpm"],
	["English", "Never forget to run the migrations", "Always run the migrations"],
	["English", "Run the tests before a commit", "Never run the tests after a commit"],
	["English", "The API listens on port 4000", "The web client is served on port 3000"],
	["English", "Step 1: install", "Step 2: build"],
	["English", "Port 3000 is http, port 4000 is https", "Port 4000 is https"],
	["English", "Version 2 came out on 2024-01-02", "Version 2 came out on 2025-03-04"],
	["English", "Should we use tabs?", "Don't use tabs"],
	["English", "Use the production database for reports", "Never use the production database in tests"],
	["English", "Do not only test the happy path", "Test the happy path"],
	["English", "Note: tabs", "Note: spaces"],
	["English", "See https://example.org/a", "See https://example.org/b"],
	["English", "Avoid `no-op` commits", "The no-op handler is tested"],
	["English", "The cache holds 100 entries", "The queue holds 500 entries"],
	["English", "Bugs: #12", "Bugs: #13"],
	["English", "Created 2024", "Created 2025"],
	["English", "src/a.ts exports 3 functions", "src/b.ts exports 4 functions"],
	["English", "Don't use yarn to run npm scripts", "Use npm"],
	["English", "Build: npm run build", "Test: npm test"],
	["English", "Use vitest for tests", "Use fast-check for properties"],
	["German", "Vergiss nicht, die Tests zu starten", "Immer die Tests starten"],
	["German", "Nutze keine Klassen in Tests", "Nutze Funktionen"],
	["French", "N'oublie pas de lancer les tests", "Il faut lancer les tests"],
	["Spanish", "No olvides ejecutar las pruebas", "Siempre ejecutar las pruebas"],
	["Chinese", "不要忘记运行测试", "必须运行测试"],
	["Chinese", "特别注意缓存", "注意缓存"],
	["Japanese", "テストを実行しなければならない", "必ずテストを実行する"],
	["Japanese", "npmではなくpnpmを使う", "pnpmを使う"],
];

function found(text: string, other: string): string[] {
	return contradicted(text, [{ id: "mem_b", text: other }]).map(({ why }) => why);
}

describe("texts that ask for opposites are pointed out, whichever comes first", () => {
	test.each(OPPOSITE)("%s: %s / %s", (_, a, b) => {
		expect(found(a, b)).toEqual([expect.stringContaining("says the opposite")]);
		expect(found(b, a)).toEqual([expect.stringContaining("says the opposite")]);
	});
});

describe("texts that give one thing different values are pointed out, whichever comes first", () => {
	test.each(OTHER_VALUE)("%s: %s / %s", (_, a, b) => {
		expect(found(a, b)).toEqual([expect.stringMatching(/^has .*, not /)]);
		expect(found(b, a)).toEqual([expect.stringMatching(/^has .*, not /)]);
	});
});

describe("texts that can both hold are left in peace", () => {
	test.each(IN_PEACE)("%s: %s / %s", (_, a, b) => {
		expect(found(a, b)).toEqual([]);
		expect(found(b, a)).toEqual([]);
	});
});

test("a text never contradicts itself", () => {
	for (const [, a, b] of [...OPPOSITE, ...OTHER_VALUE, ...IN_PEACE]) {
		expect(found(a, a)).toEqual([]);
		expect(found(b, b)).toEqual([]);
	}
});
