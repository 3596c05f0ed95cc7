import fc from "fast-check";
import { expect, test } from "vitest";
import type { KeptOutput } from "../../projections/outputs.ts";
import { onLines, partOf, textOf } from "../../src/debug/byte-parts.ts";
import { outputPart } from "../../src/debug/read-output.ts";

/** Bytes as pieces, and what was read of them. */
function kept(bytes: Buffer, piece: number) {
	const contents = new Map<string, Buffer>();
	for (let at = 0; at < bytes.length; at += piece) contents.set(`${at}`, bytes.subarray(at, at + piece));
	const output: KeptOutput = {
		entry: "e1",
		source: "bash",
		bytes: bytes.length,
		piece,
		pieces: [...contents.keys()],
	};
	const asked: string[] = [];
	const part = outputPart(output, (digest) => {
		asked.push(digest);
		return contents.get(digest);
	});
	return { part, asked, contents };
}

const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const anyText = fc.string({ unit: "grapheme", maxLength: 80 }).map((text) => Buffer.from(text));

test("any slice of an output is those bytes, and slices one behind the other are the whole", () => {
	fc.assert(
		fc.property(
			anyBytes,
			fc.integer({ min: 1, max: 40 }),
			fc.integer({ min: 1, max: 60 }),
			(bytes, piece, step) => {
				const { part } = kept(bytes, piece);
				const read: Uint8Array[] = [];
				for (let at = 0; at < bytes.length; at += step) {
					const end = Math.min(at + step, bytes.length);
					expect(Buffer.from(part.read(at, end)).equals(bytes.subarray(at, end))).toBe(true);
					read.push(part.read(at, end));
				}
				expect(Buffer.concat(read).equals(bytes)).toBe(true);
			},
		),
		{ seed: 3 },
	);
});

test("slices of text break no character wherever pieces end, and together they are the text", () => {
	fc.assert(
		fc.property(
			anyText,
			anyText,
			fc.integer({ min: 1, max: 9 }),
			fc.integer({ min: 4, max: 20 }),
			(a, b, piece, step) => {
				const whole = onLines([kept(a, piece).part, partOf(b)]);
				let joined = "";
				for (let at = 0; at < whole.bytes; ) {
					const { start, end, text } = textOf(whole, at, step);
					expect(start).toBe(at);
					expect(end - start).toBeLessThanOrEqual(step);
					joined += text;
					at = end;
				}
				expect(joined).toBe(`${a}\n${b}`);
			},
		),
		{ seed: 4 },
	);
});

test("reading goes on through bytes that are no text", () => {
	const { part } = kept(Buffer.alloc(64, 0x80), 10);
	const ends: number[] = [];
	for (let at = 0; at < part.bytes; at = ends.at(-1) ?? 64) ends.push(textOf(part, at, 5).end);
	expect(ends.at(-1)).toBe(64);
	expect(ends).toEqual([...new Set(ends)]);
});

test("a slice reads the pieces it reaches and no others", () => {
	const { part, asked } = kept(Buffer.alloc(100, "x"), 10);
	part.read(25, 41);
	expect(asked).toEqual(["20", "30", "40"]);
});

test("a piece that is gone is told with its place", () => {
	const { part, contents } = kept(Buffer.alloc(25, "x"), 10);
	contents.delete("20");
	expect(part.read(0, 20)).toHaveLength(20);
	expect(() => part.read(0, 25)).toThrow(
		"of the whole output behind e1, 5 bytes from byte 20 on are no longer stored",
	);
});
