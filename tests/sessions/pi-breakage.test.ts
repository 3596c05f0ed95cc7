import fc from "fast-check";
import { expect, test } from "vitest";
import { assistant, header, load, node, plain, sourceOf, textOf, user } from "./pi-fixture.ts";

/** What happens to a line. Offsets are shares of the line's length, from 0 to 1. */
type Fate =
	| { readonly is: "whole"; readonly end: "\n" | "\r\n" | "\n\n" }
	| { readonly is: "fused" }
	| { readonly is: "cut"; readonly at: number; readonly glued: boolean }
	| { readonly is: "escape" }
	| { readonly is: "gap"; readonly at: number; readonly size: number }
	| { readonly is: "gapBefore"; readonly size: number }
	| { readonly is: "rubbish"; readonly text: string };

const share = fc.double({ min: 0, max: 1, noNaN: true });

const fate: fc.Arbitrary<Fate> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ is: fc.constant("whole"), end: fc.constantFrom("\n", "\r\n", "\n\n") }),
	},
	fc.record({ is: fc.constant("fused") }),
	fc.record({ is: fc.constant("cut"), at: share, glued: fc.boolean() }),
	fc.record({ is: fc.constant("escape") }),
	fc.record({ is: fc.constant("gap"), at: share, size: fc.integer({ min: 1, max: 40 }) }),
	fc.record({ is: fc.constant("gapBefore"), size: fc.integer({ min: 1, max: 40 }) }),
	fc.record({
		is: fc.constant("rubbish"),
		text: fc.constantFrom("}", "]}", "x", '"', '{"type":"mess', "\u00ff\\"),
	}),
) as fc.Arbitrary<Fate>;

/** An entry's text, with an object inside that has all the marks of an entry. */
function entryText(version: number, n: number, text: string): string {
	const make = (type: string, fields: object) =>
		version === 1 ? plain(type, n, fields) : node(type, n, fields);
	const args = { text, nested: [textOf(node("message", 900, user(text))), node("message", 901, user(text))] };
	const call = assistant([
		{ type: "text", text },
		{ type: "toolCall", id: "c", name: "x", arguments: args },
	]);
	return textOf(n % 3 === 0 ? make("message", user(text)) : make("message", call));
}

/** Where a value was to come, a glued entry might be a nested one; the cut moves on. */
function cutAt(bytes: Buffer, at: number): number {
	let cut = 1 + Math.floor(at * (bytes.length - 3));
	while (":,[ ".includes(String.fromCharCode(bytes[cut - 1] ?? 0))) cut++;
	return Math.min(cut, bytes.length - 1);
}

interface Broken {
	readonly file: Buffer;
	/** texts of the entries that stand whole in the file */
	readonly whole: readonly string[];
	/** 1-based lines that are not what the host wrote */
	readonly harmed: ReadonlySet<number>;
	/** bytes of the file that belong to lines, not to what stands on them */
	readonly filler: number;
}

function breakUp(version: number, entries: readonly (readonly [string, Fate])[]): Broken {
	const parts: Buffer[] = [Buffer.from(`${textOf(header(version === 1 ? undefined : version))}\n`)];
	const whole: string[] = [];
	const harmed = new Set<number>();
	let filler = 1;
	let line = 2;
	function put(bytes: Buffer | string, end: "" | "\n" | "\r\n" | "\n\n", isFlawed: boolean): void {
		parts.push(Buffer.from(bytes), Buffer.from(end));
		filler += end.length;
		if (isFlawed) harmed.add(line);
		line += end.split("\n").length - 1;
	}
	entries.forEach(([text, happened], i) => {
		const bytes = Buffer.from(entryText(version, i + 1, text));
		const before = entries[i - 1]?.[1];
		const glued = before?.is === "cut" && before.glued;
		switch (happened.is) {
			case "whole":
				whole.push(bytes.toString());
				put(bytes, happened.end, false);
				return;
			case "fused":
				whole.push(bytes.toString());
				put(bytes, "", true);
				return;
			case "cut":
				put(bytes.subarray(0, cutAt(bytes, happened.at)), happened.glued ? "" : "\n", true);
				return;
			case "escape":
				put(bytes.toString().replace('"text":"', '"text":"\\*'), "\n", true);
				return;
			case "gap": {
				const cut = cutAt(bytes, happened.at);
				put(
					Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(happened.size), bytes.subarray(cut)]),
					"\n",
					true,
				);
				return;
			}
			case "gapBefore":
				whole.push(bytes.toString());
				put(Buffer.concat([Buffer.alloc(happened.size), bytes]), "\n", true);
				return;
			case "rubbish":
				// Between a cut prefix and a closing brace an object cannot be told from one nested in a broken entry.
				if (!glued || happened.text.startsWith("{")) whole.push(bytes.toString());
				put(Buffer.concat([bytes, Buffer.from(happened.text)]), "\n", true);
				return;
			default:
				happened satisfies never;
		}
	});
	return { file: Buffer.concat(parts), whole, harmed, filler };
}

const sessions = fc.record({
	version: fc.constantFrom(1, 2, 3),
	entries: fc.array(fc.tuple(fc.string({ unit: "grapheme", maxLength: 30 }), fate), {
		minLength: 1,
		maxLength: 12,
	}),
});

test("whatever breaks, untouched entries come out byte for byte and every other byte is reported", async () => {
	await fc.assert(
		fc.asyncProperty(sessions, async ({ version, entries: written }) => {
			const { file, whole, harmed, filler } = breakUp(version, written);
			const { session, entries } = await load(file);
			const { quarantined, salvaged } = session.report;
			expect(entries.map(sourceOf)).toEqual(whole);

			const reported = new Set([...quarantined, ...salvaged].map(({ line }) => line));
			const openEnd = session.report.openEnd ? entries.at(-1)?.line : undefined;
			expect([...harmed].filter((line) => !reported.has(line) && line !== openEnd)).toEqual([]);
			expect([...reported].filter((line) => !harmed.has(line))).toEqual([]);

			const headerBytes = file.indexOf("\n");
			const entryBytes = entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
			const lostBytes = quarantined.reduce((sum, { bytes }) => sum + bytes, 0);
			expect(headerBytes + entryBytes + lostBytes + filler).toBe(file.length);

			const seen = new Set<string | null>([null]);
			for (const { id, parent } of entries) {
				expect(seen.has(parent) && !seen.has(id)).toBe(true);
				seen.add(id);
			}
		}),
		{ numRuns: 400 },
	);
});

test("wherever the file is cut, the entries before the cut are whole and the rest is reported", async () => {
	const lines = [textOf(header(3)), ...[1, 2, 3].map((n) => entryText(3, n, "é漢𝄞"))];
	const file = Buffer.from(`${lines.join("\n")}\n`);
	const begin = lines[0]?.length ?? 0;
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: begin, max: file.length }), async (cut) => {
			const kept = file.subarray(0, cut);
			const { session, entries } = await load(kept);
			const complete = lines
				.slice(1)
				.filter((_, i) => cut >= Buffer.byteLength(lines.slice(0, i + 2).join("\n")));
			expect(entries.map(sourceOf)).toEqual(complete);
			const rest = kept.subarray(Buffer.byteLength(lines.slice(0, complete.length + 1).join("\n")) + 1);
			expect(session.report.quarantined.map(({ bytes }) => bytes)).toEqual(
				rest.length > 0 ? [rest.length] : [],
			);
		}),
		{ numRuns: 300 },
	);
});
