import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import { rendererOf } from "../../src/engine/renderer.ts";
import { briefText } from "../../src/engine/texts.ts";
import { drive } from "./drive.ts";
import { chain, edit, type Made, reply, user } from "./made-entries.ts";

const said = (made: Made, text: string): Made => ({ ...made, blocks: [{ type: "text", text }] });
const settings = { ...DEFAULT_SETTINGS, minFoldChars: 100, briefs: "truncation" as const };

async function textOf(made: readonly Made[]): Promise<string> {
	const { events, contents } = await drive(chain(made), { settings });
	const written = events.flatMap(({ event }) => (event.type === "brief/written" ? [event.data.text] : []));
	expect(written).toHaveLength(1);
	return new TextDecoder().decode(contents.get(written[0] ?? ""));
}

test("a text tells what an edit inside its cut left to be seen, not what stood there before", async () => {
	const asked = said(user("u"), "the password is swordfish, find the door");
	expect(await textOf([asked, reply("a", 100)])).toContain("swordfish");
	const replaced = edit("e", "u", [{ type: "text", text: "find the door" }]);
	const text = await textOf([asked, replaced, reply("a", 100)]);
	expect(text).toContain("find the door");
	expect(text).not.toContain("swordfish");
	expect(await textOf([asked, edit("e", "u"), reply("a", 100)])).not.toContain("the door");
});

test("a brief that an earlier release stored is told without secrets, one that was supplied as it is", () => {
	const token = `ghp_${"x7Gk29dLmQ0rT5vW8yZ1aB3cD4eF6gH7iJ8k"}`;
	const account = { asks: 0, runs: [] };
	const stored = { text: `No tool ran.\nuser: ${token} readHead`, account, items: [] };
	const told = (brief: unknown) =>
		briefText(
			{
				content: () => new TextEncoder().encode(JSON.stringify({ entries: 1, brief })),
				renderer: rendererOf("index"),
			},
			"digest",
		);
	expect(told(stored)).toBe("No tool ran.\nuser: [withheld] readHead");
	const supplied = `use ${token}`;
	expect(told({ ...stored, text: `No tool ran.\nNote: ${supplied}`, supplied })).toContain(supplied);
});
