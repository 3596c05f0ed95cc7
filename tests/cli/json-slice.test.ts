import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldBytes } from "../../src/adapters/sessions/json-slice.ts";

const slice = (json: string, field: string) => {
	const bytes = fieldBytes(Buffer.from(json), field);
	return bytes && Buffer.from(bytes).toString();
};

test("a field's value is found as it stands, whatever surrounds it", () => {
	fc.assert(
		fc.property(
			fc.jsonValue(),
			fc.dictionary(
				fc.string().filter((key) => key !== "message"),
				fc.jsonValue(),
			),
			fc.dictionary(
				fc.string().filter((key) => key !== "message"),
				fc.jsonValue(),
			),
			fc.constantFrom(undefined, 1, "\t"),
			(value, before, after, space) => {
				const json = JSON.stringify({ ...before, message: value, ...after }, null, space);
				const found = slice(json, "message");
				expect(JSON.parse(found ?? "")).toEqual(JSON.parse(JSON.stringify(value)));
				expect(json).toContain(found);
				expect(found).toBe(found?.trim());
			},
		),
	);
});

test("bytes of the value stay as they were written: spaces, escapes, order and long numbers", () => {
	const value = '{ "b":1.0e2 ,"a" : "\\u00e9\\"}", "n":12345678901234567890 }';
	expect(slice(`{"x":"message\\":","message": ${value} ,"y":[]}`, "message")).toBe(value);
});

test("a field that is not there, or only deeper, is absent; of a repeated one the last counts", () => {
	expect(slice('{"a":{"message":1}}', "message")).toBeUndefined();
	expect(slice("{}", "message")).toBeUndefined();
	expect(slice('{"message":1,"message":2}', "message")).toBe("2");
	expect(slice('{"m\\u0065ssage":[1, 2]}', "message")).toBe("[1, 2]");
});
