import type { Feature } from "./feature-outline.ts";

/** Lengths of time as people write them. The draft loses minutes that stand behind hours, which a property shows. */
export const spanFeature: Feature = {
	path: "src/debug/time-span.ts",
	draft: `const UNITS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Reads a span such as \`1h30m\` or \`45s\` and gives milliseconds; a \`RangeError\` names what is not one. */
export function parseSpan(text: string): number {
	const parts = [...text.matchAll(/(\\d+)([dhms])/g)];
	if (parts.length === 0 || parts.map((part) => part[0]).join("") !== text) {
		throw new RangeError(\`not a span of time: "\${text}"\`);
	}
	return parts.reduce((ms, [, n, unit]) => ms + Number(n) * UNITS[unit as keyof typeof UNITS], 0);
}

/** Writes milliseconds as the shortest span, whole seconds; zero is \`0s\`. */
export function formatSpan(ms: number): string {
	let left = Math.round(ms / 1000) * 1000;
	let text = "";
	for (const [unit, size] of Object.entries(UNITS)) {
		const n = Math.floor(left / size);
		if (n > 0) text += \`\${n}\${unit}\`;
		left %= UNITS.h;
	}
	return text === "" ? "0s" : text;
}
`,
	testPath: "tests/time-span.test.ts",
	test: `import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSpan, parseSpan } from "../src/debug/time-span.ts";

test("a span reads as the sum of its parts", () => {
	expect(parseSpan("1h30m")).toBe(5_400_000);
	expect(parseSpan("2d5s")).toBe(172_805_000);
});

test("what is not a span is named in the error", () => {
	expect(() => parseSpan("soon")).toThrow('not a span of time: "soon"');
	expect(() => parseSpan("1h, 5m")).toThrow(RangeError);
});

test("writing and reading a span gives the same whole seconds", () => {
	const seconds = fc.integer({ min: 0, max: 40 * 86_400 });
	fc.assert(
		fc.property(seconds, (n) => {
			expect(parseSpan(formatSpan(n * 1000))).toBe(n * 1000);
		}),
		{ seed: 20260302 },
	);
});
`,
	repair: { oldText: "left %= UNITS.h;", newText: "left %= size;" },
	diagnosis:
		"the remainder is taken by the hour for every unit, so days keep only their last hour and minutes come back as seconds. It has to be taken by the unit at hand.",
	leftovers: [],
};
