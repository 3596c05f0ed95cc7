import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sessionTree } from "../../projections/session-tree-reducer.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { Engine } from "../../src/engine/engine.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { loadFromStore, REGISTRY, sessionStream, storeJournal } from "../../src/engine/store-journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { valuation } from "./drive.ts";
import { sessions, settings } from "./session-arbitrary.ts";

const STREAM = sessionStream("made-up");

test("a store opened again means the same from a checkpoint as from the first event", async () => {
	const home = await mkdtemp(join(tmpdir(), "palimpsest-checkpoints-"));
	let kept = 0;
	try {
		let run = 0;
		await fc.assert(
			fc.asyncProperty(sessions, settings, fc.integer({ min: 5, max: 60 }), async (entries, rules, every) => {
				const directory = join(home, `${run++}`);
				const store = await openStore({ directory, registry: REGISTRY });
				const engine = engineOn(store, entries, every);
				const session = { session: "made-up", format: "pi-v3", entries, settings: rules, valuation };
				for await (const _ of replaySession(engine, session));
				await store.close();

				const again = await openStore({ directory, registry: REGISTRY });
				const { name, version } = sessionTree;
				if (again.checkpoint(STREAM, name, version)) kept++;
				const loaded = engineOn(again, entries, every);
				await loadFromStore(loaded, again, STREAM);
				expect(loaded.version).toBe(engine.version);
				expect(isDeepStrictEqual(loaded.states, engine.states)).toBe(true);
				await again.close();
			}),
			{ seed: 41, numRuns: 30 },
		);
	} finally {
		await rm(home, { recursive: true });
	}
	expect(kept).toBeGreaterThan(5);
});

function engineOn(store: Store, entries: readonly TranscriptEntry[], checkpointEvery: number): Engine {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	return new Engine({
		journal: storeJournal(store, STREAM),
		hash: sha256Node,
		decode: (_bytes, node) => byId.get(node.id) as TranscriptEntry,
		driver: "replay",
		checkpointEvery,
	});
}
