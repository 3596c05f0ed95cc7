import { expect, test } from "vitest";
import { STORE_ERROR_CODES, StoreError } from "../../src/store/errors.ts";

test("a code stands in the error, apart from the words, with what is needed to act on it", () => {
	const cause = new Error("origin");
	const error = new StoreError("STORE_VERSION_CONFLICT", "words", {
		stream: "s",
		expected: 1,
		actual: 2,
		cause,
	});
	expect(error).toMatchObject({
		name: "StoreError",
		code: "STORE_VERSION_CONFLICT",
		message: "words",
		cause,
	});
	expect(error.detail).toMatchObject({ expected: 1, actual: 2 });
	expect("cause" in new StoreError("STORE_CLOSED", "words")).toBe(false);
});

test("every code is explained in one line for the table of codes", () => {
	for (const [code, meaning] of Object.entries(STORE_ERROR_CODES)) {
		expect(code).toMatch(/^STORE_[A-Z_]+$/);
		expect(meaning).toMatch(/^[^\n]{20,110}$/);
	}
});
