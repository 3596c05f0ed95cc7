import fc from "fast-check";
import { expect, test } from "vitest";
import { IdSet } from "../../src/adapters/sessions/pi/id-set.ts";

const hex = fc.integer({ min: 0, max: 0xffff_ffff }).map((n) => n.toString(16).padStart(8, "0"));
const id = fc.oneof(
	hex,
	fc.constantFrom("00000000", "ffffffff", "FFFFFFFF", "0000000", "__proto__"),
	fc.string(),
);

test("a set of ids holds what was added and nothing else", () => {
	fc.assert(
		fc.property(fc.array(id, { maxLength: 200 }), fc.array(id), (added, asked) => {
			const ids = new IdSet();
			const plain = new Set<string>();
			for (const one of added) {
				ids.add(one);
				plain.add(one);
			}
			for (const one of [...added, ...asked]) expect(ids.has(one)).toBe(plain.has(one));
		}),
	);
});

test("ids that follow each other, and far more than fit at first, are all kept", () => {
	const ids = new IdSet();
	const name = (n: number) => n.toString(16).padStart(8, "0");
	for (let n = 0; n < 20_000; n++) ids.add(name(n * 2));
	for (let n = 0; n < 20_000; n++)
		expect([ids.has(name(n * 2)), ids.has(name(n * 2 + 1))]).toEqual([true, false]);
});
