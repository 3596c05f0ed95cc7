import { globSync, readFileSync, statSync } from "node:fs";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { Dice } from "./dice.ts";

/** Text of the packages that are installed, in pieces of 200 to 2,600 characters, again and again. */
export function* installedTexts(): Generator<string> {
	const dice = new Dice(7);
	for (;;) {
		for (const file of globSync("node_modules/**/*.{md,ts,js}").sort()) {
			if (statSync(file).size > 300_000 || !statSync(file).isFile()) continue;
			const text = readFileSync(file, "utf8");
			for (let at = 0; at < text.length; ) {
				const length = dice.between(200, 2600);
				yield text.slice(at, at + length).toWellFormed();
				at += length;
			}
		}
	}
}

/** An entry of a session that says this, the n-th of its path. */
export function entryWith(n: number, text: string): TranscriptEntry {
	const role = n % 2 === 0 ? "user" : "assistant";
	const id = n.toString(16).padStart(8, "0");
	const parentId = n === 0 ? null : (n - 1).toString(16).padStart(8, "0");
	const line = {
		type: "message",
		id,
		parentId,
		timestamp: "2026-01-01T00:00:00.000Z",
		message: { role, content: [{ type: "text", text }] },
	};
	const bytes = Buffer.from(JSON.stringify(line));
	return {
		id,
		parent: parentId,
		kind: "message",
		role,
		at: n,
		line: n + 1,
		bytes,
		blocks: [{ type: "text", text }],
	};
}
