import { memoryBlock } from "../../../projections/memory/block.ts";
import { authoritative } from "../../../projections/memory/list.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { LiveMemory } from "./live-memory.ts";

/** The records that have the user's authority for a session, in the order they are told. */
export function authorityIn(memory: LiveMemory): MemoryRecord[] {
	return authoritative(memory.view().memories, memory.id);
}

/** Whether a record is told when one of its files is touched, and not before. */
export function waitsForTouch({ files, status }: MemoryRecord): boolean {
	return files.length > 0 && status !== "pinned";
}

/** What a block of all that stands has room for. */
export interface BlockRoom {
	/** number of records that have a line */
	readonly told: number;
	/** ids of those that have none */
	readonly untold: ReadonlySet<string>;
}

/** What of the user's memory has room in the block a session begins with; all of it where no block is told. */
export function blockRoom(
	memory: LiveMemory,
	{ pinnedInjection, hintMaxChars }: Pick<CompactConfig["memory"], "pinnedInjection" | "hintMaxChars">,
): BlockRoom {
	if (!pinnedInjection) return { told: 0, untold: new Set() };
	const standing = authorityIn(memory)
		.filter((record) => !waitsForTouch(record))
		.map((record) => ({ record, text: memory.view().text(record.body) }));
	const told = new Set(memoryBlock(standing, hintMaxChars).ids);
	const untold = standing.flatMap(({ record: { id } }) => (told.has(id) ? [] : [id]));
	return { told: told.size, untold: new Set(untold) };
}
