import { setTimeout as pause } from "node:timers/promises";
import type { Recorded } from "../../events/envelope.ts";
import type { MemoryEvent, NewRecord } from "../../events/memory.ts";
import { Keys } from "../../src/engine/memory/keys.ts";
import type { MemoryWrite } from "../../src/engine/memory/memory-log.ts";
import { WorkspaceMemory } from "../../src/engine/memory/workspace-memory.ts";
import { sha256Node } from "../../src/store/hash.ts";

/** Who a made-up record is by. */
type Author = "user" | "model" | "rule";

const TYPES = { user: "memory/recorded", model: "memory/proposed", rule: "memory/derived" } as const;

/** What is written to have a text remembered under an id. */
export function remembering(id: string, text: string, actor: Author = "user", at = 1): MemoryWrite {
	const bytes = Buffer.from(text);
	const event = { type: TYPES[actor], data: newRecord(id, text) };
	return { events: [{ event, at, actor }], bodies: [{ digest: sha256Node(bytes), bytes }] };
}

/** A record of a text. */
export function newRecord(id: string, text: string): NewRecord {
	return {
		id,
		kind: "fact",
		scope: "workspace",
		priority: "normal",
		body: sha256Node(Buffer.from(text)),
		chars: text.length,
		files: [],
		sources: [],
		provenance: "test",
	};
}

/** One event as it is handed in. */
export function said(event: MemoryEvent, actor: Author = "user", at = 1): Recorded<MemoryEvent> {
	return { event, at, actor };
}

/** The memory of a folder, with keys beside the home. */
export function folderMemory(home: string, cwd: string, keyring = `${home}-keyring.json`): WorkspaceMemory {
	return WorkspaceMemory.open({ home, cwd, keys: new Keys(keyring), isDoneWithin });
}

/** As the host waits, by the process's own clock. */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
	const timer = new AbortController();
	const waited = pause(ms, undefined, { signal: timer.signal }).then(
		() => false,
		() => false,
	);
	try {
		return await Promise.race([work.then(() => true), waited]);
	} finally {
		timer.abort();
	}
}
