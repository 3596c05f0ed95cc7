import { expect, test } from "vitest";
import type { Block } from "../../projections/transcript.ts";
import { previewOf, shownLine, shownText, textOf } from "../../src/debug/screen-text.ts";

const text = (text: string): Block => ({ type: "text", text });

test("what would move a cursor, hide or reorder text is written as an escape, and lines and letters stay", () => {
	expect(shownText("a\x1b[31mred\x07\u202eb\u2028c\u200b\u{e0041}\r\nd\re\tf")).toBe(
		"a\\u001b[31mred\\u0007\\u202eb\\u2028c\\u200b\\u{e0041}\nd\\u000de    f",
	);
	expect(shownText("漢字 👩‍👩‍👧 e\u0301 می‌خواهم")).toBe("漢字 👩‍👩‍👧 e\u0301 می‌خواهم");
	expect(shownText("\ud800x")).toBe("\ufffdx");
	expect(shownLine("  a \n\t b\x9b1m ")).toBe("a b\\u009b1m");
});

test("a preview has 48 characters at most, is one line, and tells of calls and images", () => {
	const call: Block = { type: "call", callId: "c", tool: "read", args: { path: "src/a.ts" } };
	const thinking: Block = { type: "thinking", text: "hm", signed: false };
	expect(previewOf({ blocks: [thinking, text("I\nlook"), call] })).toBe('I look read {"path":"src/a.ts"}');
	expect(previewOf({ blocks: [thinking] })).toBe("[thinking] hm");
	expect(previewOf({ blocks: [{ type: "image", mime: "image/png", bytes: 9 }] })).toBe("[image, image/png]");
	expect(previewOf({ blocks: [] })).toBe("");
	const long = previewOf({ blocks: [text("👩‍👩‍👧漢".repeat(100))] });
	expect(Array.from(long)).toHaveLength(48);
	expect(long.endsWith("…")).toBe(true);
});

test("a text is shown as far as a screen goes, and what is left out is counted", () => {
	expect(textOf({ blocks: [text("one"), text("two")] })).toEqual({ text: "one\ntwo", left: 0 });
	const { text: shown, left } = textOf({ blocks: [text(`${"x".repeat(3_999)}👩${"y".repeat(50)}`)] });
	expect(shown).toBe("x".repeat(3_999));
	expect(left).toBe(52);
});
