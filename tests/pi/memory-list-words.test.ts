import { expect, test } from "vitest";
import { row } from "../../src/adapters/pi/labelled-rows.ts";
import { inset } from "../../src/adapters/pi/memory-list-words.ts";

const PATH = `/home/somebody/${"projects/".repeat(9)}palimpsest/docs/notes.md`;

test("a path that is longer than a line is broken behind the name of a folder", () => {
	for (const lines of [inset(`about ${PATH}, x`, 4), row("store", PATH).split("\n")]) {
		expect(lines.length).toBeGreaterThan(1);
		expect(lines.every((line) => line.length <= 78)).toBe(true);
		const names = lines.map((line) => line.replace(/^store|^ *about|^ +/g, "").trim()).join("/");
		for (const name of PATH.split("/").slice(1)) expect(names.split(/[/,]/)).toContain(name);
	}
});

test("words and scripts without blanks are laid out as they were", () => {
	expect(inset("either/or it is", 4)).toEqual(["    either/or it is"]);
	const lines = inset("漢字".repeat(50), 4);
	expect(lines.map((line) => line.trim()).join("")).toBe("漢字".repeat(50));
});
