import type { Recorded } from "../../events/envelope.ts";
import type { Memory, MemoryFact, MemoryRecord } from "../../projections/memory/record.ts";
import { type Brought, jsonLines } from "../../src/cli/memory/brought.ts";
import { exportOf } from "../../src/cli/memory/export-format.ts";
import { type ImportPlan, planImport } from "../../src/cli/memory/plan-import.ts";
import { readExport } from "../../src/cli/memory/read-export.ts";
import type { Keys } from "../../src/engine/memory/keys.ts";
import { WorkspaceReader } from "../../src/engine/memory/workspace-reader.ts";
import { REGISTRY } from "../../src/engine/store-journal.ts";
import { openMemoryStore } from "../../src/store/open-store.ts";
import type { Store, StoredContent } from "../../src/store/store.ts";

/** A folder's memory in a store that no disk holds. */
export interface Held {
	readonly store: Store;
	readonly stream: string;
	readonly keys: Keys;
}

/** An empty memory, named as that of a folder of its own. */
export function held(name: string, keys: Keys): Held {
	return { store: openMemoryStore({ registry: REGISTRY }), stream: `memory/${name}`, keys };
}

/** Writes events; those of users are sealed where `isSealed`. */
export async function write(
	{ store, stream, keys }: Held,
	events: readonly Recorded[],
	blobs: readonly StoredContent[],
	{ shred = [], isSealed = true }: { readonly shred?: readonly string[]; readonly isSealed?: boolean } = {},
): Promise<void> {
	const { version } = store.head(stream);
	await store.append(stream, events, version, { blobs, shred, ...(isSealed && { sealer: keys }) });
}

/** What a memory comes to, with its texts. */
export async function read({ store, stream, keys }: Held): Promise<{
	memory: Memory;
	facts: readonly MemoryFact[];
	texts: Record<string, string | undefined>;
}> {
	const reader = new WorkspaceReader("/nowhere", stream.replace("memory/", "/nowhere/"), keys);
	await reader.readNew(store);
	const { memory, facts } = reader.known;
	const texts = Object.fromEntries(
		[...memory.records].map(([id, { body }]) => [id, reader.known.text(body)]),
	);
	return { memory, facts, texts };
}

/** The export of a memory as text. */
export async function exported({ store, stream }: Held): Promise<string> {
	const { header, lines } = await exportOf(store, stream);
	return [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** What an export says, as text. */
export function broughtBy(text: string): Brought {
	const { lines, broken } = jsonLines(text);
	return readExport(lines, broken);
}

/** Takes what was brought into a memory. */
export async function takeIn(into: Held, brought: Brought, now = 1_000): Promise<ImportPlan> {
	const { memory, facts } = await read(into);
	const plan = planImport(brought, {
		stream: into.stream,
		facts,
		ids: new Set(memory.records.keys()),
		shredded: memory.shredded,
		keys: into.keys,
		hasText: (digest) => into.store.hasBlob(digest),
		now,
	});
	if (plan.events.length > 0) await write(into, plan.events, plan.bodies, { isSealed: true });
	return plan;
}

/** The records of a memory without their places, which differ from log to log. */
export function placeless({ records }: Memory): Omit<MemoryRecord, "position">[] {
	return [...records.values()].map(({ position: _position, ...record }) => record);
}
