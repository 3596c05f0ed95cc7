import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
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
