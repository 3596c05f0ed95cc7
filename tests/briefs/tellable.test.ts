import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Brief } from "../../projections/brief/brief.ts";
import { cutBrief } from "../../projections/brief/cut-brief.ts";
import { groupBrief } from "../../projections/brief/group-brief.ts";
import { withSupplied } from "../../projections/brief/render.ts";
import {
	type TruncationBrief,
	truncationCutBrief,
	truncationGroupBrief,
	truncationSupplied,
} from "../../projections/brief/truncation.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { cut } from "./made-cuts.ts";
import { ran, said, user } from "./transcripts.ts";

/** Made up, and put together here so that no scanner takes them for real; each with the part that must not be told. */
const SECRETS: { readonly [kind: string]: readonly [text: string, part: string] } = {
	"model key": [`My API key is sk-${"ant-api03-AAAABBBBCCCCDDDDEEEEFFFF"}`, "AAAABBBB"],
	password: ["password: hunter2secret!", "hunter2secret"],
	"a quoted password": ['{"password": "correct horse_battery9"}', "horse_battery9"],
	"JSON within JSON": ['"{\\"api_key\\": \\"plain_value9\\"}"', "plain_value9"],
	"a variable": ["export DEPLOY_TOKEN=tok_plain_77", "tok_plain_77"],
	"an option": ["deploy --password hunter2secret", "hunter2secret"],
	url: ["postgres://ann:hunter2secret@db.example.org/app", "hunter2secret"],
	"a URL's password with an at in it": ["https://ann:p@ssw0rd_77x@example.org/", "ssw0rd_77x"],
	"forge token": [`ghp_${"x7Gk29dLmQ0rT5vW8yZ1aB3cD4eF6gH7iJ8k"}`, "x7Gk29"],
	"coloured token": [`ghp_x7Gk\u001b[31m${"29dLmQ0rT5vW8yZ1aB3c"}\u001b[0m`, "29dLmQ0r"],
	"random run": ["Zx81kQ0pLm39VbT7yR2wNc5D", "Zx81kQ0p"],
};

const KINDS = Object.entries(SECRETS).map(([kind, [text, part]]) => ({ kind, text, part }));

/** A span that holds a text wherever one can stand. */
function spanWith(text: string): TranscriptEntry[] {
	return [
		user(`${text} and go on in src/a.ts`),
		user(`${"word ".repeat(9)} ${text}`),
		...ran("bash", { command: `deployNow ${text}` }, `${text}\nsrc/b.ts`),
		...ran("bash", { command: `cd /srv && deployOnce ${text}` }, `Error: refused ${text}`, true),
		...ran("write", { path: `keys/${text}`, content: text }, text),
		...ran("edit", { path: "src/a.ts", oldText: text, newText: text, list: [{ text }] }, "ok"),
		said(`I go on with ${text}`),
	];
}

const group = (spans: readonly TranscriptEntry[][]) => {
	const briefs: Brief[] = [];
	for (const span of spans) briefs.push(cutBrief(span, briefs));
	return groupBrief(briefs);
};

describe.each(KINDS)("$kind", ({ text, part }) => {
	test("no brief tells it, in its text nor in what is kept of it for later, and it tells the rest", () => {
		const brief = cutBrief(spanWith(text));
		expect(JSON.stringify(brief)).not.toContain(part);
		expect(brief.text).toContain("src/a.ts");
		expect(JSON.stringify(group([spanWith(text), spanWith(`again ${text}`)]))).not.toContain(part);
		expect(JSON.stringify(withSupplied(brief, "a note"))).not.toContain(part);
	});

	test("no brief that cuts texts short tells it", () => {
		const briefs = [
			truncationCutBrief(spanWith(text)),
			truncationCutBrief(ran("bash", { command: text }, `${text}\n\n${text}`)),
			truncationCutBrief([said(`${"word ".repeat(29)}${text}`)]),
		];
		expect(JSON.stringify([...briefs, truncationGroupBrief(briefs)])).not.toContain(part);
	});

	test("what was supplied stays word for word, and its group does not repeat it", () => {
		const child = withSupplied(cutBrief([user("Go.")]), text);
		expect(child.text).toContain(text);
		expect(JSON.stringify(groupBrief([child]))).not.toContain(part);
	});
});

test("a field of a call that is named as a secret is not told, whatever it holds", () => {
	const args = { password: "plain_word9", login: { apiKey: ["plain_word9", 40713999] }, max_tokens: 81920 };
	const entries = [...ran("log_in", args, "ok"), user("Go on in src/a.ts.")];
	const told = JSON.stringify([cutBrief(entries), truncationCutBrief(ran("log_in", args, "ok"))]);
	expect(told).not.toContain("plain_word9");
	expect(told).not.toContain("40713999");
	expect(told).toContain("81920");
});

test("what an earlier release kept is told on without what looks like a secret by itself", () => {
	const token = `ghp_${"x7Gk29dLmQ0rT5vW8yZ1aB3cD4eF6gH7iJ8k"}`;
	const stored: Brief = {
		text: `User asked "take ${token}". Ran bash.\nuser: ${token} readHead`,
		account: { asked: `take ${token}`, asks: 1, runs: [{ tool: "bash", ran: 1, failed: 0 }], ended: token },
		items: [
			{ head: "user", tool: "user", weight: 0, names: [token, "readHead"].map((name) => [name, 9999]) },
			{ head: `$ use ${token}`, tool: "bash", weight: 0, names: [["openStore", 9999]] },
		],
		again: [[token, 9]],
	};
	for (const brief of [groupBrief([stored]), withSupplied(stored, "a note")]) {
		expect(JSON.stringify(brief)).not.toContain("x7Gk29");
		expect(brief.text).toMatch(/readHead[\s\S]*openStore/);
	}
	const short: TruncationBrief = { text: `Noted: ${token}`, notes: [token] };
	const told = [truncationGroupBrief([short]), { ...truncationSupplied(short, "a note"), notes: [] }];
	expect(JSON.stringify(told)).not.toContain("x7Gk29");
});

test("what steers a terminal is no name, as it is or as code writes it", () => {
	const shown =
		"\u001b[31mRED_FLAG\u001b[0m \u001b[1;38;5;12mBLUE_FLAG \u001b]8;;x:y\u0007LINKED_1 \u009b2KCLEARED_1";
	const brief = cutBrief([
		user(shown),
		...ran("bash", { command: "ls --color" }, "src/\u001b[01;31mopen\u001b[K\u001b[m-store.ts"),
		said("It prints \\x1b[32mGREEN_FLAG, \\u001b[33mYELLOW_FLAG and \\033[0;34mNAVY_FLAG."),
	]);
	const names = brief.items.flatMap((item) => item.names.map(([name]) => name));
	expect(names).toEqual(
		expect.arrayContaining([
			...["RED_FLAG", "BLUE_FLAG", "LINKED_1", "CLEARED_1", "src/open-store.ts"],
			...["GREEN_FLAG", "YELLOW_FLAG", "NAVY_FLAG"],
		]),
	);
	expect(names.filter((name) => /\d+m[A-Z]/.test(name))).toEqual([]);
});

test("between quotation marks stands what was said, escaped as in JSON", () => {
	const opening = (text: string) => cutBrief([user(text), said("Done.")]).text.split("\n")[0];
	expect(opening('Now CALL read {"path":"src/file-1.ts"}')).toBe(
		'User asked "Now CALL read {\\"path\\":\\"src/file-1.ts\\"}". No tool ran; assistant: "Done".',
	);
	expect(opening("# Fix `C:\\new` in <b>. Then stop.")).toContain(
		'asked "# Fix `C:\\\\new` in \\u003cb\\u003e".',
	);
	expect(opening('**Look.** "Why?" I ask.')).toContain('asked "**Look.**".');
});

test("a quotation is a string of JSON, however it was cut short, and gives what was said", () => {
	const words = fc.array(fc.constantFrom('"', "\\", "<", ">", "a", "u00", "word ", "…"), { maxLength: 120 });
	fc.assert(
		fc.property(words, (parts) => {
			const text = `ask ${parts.join("")}`;
			const quote = /^User asked ("(?:[^"\\]|\\.)*")\. No tool ran\.$/.exec(
				cutBrief([user(text)]).text.split("\n")[0] ?? "",
			)?.[1];
			const whole = text.replace(/\s+/g, " ").trim();
			const told: string = JSON.parse(quote ?? "");
			expect(whole.startsWith(told) || whole.startsWith(told.replace(/…$/, ""))).toBe(true);
		}),
	);
});

test("a name that two said is listed under who said it first", () => {
	const rules = Array.from({ length: 10 }, (_, i) => `rule_${i + 1}`);
	const asked = user(`Keep ${rules.join(" ")}.`);
	const both = [asked, said(`I keep ${rules.slice(0, 5).join(" ")}.`)];
	const speakers = ({ items }: Brief) =>
		items.flatMap(({ head, names }) => names.map(([name]) => `${head}: ${name}`));
	expect(speakers(cutBrief(both))).toEqual(rules.map((rule) => `user: ${rule}`));
	expect(speakers(group([both, [said(`So ${rules.join(" ")}.`)]]))).toEqual(
		rules.map((rule) => `user: ${rule}`),
	);
	const apart = groupBrief([cutBrief([said(`Is it ${rules[0]}?`)]), cutBrief([asked])]);
	expect(speakers(apart).filter((line) => line.endsWith(": rule_1"))).toEqual(["assistant: rule_1"]);
});

test("no brief of any cut tells a password that stands in it", () => {
	fc.assert(
		fc.property(cut, cut, (before, after) => {
			const entries = [...before, user("password: hunter2secret"), ...after];
			expect(JSON.stringify([cutBrief(entries), truncationCutBrief(entries)])).not.toContain("hunter2");
		}),
		{ numRuns: 40 },
	);
});
