import { describe, expect, test } from "vitest";
import { lossesOf } from "../../projections/memory/losses.ts";
import { valuesIn } from "../../projections/memory/values.ts";

describe("a constraint that the new text drops is told", () => {
	test.each([
		["The API is public.\nIt must stay compatible.", "The API is public."],
		["Never push to main. Squash first.", "Squash first."],
		["Always sign. Be brief.", "Be brief."],
		["The build requires a network. It is quick.", "It is quick."],
		["Do not edit generated code. It is large.", "It is large."],
		["Don't edit generated code; it is large.", "It is large."],
		["Der Server läuft. Er darf nicht neu starten.", "Der Server läuft."],
		["Le serveur tourne. Il ne doit jamais redémarrer.", "Le serveur tourne."],
		["El servidor funciona. Nunca debe reiniciarse.", "El servidor funciona."],
		["服务器在运行。禁止重启服务器。", "服务器在运行。"],
		["サーバーは動いている。再起動してはいけない。", "サーバーは動いている。"],
	])("%s", (old, text) => {
		expect(lossesOf(old, text)).toEqual([expect.stringMatching(/^the constraint “.+”$/)]);
	});
});

describe("what is said in other words, or not laid down, is not lost", () => {
	test.each([
		["It must never push to main.", "Never push to main."],
		["Do not edit generated code.", "Don't edit any generated code."],
		["The tests are quick. The build is slow.", "The tests are quick."],
		["Never push to main.", "Squash first. Never push to main!"],
		["Der Server darf nicht neu starten.", "Der Server darf nachts nicht neu starten."],
		["禁止重启服务器。", "服务器很重要。禁止重启服务器。"],
	])("%s / %s", (old, text) => expect(lossesOf(old, text)).toEqual([]));
});

test("a constraint turned into its opposite is lost", () => {
	expect(
		lossesOf("Always squash commits before merging.", "Never squash commits before merging."),
	).toHaveLength(1);
});

describe("values are what is of no use unless it stays to the letter", () => {
	test.each([
		["Run `npm ci` first", ["npm ci"]],
		['Call it "Big Bang" and „Urknall“', ["Big Bang", "Urknall"]],
		["The id is pi-palimpsest-core", ["pi-palimpsest-core"]],
		["Set MAX_RETRIES and log_level", ["MAX_RETRIES", "log_level"]],
		["It reads process.env in src/a.ts", ["process.env", "src/a.ts"]],
		["Port 3000, 2.5 seconds, 80 %, 30s", ["3000", "2.5", "80 %", "30s"]],
		["Decided on 2024-05-06, at 2024-05-06T07:08:09Z", []],
		["1. first\n2. second", []],
		["a read-only, well-known, up-to-date list", []],
		["端口是3000，名字是「核心」", ["3000", "核心"]],
		["It's the user's own, isn't it?", []],
	])("%s", (text, values) => expect(valuesIn(text)).toEqual(values));
});

test("values that the new text lacks are told, six at most, and not those it has in another dress", () => {
	expect(lossesOf("Port 3000 and `main`", "The port is 3000, the branch main")).toEqual([]);
	expect(lossesOf("Port 3000", "Port 30000")).toEqual(["the value 3000"]);
	const many = Array.from({ length: 9 }, (_, n) => `value_${n}`).join(" ");
	expect(lossesOf(many, "none")).toHaveLength(6);
});
