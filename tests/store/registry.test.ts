import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { defineEvent } from "../../events/envelope.ts";
import { createRegistry, EVENT_ERROR_CODES } from "../../events/registry.ts";

const Renamed = defineEvent("note/renamed", 3, Type.Object({ name: Type.String() }), {
	1: (data) => ({ title: data }),
	2: (data) => ({ name: (data as { title: string }).title.trim() }),
});
const registry = createRegistry([Renamed]);

test("a payload climbs one upcaster at a time from the version it was written in", () => {
	expect(registry.upcast("note/renamed", 1, " a ")).toEqual({ name: "a" });
	expect(registry.upcast("note/renamed", 2, { title: "b" })).toEqual({ name: "b" });
	const today = { name: "c" };
	expect(registry.upcast("note/renamed", 3, today)).toBe(today);
});

test("a type this release lacks and a version it does not know are told apart", () => {
	expect(() => registry.upcast("note/burnt", 1, {})).toThrow(
		expect.objectContaining({ code: "EVENT_UNKNOWN", type: "note/burnt" }),
	);
	expect(() => registry.upcast("note/renamed", 4, {})).toThrow(
		expect.objectContaining({ code: "EVENT_NEWER" }),
	);
	expect(() => registry.require("note/burnt")).toThrow(expect.objectContaining({ code: "EVENT_UNKNOWN" }));
	expect(registry.get("note/burnt")).toBeUndefined();
});

test.each([0, -1, 1.5, Number.NaN])("version %d is no version", (v) => {
	expect(() => registry.upcast("note/renamed", v, {})).toThrow(
		expect.objectContaining({ code: "EVENT_INVALID" }),
	);
});

test("an upcaster that throws makes the event invalid and is named as the cause", () => {
	expect(() => registry.upcast("note/renamed", 2, null)).toThrow(
		expect.objectContaining({ code: "EVENT_INVALID", cause: expect.any(TypeError) }),
	);
});

test("a catalogue with a type twice, or a version without a way up, does not load", () => {
	expect(() => createRegistry([Renamed, Renamed])).toThrow(TypeError);
	expect(() => createRegistry([{ ...Renamed, upcasters: { 1: (data) => data } }])).toThrow("note/renamed@2");
	expect(() => createRegistry([{ ...Renamed, v: 0 }])).toThrow(TypeError);
});

test("every code has its line", () => {
	for (const [code, meaning] of Object.entries(EVENT_ERROR_CODES)) {
		expect(code).toMatch(/^EVENT_/);
		expect(meaning).not.toBe("");
	}
});
