// Writes the golden log of the release to come: `node tests/golden/write.ts`. A released log is never written again.
import { writeFileSync } from "node:fs";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { Recorded } from "../../events/envelope.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal, type Journal } from "../../src/engine/journal.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { encodeEvent } from "../../src/store/event-codec.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { genesis } from "../../src/store/head.ts";
import { BREAKPOINT, recordingOf } from "../debug/recordings.ts";
import { GOLDEN_STREAM, goldenFile } from "./golden-log.ts";

const recorded: Recorded[] = [];
const forgetful = forgetfulJournal();
const journal: Journal = {
	content: forgetful.content,
	append: async (events, version, options) => {
		recorded.push(...events);
		await forgetful.append(events, version, options);
	},
};

const steps = Array.from({ length: 24 }, (_, n) => ({
	chars: 2_500,
	gapMs: n === 12 ? 900_000 : 9_000,
	asks: n % 8 === 0,
}));
const made = recordingOf(steps, BREAKPOINT);
const entries = made.entries.map((entry) =>
	entry.usage ? { ...entry, usage: { ...entry.usage, input: 900, cacheRead: 300 } } : entry,
);
const recording = { ...made, entries };
const byId = new Map(recording.entries.map((entry) => [entry.id, entry]));
const decode = (_bytes: Uint8Array, { id }: { id: string }) => byId.get(id) as TranscriptEntry;
const engine = new Engine({ journal, hash: sha256Node, decode, driver: "replay" });
const settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 2_000,
	consolidateAfter: 3,
	floorTokens: 4_000,
	inputBudget: 9_000,
};
for await (const _ of replaySession(engine, { ...recording, settings }));

const { leaf } = engine.states.tree;
const commit = [...engine.states.commits.byId.keys()].at(-1) ?? "";
const rest: DomainEvent[] = [
	{ type: "session/forked", data: { from: "parent", decisions: 1 } },
	{ type: "session/leafMoved", data: { leaf } },
	{
		type: "output/kept",
		data: {
			entry: "e2",
			source: "bash",
			bytes: 300_000,
			piece: 262_144,
			pieces: ["a".repeat(64), "b".repeat(64)],
		},
	},
	{
		type: "output/refused",
		data: { entry: "e4", source: "!", bytes: 600_000_000, why: "cap", cap: 536_870_912 },
	},
	{ type: "commit/undone", data: { commit, parent: leaf } },
];
await engine.note(rest, 1_700_001_000_000, "user");
recorded.push({
	event: {
		type: "store/repaired",
		data: { lostFrom: engine.version, reason: "for the record", blobsLost: 0, keptAs: "golden~damaged" },
	},
	at: 1_700_001_000_001,
	actor: "runtime",
});

const values: Buffer[] = [];
let previous = genesis(GOLDEN_STREAM);
for (const one of recorded) {
	const value = encodeEvent(REGISTRY, one, previous);
	previous = sha256Node(value);
	values.push(value);
}
writeFileSync(new URL("./unreleased.log", import.meta.url), goldenFile(values));
