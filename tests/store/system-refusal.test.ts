import { expect, test } from "vitest";
import { isOfLevel, unusable } from "../../src/store/system-refusal.ts";

const codeOf = (cause: unknown) => unusable("it cannot be read", cause).code;

test.each([
	"IO error: s/level/000007.dbtmp: No space left on device",
	"IO error: s/level/LOCK: Permission denied",
	"IO error: s/level/MANIFEST-000004: Read-only file system",
	"IO error: s/level/000005.ldb: Too many open files",
	"IO error: s/level/000005.ldb: Input/output error",
])("what the system refuses is not called damage: %s", (message) => {
	expect(isOfLevel(new Error(message))).toBe(true);
	expect(codeOf(new Error(message))).toBe("STORE_UNAVAILABLE");
	expect(codeOf(new Error("Database failed to open", { cause: new Error(message) }))).toBe(
		"STORE_UNAVAILABLE",
	);
});

test.each(["ENOSPC", "EACCES", "EPERM", "EROFS", "EMFILE", "EIO"])("nor is what Node calls %s", (code) => {
	expect(codeOf(Object.assign(new Error(code), { code }))).toBe("STORE_UNAVAILABLE");
});

test.each([
	"IO error: s/level/000005.ldb: Invalid argument",
	"IO error: s/level/000005.ldb: No such file or directory",
	"Corruption: checksum mismatch",
])("files that do not make a database are: %s", (message) => {
	expect(isOfLevel(new Error(message))).toBe(true);
	expect(codeOf(new Error(message))).toBe("STORE_DAMAGED");
});

test("an error that is not of the files is not taken for one", () => {
	expect(isOfLevel(new TypeError("key is not a buffer"))).toBe(false);
});
