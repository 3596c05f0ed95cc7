import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeDirectory } from "../../src/store/make-directory.ts";

test("a directory is made with those above it, and once", () => {
	const root = mkdtempSync(join(tmpdir(), "palimpsest-make-"));
	try {
		const path = join(root, "a", "b", "c");
		makeDirectory(path);
		makeDirectory(path);
		expect(existsSync(path)).toBe(true);
		writeFileSync(join(root, "file"), "");
		expect(() => makeDirectory(join(root, "file", "below"))).toThrow(/ENOTDIR/);
	} finally {
		rmSync(root, { recursive: true, force: true });
	}
});

test.runIf(process.platform === "linux")("where nothing can be made the answer comes at once", () => {
	expect(() => makeDirectory("/proc/none/of/this")).toThrow(/ENOENT/);
});
