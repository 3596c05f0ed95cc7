import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { compactions } from "../../projections/compactions.ts";
import { replayInto } from "../../projections/projection.ts";
import {
	type CompactionEntryFacts,
	failCompaction,
	interceptCompaction,
	settleCompaction,
} from "../../src/commands/checkpoint.ts";
import { checkpointDetails, readDetails, windowManifest } from "../../src/commands/checkpoint-details.ts";
import { unfaithful } from "../../src/store/faithful.ts";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const gone = [
	{ id: "e1", digest: "d1" },
	{ id: "e2", digest: "d2" },
];
const FACTS = {
	parent: null,
	previous: null,
	boundary: "e3",
	kept: 4,
	folds: 1,
	gone,
	unique: "session/s\ne6\n12",
};
const manifest = windowManifest(FACTS, hash);
const details = checkpointDetails({
	reason: "manual",
	manifest,
	position: 12,
	hash: "h12",
	isSplitTurn: false,
	sources: ["e1", "e2"],
	text: "[Checkpoint]",
	maxChars: 12_000,
});

/** What compactions come to after some events, the first at position 12. */
function after(...events: readonly Parameters<typeof compactions.apply>[1][]) {
	const state = compactions.initial();
	const placed = events.map((event, n) => ({ event, position: 12 + n, at: 0 }));
	replayInto(compactions, state, placed);
	return state;
}

const intercepted = interceptCompaction({ reason: "manual", parent: "e6", manifest, proposed: undefined });

function entry(more: Partial<CompactionEntryFacts> = {}): CompactionEntryFacts {
	const rest = { boundary: "e3", chars: 12, text: "t", fromExtension: true, isKnown: true };
	return { id: "c1", ...rest, details: readDetails(details, hash), ...more };
}

test("a checkpoint that the host took is told once, with the interception it came from", () => {
	const state = after(intercepted);
	const [event, ...rest] = settleCompaction(state, entry());
	expect(rest).toEqual([]);
	expect(event).toEqual({
		type: "compaction/checkpointed",
		data: { entry: "c1", reason: "manual", manifest, intercepted: 12, text: "t", chars: 12 },
	});
	const then = after(intercepted, event as NonNullable<typeof event>);
	expect(then.open).toBeNull();
	expect(settleCompaction(then, entry())).toEqual([]);
});

test("one from another log names no interception of this one", () => {
	const [event] = settleCompaction(after(), entry({ isKnown: false }));
	expect(event?.type).toBe("compaction/checkpointed");
	expect(event?.data).not.toHaveProperty("intercepted");
});

test("a summary that is not ours is told as whose it is, and takes the place of what the host was handed", () => {
	const [byHost] = settleCompaction(after(), entry({ details: undefined, fromExtension: false }));
	expect(byHost?.data).toEqual({ entry: "c1", by: "host", boundary: "e3", chars: 12 });
	const [byOther] = settleCompaction(after(intercepted), entry({ details: undefined }));
	expect(byOther?.data).toMatchObject({ by: "extension" });
	expect(after(intercepted, byOther as NonNullable<typeof byOther>).open).toBeNull();
});

test("details that were changed are not taken for ours", () => {
	const forged = { ...details, manifest: { ...manifest, boundary: "e5" } };
	const [event] = settleCompaction(after(), entry({ details: readDetails(forged, hash) }));
	expect(event?.type).toBe("compaction/summarised");
	expect(readDetails({ ...details, manifest: { ...manifest, parent: 7 } }, hash)?.ours).toBeUndefined();
	expect(readDetails({ ...details, hash: undefined }, hash)?.ours).toBeUndefined();
	expect(readDetails({ ...details, compactor: "another" }, hash)).toBeUndefined();
	expect(readDetails("text", hash)).toBeUndefined();
});

test("what failed is told with what it came from, and nothing where nobody was handed anything and someone stopped it", () => {
	expect(failCompaction(after(), { reason: "threshold", aborted: true })).toEqual([]);
	const [failed] = failCompaction(after(intercepted), { aborted: true });
	expect(failed?.data).toEqual({ reason: "manual", aborted: true, intercepted: 12 });
	expect(after(intercepted, failed as NonNullable<typeof failed>).open).toBeNull();
	const [wrong] = failCompaction(after(), { reason: "overflow", aborted: false, why: "x".repeat(900) });
	expect(wrong?.data).toEqual({ reason: "overflow", aborted: false, why: "x".repeat(500) });
});

test("whatever the host and a session's file say, what comes of it can be stored", () => {
	const why = `${"x".repeat(499)}😀 \ud83d`;
	const [failed] = failCompaction(after(), { reason: "overflow", aborted: false, why });
	expect(failed && unfaithful(failed.data)).toBeUndefined();
	const odd = [{ folds: -0 }, { entries: -1 }, { boundary: "\ud83d" }, { last: "\udc00" }, { kept: 0.5 }];
	for (const fields of odd) {
		const { digest: _, ...changed } = { ...manifest, ...fields };
		const { id, parent, previous, boundary, entries, first, last, sources, kept, folds } = changed;
		const all = [id, parent, previous, boundary, entries, first, last, sources, kept, folds];
		const forged = { ...details, manifest: { ...changed, digest: hash(JSON.stringify(all)) } };
		const [event] = settleCompaction(after(), entry({ details: readDetails(forged, hash) }));
		expect(event?.type).toBe("compaction/summarised");
	}
	expect(readDetails({ ...details, position: -0 }, hash)?.ours).toBeUndefined();
});

test("a manifest's name and digests depend on what left, where it happened, and the manifest before", () => {
	expect(windowManifest({ ...FACTS }, hash)).toEqual(manifest);
	const later = windowManifest({ ...FACTS, unique: "session/s\ne9\n40" }, hash);
	expect(later.id).not.toBe(manifest.id);
	expect(later.sources).toBe(manifest.sources);
	const edited = windowManifest({ ...FACTS, gone: [{ id: "e1", digest: "other" }] }, hash);
	expect(edited.sources).not.toBe(manifest.sources);
	const chained = windowManifest({ ...FACTS, parent: manifest.id, previous: manifest.digest }, hash);
	expect(chained.digest).not.toBe(manifest.digest);
	expect(manifest).toMatchObject({ entries: 2, first: "e1", last: "e2" });
});

test("pi-compact's details are read, those of its older releases from where they had them", () => {
	const newer = {
		compactor: "pi-compact",
		version: 1,
		sourceEntryIds: ["a"],
		sourceHash: "s",
		keptEntryId: "b",
	};
	expect(readDetails(newer, hash)).toMatchObject({
		sources: ["a"],
		sourceHash: "s",
		kept: "b",
		ours: undefined,
	});
	const window = { windowId: "win_1", keptEntryId: "b", sourceEntryIds: ["a", 7], sourceHash: "s" };
	expect(readDetails({ compactor: "pi-compact", window }, hash)).toEqual({
		compactor: "pi-compact",
		window: "win_1",
		kept: "b",
		sources: ["a"],
		sourceHash: "s",
		ours: undefined,
	});
});
