import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import type { Recorded } from "../../events/envelope.ts";
import { checkpointsOf, initialStates, replayStates } from "../../projections/states.ts";
import { replayChecked } from "../../src/debug/replay-check.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { appendAnew } from "../../src/store/append-anew.ts";
import { unpackWhole } from "../../src/store/bundle/unpack-bundle.ts";
import { openMemoryStore, openStore } from "../../src/store/open-store.ts";
import { GOLDEN_STREAM, parseGolden } from "../golden/golden-log.ts";
import { putTogether } from "../store/bundles.ts";

const STREAM = "session/s";

function entries(from: number, to: number): Recorded<DomainEvent>[] {
	return Array.from({ length: to - from }, (_, index) => {
		const n = from + index;
		const data = {
			id: `e${n}`,
			parent: n === 0 ? null : `e${n - 1}`,
			kind: "message",
			role: "user",
			at: n,
			digest: String(n).padStart(64, "0"),
			bytes: 100,
			chars: 90,
			thinking: 0,
			images: 0,
		};
		return { event: { type: "entry/recorded", data }, at: n, actor: "host" };
	});
}

/** The states after so many of these entries. */
function statesAfter(count: number) {
	const states = initialStates();
	const placed = entries(0, count).map(({ event, at }, position) => ({ event, at, position }));
	replayStates(states, placed);
	return checkpointsOf(states);
}

test("checkpoints that hold what the events before them give are the same, wherever they stand", async () => {
	const store = openMemoryStore({ registry: REGISTRY });
	await store.append(STREAM, entries(0, 4), 0, { checkpoints: statesAfter(4) });
	await store.append(STREAM, entries(4, 9), 4);
	await store.append(STREAM, entries(9, 12), 9, { checkpoints: statesAfter(12) });
	const all = statesAfter(12).length;
	expect(await replayChecked(store, STREAM)).toEqual({
		events: 12,
		unreadable: 0,
		requests: 0,
		entries: 12,
		decisions: 0,
		compared: 2 * all,
		damage: [],
	});
});

test("a checkpoint that holds another state is told with its place", async () => {
	const store = openMemoryStore({ registry: REGISTRY });
	const other = statesAfter(5).map((one, index) => (index === 0 ? (statesAfter(4)[0] ?? one) : one));
	await store.append(STREAM, entries(0, 5), 0, { checkpoints: other });
	await store.append(STREAM, entries(5, 8), 5);
	const { damage } = await replayChecked(store, STREAM);
	expect(damage).toEqual([expect.objectContaining({ part: "checkpoint", stream: STREAM, position: 5 })]);
	expect((await store.verify({ blobs: true })).damage).toEqual([]);
});

test("a log of the format's day, of every type of event, is appended anew out of a bundle to the head it had", async () => {
	const folder = mkdtempSync(join(tmpdir(), "palimpsest-golden-bundle-"));
	try {
		const text = readFileSync(new URL("../golden/unreleased.log", import.meta.url), "utf8");
		const { values, head } = parseGolden(text);
		const stream = GOLDEN_STREAM;
		const streams = [{ stream, version: values.length, hash: head }];
		const header = JSON.stringify({ format: 1, streams, redacted: true, partial: false });
		const record = (kind: string, bytes: Uint8Array) => {
			const length = Buffer.alloc(4);
			length.writeUInt32BE(bytes.length);
			return { bytes: Buffer.concat([Buffer.from(kind), length, bytes]) };
		};
		const records = [record("s", Buffer.from(stream)), ...values.map((value) => record("e", value))];
		const file = join(folder, "golden.bundle");
		writeFileSync(file, putTogether(Buffer.from(`palimpsest bundle 1\n${header}\n`), records));
		await unpackWhole({ file, to: join(folder, "store") });
		await using store = await openStore({ directory: join(folder, "store"), registry: REGISTRY });
		const appended = appendAnew(store, stream, REGISTRY);
		expect(appended).toEqual({ head: store.head(stream), encoded: values.length, taken: 0 });
		expect(appended.head.hash).toBe(head);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("events of a type nobody here knows are appended by their bytes", async () => {
	const store = openMemoryStore({ registry: REGISTRY });
	await store.append(STREAM, entries(0, 3), 0);
	const bare = { get: () => undefined } as unknown as typeof REGISTRY;
	expect(appendAnew(store, STREAM, bare)).toEqual({ head: store.head(STREAM), encoded: 0, taken: 3 });
});
