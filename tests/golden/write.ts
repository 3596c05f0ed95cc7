// Writes the golden log of the release to come: `node tests/golden/write.ts`. A released log is never written again.
import { writeFileSync } from "node:fs";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { Quote } from "../../events/commit.ts";
import type { Recorded } from "../../events/envelope.ts";
import { cutOf, standingParts } from "../../projections/forest.ts";
import { DEFAULT_SETTINGS } from "../../projections/rules.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { planAt } from "../../projections/window-plan.ts";
import { pendingCuts } from "../../src/commands/fold-path.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal, type Journal } from "../../src/engine/journal.ts";
import { replaySession } from "../../src/engine/replay.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { encodeEvent } from "../../src/store/event-codec.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { genesis } from "../../src/store/head.ts";
import { BREAKPOINT, recordingOf } from "../debug/recordings.ts";
import { GOLDEN_STREAM, goldenFile } from "./golden-log.ts";
import { MEMORY_EVENTS } from "./memory-events.ts";

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
const engine = new Engine({ journal, hash: sha256Node, decode, driver: "live" });
const settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 2_000,
	consolidateAfter: 4,
	floorTokens: 4_000,
	inputBudget: 9_000,
};
for await (const _ of replaySession(engine, { ...recording, settings }));

/** Decides at the leaf, and puts the decision's node there. */
async function decide(command: WindowCommand): Promise<void> {
	const { leaf } = engine.states.tree;
	const request = { at: 1_700_000_900_000, leaf, model: "test/breakpoint" };
	const decision = await engine.decideCommand(command, request, { actor: "user" });
	if (!decision) throw new RangeError(`${command.do} came to nothing`);
	const bytes = new TextEncoder().encode(JSON.stringify({ decision: decision.id }));
	const node = { id: `node-${decision.position}`, parent: leaf, kind: "custom" as const, at: request.at };
	await engine.record({ ...node, line: 0, bytes, blocks: [] }, decision.position);
}

const { states } = engine;
const plan = planAt(states, states.tree.leaf);
const standing = standingParts(states.forest, plan?.through ?? null).at(-1)?.text.fold ?? "";
const pending = pendingCuts(states, states.tree.leaf, plan).map(({ id }) => id);
const pinned = pendingCuts(states, states.tree.leaf, plan)[0]?.to ?? "";
await decide({ do: "expand", fold: standing });
await decide({ do: "refold", fold: standing });
await decide({ do: "pin", ids: [pinned] });
await decide({ do: "unpin", ids: [pinned] });
await decide({ do: "unmark", ids: pending.slice(0, 1) });
await decide({ do: "brief", fold: pending[1] ?? "", text: "what matters here is the golden log" });
await decide({ do: "recut", ids: pending.slice(0, 2) });
await decide({ do: "undo", ids: [planAt(engine.states, engine.states.tree.leaf)?.id ?? ""] });

const standsFor = cutOf(engine.states.forest, plan?.through ?? null)?.from ?? "";
const place = {
	id: "edit",
	parent: engine.states.tree.leaf,
	kind: "contextEdit" as const,
	at: 1_700_000_900_000,
};
const edit = { ...place, line: 0, bytes: new TextEncoder().encode(`{"edits":"${standsFor}"}`), blocks: [] };
await engine.record({ ...edit, target: standsFor, omits: true });

const { leaf } = engine.states.tree;
const { proposal } = recorded.reduce<{ proposal: Quote | undefined }>(
	(found, { event }) =>
		event.type === "commit/applied" ? { proposal: (event.data as { quote: Quote }).quote } : found,
	{ proposal: undefined },
);
if (!proposal) throw new RangeError("nothing was committed");
const manifest = {
	id: "win_000000000000000000000001",
	parent: null,
	previous: null,
	boundary: "e9",
	entries: 8,
	first: "e1",
	last: "e8",
	sources: "a".repeat(64),
	kept: 3,
	folds: 2,
	digest: "b".repeat(64),
};
const rest: DomainEvent[] = [
	{
		type: "commit/observed",
		data: {
			parent: leaf,
			before: null,
			trigger: "cold",
			policy: "economic",
			through: null,
			cut: 0,
			quote: proposal,
		},
	},
	{ type: "reasoning/changed", data: { model: "test/breakpoint", mode: "keep", why: "signature refused" } },
	{ type: "engine/suspended", data: { mode: "pause", why: "the user asked" } },
	{ type: "engine/resumed", data: {} },
	{ type: "fold/peeked", data: { id: standing, call: "call-1", offset: 0, bytes: 1_024, ephemeral: true } },
	{
		type: "fold/released",
		data: { entry: pinned, commit: plan?.commit ?? "", text: "a".repeat(64), chars: 60 },
	},
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
	{ type: "compaction/intercepted", data: { reason: "manual", parent: leaf, manifest, proposed: "e10" } },
	{
		type: "compaction/checkpointed",
		data: {
			entry: "c1",
			reason: "manual",
			manifest,
			intercepted: engine.version + 10,
			text: "c".repeat(64),
			chars: 900,
		},
	},
	{ type: "compaction/summarised", data: { entry: "c2", by: "host", boundary: "e12", chars: 700 } },
	{ type: "compaction/failed", data: { reason: "overflow", aborted: false, why: "529 overloaded" } },
	...MEMORY_EVENTS,
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
