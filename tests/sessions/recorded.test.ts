import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSessionEntries } from "@earendil-works/pi-coding-agent";
import { expect, test } from "vitest";
import { openSession } from "../../src/adapters/sessions/pi/session.ts";
import { assistant, drain, fileOf, header, node, result, sourceOf, textOf, user } from "./pi-fixture.ts";

const written = [
	header(3),
	node("message", 1, user("list the files")),
	node("message", 2, assistant([{ type: "toolCall", id: "c", name: "bash", arguments: { command: "ls" } }])),
	textOf(node("message", 3, result("c", "lost"))).replace("lost", "\\lost"),
	node("custom", 4, { customType: "x" }),
	`{"type":"mess${textOf(node("message", 5, assistant([{ type: "text", text: "done" }])))}`,
];

// Whoever has recorded sessions names their folder here, and the same is asked of its files.
const folder = process.env.PALIMPSEST_SESSIONS;
const recorded = (folder === undefined ? [] : readdirSync(folder)).filter((name) =>
	/^pi-.*\.jsonl$/.test(name),
);

const ours = fileURLToPath(new URL("./recorded.jsonl", import.meta.url));

const files = [ours, ...recorded.map((name) => join(folder ?? "", name))].map(
	(path) => [path, () => path] as const,
);

for (const [name, made] of [["written", () => fileOf(written)] as const, ...files]) {
	test(`${basename(name)}: nothing the host reads is lost, and nothing is made up`, async () => {
		const path = made();
		const text = readFileSync(path, "utf8");
		const session = await openSession(path);
		const entries = await drain(session.entries);
		const salvaged = new Set(session.report.salvaged.map(({ line }) => line));
		const unbroken = entries
			.filter(({ line }) => !salvaged.has(line))
			.map((entry) => JSON.parse(sourceOf(entry)));
		expect(unbroken).toEqual(parseSessionEntries(text).filter(({ type }) => type !== "session"));
		for (const entry of entries) expect(text.includes(sourceOf(entry))).toBe(true);
	});

	test(`${basename(name)}: every parent came before its child, and every id is there once`, async () => {
		const seen = new Set<string | null>([null]);
		for (const { id, parent } of await drain((await openSession(made())).entries)) {
			expect(seen.has(parent)).toBe(true);
			expect(seen.has(id)).toBe(false);
			seen.add(id);
		}
		expect(seen.size).toBeGreaterThan(1);
	});
}
