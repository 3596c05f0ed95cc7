import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { quarantineReasons, REPORT_LIST_LIMIT } from "../../src/adapters/sessions/pi/report.ts";
import { openSession } from "../../src/adapters/sessions/pi/session.ts";
import {
	assistant,
	drain,
	fileOf,
	header,
	load,
	node,
	plain,
	sourceOf,
	textOf,
	textsOf,
	user,
} from "./pi-fixture.ts";

const one = node("message", 1, user("one"));
const two = node("message", 2, user("two — ü 漢字"));
const three = node("message", 3, user("three"));
const lines = [header(3), one, two, three].map(textOf);

function ids(entries: readonly TranscriptEntry[]): string[] {
	return entries.map(({ id }) => id);
}

test("an unbroken file leaves an empty report", async () => {
	const { session, entries } = await load(lines);
	expect(entries.map(sourceOf)).toEqual(lines.slice(1));
	expect(session.report).toEqual({
		entries: 3,
		bytesRead: session.size,
		quarantined: [],
		salvaged: [],
		reparented: [],
		repeated: [],
		extraHeaders: [],
		invalidUtf8: [],
		unknown: new Map(),
		openEnd: false,
		unlisted: 0,
	});
});

test("line ends of Windows and a byte-order mark are no part of an entry", async () => {
	const bytes = Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`);
	const { session, entries } = await load(bytes);
	expect(session.header?.id).toBe("0190-session");
	expect(entries.map(sourceOf)).toEqual(lines.slice(1));
	expect(session.report.quarantined).toEqual([]);
});

test("empty lines and lines of white space are counted and nothing else", async () => {
	const { session, entries } = await load(["", lines[0] ?? "", " \t", lines[1] ?? "", "", lines[2] ?? ""]);
	expect(entries.map(({ line }) => line)).toEqual([4, 6]);
	expect(session.report.quarantined).toEqual([]);
});

test("a last line without line end is an entry, and the report says that the end is open", async () => {
	const { session, entries } = await load(Buffer.from(lines.join("\n")));
	expect(ids(entries)).toEqual(["e1", "e2", "e3"]);
	expect(session.report).toMatchObject({ openEnd: true, quarantined: [] });
});

test("a torn last line is quarantined as unterminated with its place and digest", async () => {
	const whole = `${lines.slice(0, 3).join("\n")}\n`;
	const torn = '{"type":"message","id":"e3","parentId":"e2","mess';
	const { session, entries } = await load(Buffer.from(whole + torn));
	expect(ids(entries)).toEqual(["e1", "e2"]);
	const digest = createHash("sha256").update(torn).digest("hex");
	expect(session.report.quarantined).toEqual([
		{ line: 4, offset: Buffer.byteLength(whole), bytes: torn.length, digest, reason: "unterminated" },
	]);
	expect(session.report.openEnd).toBe(false);
});

test("a fused line gives both its objects, each with its own bytes", async () => {
	const fused = `${textOf(one)}${textOf(two)}`;
	const { session, entries } = await load([header(3), fused, three]);
	expect(entries.map(sourceOf)).toEqual([textOf(one), textOf(two), textOf(three)]);
	expect(entries.map(({ line }) => line)).toEqual([2, 2, 3]);
	expect(session.report).toMatchObject({
		salvaged: [{ line: 2, objects: 2 }],
		quarantined: [],
		reparented: [],
	});
});

test("fused objects of version 1 are called after their place in the line", async () => {
	const objects = [1, 2, 3].map((n) => textOf(plain("message", n, user(`${n}`))));
	const { entries } = await load([header(), objects.join(" "), plain("message", 4, user("4"))]);
	expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
		["line-2", null],
		["line-2.2", "line-2"],
		["line-2.3", "line-2.2"],
		["line-3", "line-2.3"],
	]);
});

test("a header fused to the first entry is still the header", async () => {
	const { session, entries } = await load([textOf(header(3)) + textOf(one), two]);
	expect(session.header?.id).toBe("0190-session");
	expect(ids(entries)).toEqual(["e1", "e2"]);
	expect(session.report).toMatchObject({ salvaged: [{ line: 1, objects: 2 }], extraHeaders: [] });
});

test("a cut prefix glued to a whole object is quarantined, and the object is an entry", async () => {
	const next = textOf(node("message", 3, user("three"), "e1"));
	for (let cut = 1; cut < textOf(two).length; cut++) {
		const prefix = textOf(two).slice(0, cut);
		const { session, entries } = await load([header(3), one, prefix + next]);
		expect(entries.map(sourceOf)).toEqual([textOf(one), next]);
		expect(session.report.salvaged).toEqual([{ line: 3, objects: 1 }]);
		expect(session.report.quarantined).toMatchObject([{ line: 3, bytes: Buffer.byteLength(prefix) }]);
	}
});

test("three cut prefixes, each glued to a whole object, leave three objects", async () => {
	const glued = [one, two, three].map((entry) => `{"type":"message","id":"lost","mess${textOf(entry)}`);
	const { session, entries } = await load([header(3), glued.join("")]);
	expect(ids(entries)).toEqual(["e1", "e2", "e3"]);
	expect(session.report.salvaged).toEqual([{ line: 2, objects: 3 }]);
	expect(session.report.quarantined).toHaveLength(3);
});

test("a whole object with rubbish behind it is an entry", async () => {
	for (const rubbish of ["}", "]}}", "xyz", '{"type":"mess', "\uFFFD"]) {
		const { session, entries } = await load([header(3), textOf(one) + rubbish, two]);
		expect(entries.map(sourceOf)).toEqual([textOf(one), textOf(two)]);
		expect(session.report.quarantined).toMatchObject([{ line: 2, bytes: Buffer.byteLength(rubbish) }]);
	}
});

test("arguments that look like an entry do not become one when the entry around them breaks", async () => {
	const args = { entries: [one, two], last: three };
	const call = textOf(
		node("message", 1, assistant([{ type: "toolCall", id: "c", name: "x", arguments: args }])),
	);
	const broken = [
		call.replace('"text":"one"', '"text":"\\one"'),
		call.replace('"stopReason"', "stopReason"),
		call.slice(0, -1),
		call.slice(1),
		`${call.slice(0, call.indexOf('"last"'))}`,
	];
	for (const line of broken) {
		const { session, entries } = await load([header(3), line]);
		expect(entries).toEqual([]);
		expect(session.report.quarantined).toMatchObject([{ line: 2, bytes: Buffer.byteLength(line) }]);
		expect(session.report.salvaged).toEqual([]);
	}
});

test("an object glued where a value was to come is an entry if its parent is one of this session's", async () => {
	const cut = '{"type":"custom","id":"e2","parentId":"e1","timestamp":"t","data":';
	for (const [parent, known] of [
		["e1", true],
		["e2", true],
		["e7", false],
	] as const) {
		const { entries } = await load([header(3), one, cut + textOf(node("message", 3, user("x"), parent))]);
		expect(ids(entries)).toEqual(known ? ["e1", "e3"] : ["e1"]);
	}
	const { entries } = await load([
		header(),
		'{"type":"custom","data":',
		'{"data":{"type":"message","timestamp":"t","message":{"role":"user"}}',
	]);
	expect(entries).toEqual([]);
});

test("an escape that JSON does not know is quarantined as such and not repaired", async () => {
	const broken = textOf(two).replace("two", "a\\***@***");
	const { session, entries } = await load([header(3), one, broken, three]);
	expect(ids(entries)).toEqual(["e1", "e3"]);
	expect(session.report.quarantined).toMatchObject([{ line: 3, reason: "bad-escape" }]);
	expect(entries[1]?.parent).toBe("e1");
	const escaped = textOf(node("message", 2, user("\\ \\\\ \\x \u0000 \u2028")));
	expect((await load([header(3), one, escaped])).session.report.quarantined).toEqual([]);
});

test("each broken line is reported for its own reason, and nothing else is lost", async () => {
	const broken = [
		"[1,2]",
		"42",
		'"text"',
		'{"id":"x"}',
		"rubbish",
		'{"type":"message","id":"e9","par',
		"{]}",
	];
	const { session, entries } = await load([header(3), one, ...broken, two]);
	expect(ids(entries)).toEqual(["e1", "e2"]);
	expect(session.report.quarantined.map(({ line, reason }) => [line, reason])).toEqual([
		[3, "not-an-entry"],
		[4, "not-an-entry"],
		[5, "not-an-entry"],
		[6, "not-an-entry"],
		[7, "malformed"],
		[8, "truncated"],
		[9, "malformed"],
	]);
});

test("a cut inside a character harms one record, whose bytes stay as they were", async () => {
	const bytes = Buffer.from(`${lines.join("\n")}\n`);
	const at = bytes.indexOf("漢") + 1;
	const harmed = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
	const { session, entries } = await load(harmed);
	expect(ids(entries)).toEqual(["e1", "e2", "e3"]);
	expect(textsOf(entries[1])[0]).toContain("\uFFFD");
	expect(harmed.includes(Buffer.from(entries[1]?.bytes ?? [1, 2]))).toBe(true);
	expect(session.report).toMatchObject({ invalidUtf8: [3], quarantined: [] });
});

test("a run of NUL bytes is quarantined as a gap, and both sides load", async () => {
	for (const size of [1, 512, 3_000_000]) {
		const whole = Buffer.from(`${lines.slice(0, 2).join("\n")}\n`);
		const bytes = Buffer.concat([whole, Buffer.alloc(size), Buffer.from(`${lines[2]}\n${lines[3]}\n`)]);
		const { session, entries } = await load(bytes);
		expect(entries.map(sourceOf)).toEqual(lines.slice(1));
		const digest = createHash("sha256").update(Buffer.alloc(size)).digest("hex");
		expect(session.report.quarantined).toEqual([
			{ line: 3, offset: whole.length, bytes: size, digest, reason: "nul-gap" },
		]);
		expect(session.report.salvaged).toEqual([{ line: 3, objects: 1 }]);
	}
});

test("a gap through the middle of entries takes those it touches and no other", async () => {
	const bytes = Buffer.from(`${lines.join("\n")}\n`);
	bytes.fill(0, bytes.indexOf('"one"') + 2, bytes.indexOf('"two') - 10);
	const { session, entries } = await load(bytes);
	expect(ids(entries)).toEqual(["e3"]);
	expect(session.report.quarantined.map(({ reason }) => reason)).toEqual([
		"truncated",
		"nul-gap",
		"malformed",
	]);
});

test("a gap at the file's end is reported", async () => {
	const { session, entries } = await load(
		Buffer.concat([Buffer.from(`${lines.join("\n")}\n`), Buffer.alloc(99)]),
	);
	expect(entries).toHaveLength(3);
	expect(session.report.quarantined).toMatchObject([{ line: 5, bytes: 99, reason: "nul-gap" }]);
});

test("lines longer than what is read at a time come out whole", async () => {
	const long = [1, 2, 3].map((n) => textOf(node("message", n, user("漢".repeat(700_000 + n)))));
	const { session, entries } = await load([header(3), ...long, node("message", 4, user("short"))]);
	expect(entries.map(sourceOf).slice(0, 3)).toEqual(long);
	expect(entries[3]?.line).toBe(5);
	expect(session.report.quarantined).toEqual([]);
});

test("a line longer than the limit is quarantined by digest, and the lines around it load", async () => {
	const long = textOf(node("message", 2, user("x".repeat(2_500_000))));
	const { session, entries } = await load([header(3), one, long, three], { maxLineBytes: 2_000_000 });
	expect(ids(entries)).toEqual(["e1", "e3"]);
	const digest = createHash("sha256").update(long).digest("hex");
	expect(session.report.quarantined).toMatchObject([
		{ line: 3, bytes: long.length, digest, reason: "too-long" },
	]);
});

test("a header further on is passed over and named", async () => {
	const { session, entries } = await load([header(3), one, header(3), two]);
	expect(ids(entries)).toEqual(["e1", "e2"]);
	expect(session.report.extraHeaders).toEqual([3]);
});

test("a file that grows is read as it stood when the pass began", async () => {
	const path = fileOf(lines.slice(0, 3));
	const session = await openSession(path);
	const read: TranscriptEntry[] = [];
	for await (const entry of session.entries) {
		if (read.push(entry) === 1) appendFileSync(path, `${lines[3]}\n`);
	}
	expect(ids(read)).toEqual(["e1", "e2"]);
	expect(ids(await drain(session.entries))).toEqual(["e1", "e2", "e3"]);
	expect(readFileSync(path, "utf8")).toBe(`${lines.join("\n")}\n`);
});

test("entries kept by a reader are not overwritten by what is read next", async () => {
	const many = Array.from({ length: 3000 }, (_, i) =>
		textOf(node("message", i + 1, user(`${i} `.repeat(300)))),
	);
	const { entries } = await load([header(3), ...many]);
	expect(entries.map(sourceOf)).toEqual(many);
});

test("a tangle of nested heads ends, quarantined", async () => {
	const open = '{"type":"message","timestamp":"t","message":{"role":"user"},"a":'.repeat(4000);
	for (const tangle of [open, `${open}1${"}".repeat(3999)}`, `x${open}1${"}".repeat(4000)}]`]) {
		const { session, entries } = await load([header(3), one, tangle, two]);
		expect(ids(entries)).toEqual(["e1", "e2"]);
		expect(session.report.quarantined).toMatchObject([{ line: 3, bytes: tangle.length }]);
	}
});

test("a file broken all over is reported up to a limit, and the rest is counted", async () => {
	const rubbish = Array.from({ length: REPORT_LIST_LIMIT + 5 }, () => "x");
	const { session, entries } = await load([header(3), one, ...rubbish, two]);
	expect(ids(entries)).toEqual(["e1", "e2"]);
	expect(session.report.quarantined).toHaveLength(REPORT_LIST_LIMIT);
	expect(session.report.unlisted).toBe(5);
	expect(quarantineReasons).toHaveProperty(session.report.quarantined[0]?.reason ?? "");
});
