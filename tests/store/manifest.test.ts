import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { expect, test } from "vitest";
import { parseManifest } from "../../src/store/manifest.ts";

test("a manifest names the tables that are there and the log in use, and any part of it an earlier state", async () => {
	const directory = await mkdtemp(join(tmpdir(), "palimpsest-manifest-"));
	try {
		const db = new ClassicLevel(directory, { writeBufferSize: 16 * 1024 });
		await db.open();
		for (let round = 0; round < 60; round++) {
			await db.batch(
				Array.from({ length: 40 }, (_, key) => ({
					type: "put" as const,
					key: `${key * round}`,
					value: "v".repeat(300),
				})),
			);
		}
		await db.close();
		const files = await readdir(directory);
		const numbers = (ending: string) =>
			files
				.filter((file) => file.endsWith(ending))
				.map((file) => Number.parseInt(file, 10))
				.sort((a, b) => a - b);
		const name = (await readFile(join(directory, "CURRENT"), "utf8")).trimEnd();
		const bytes = await readFile(join(directory, name));
		const whole = parseManifest(bytes);
		// a table whose making the closing cut short may lie there beside them
		expect(numbers(".ldb")).toEqual(expect.arrayContaining([...whole.tables]));
		expect(whole.tables.length).toBeGreaterThan(0);
		expect(numbers(".log")).toContain(whole.log);
		expect(whole.length).toBe(bytes.length);
		for (let cut = 0; cut < bytes.length; cut += 13) {
			const part = parseManifest(bytes.subarray(0, cut));
			expect(part.length).toBeLessThanOrEqual(cut);
			expect(part.log).toBeLessThanOrEqual(whole.log);
		}
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
});

test("a record that spans blocks is put together", () => {
	const comparator = Buffer.concat([Buffer.from([1, 0xc0, 0x84, 0x04]), Buffer.alloc(66_112, "c")]);
	const record = Buffer.concat([comparator, Buffer.from([2, 77])]);
	const room = 32 * 1024 - 7;
	const parts: Buffer[] = [];
	for (let at = 0; at < record.length; at += room) {
		const part = record.subarray(at, at + room);
		const header = Buffer.alloc(7);
		header.writeUInt16LE(part.length, 4);
		header[6] = at === 0 ? 2 : at + room >= record.length ? 4 : 3;
		parts.push(header, part);
	}
	const bytes = Buffer.concat(parts);
	expect(parseManifest(bytes)).toEqual({ tables: [], log: 77, length: bytes.length });
	expect(parseManifest(bytes.subarray(0, -1))).toEqual({ tables: [], log: 0, length: 0 });
});

test("a tag LevelDB does not write is damage", () => {
	expect(() => parseManifest(Buffer.from([0, 0, 0, 0, 1, 0, 1, 99]))).toThrow(
		expect.objectContaining({ code: "STORE_DAMAGED" }),
	);
	expect(() => parseManifest(Buffer.from([0, 0, 0, 0, 2, 0, 1, 2, 0x80]))).toThrow(
		expect.objectContaining({ code: "STORE_DAMAGED" }),
	);
});
