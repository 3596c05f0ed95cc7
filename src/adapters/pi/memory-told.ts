import { memoryBlock, type ShownRecord } from "../../../projections/memory/block.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { LiveMemory } from "./live-memory.ts";
import { unprovedIds } from "./memory-troubles.ts";

/** Whether a record is told when one of its files is touched, and not before. */
export function waitsForTouch({ files, status }: MemoryRecord): boolean {
	return files.length > 0 && status !== "pinned";
}

/** Records that are told by themselves when a session begins, and ids of those that would be and cannot. */
export interface Standing {
	readonly told: readonly ShownRecord[];
	readonly silent: readonly string[];
}

/**
 * What of the user's memory is told when a session begins. Nothing is said of a record whose text cannot be read, nor of one that
 * is said to be his and waits for him to vouch for it.
 */
export function standingIn(memory: LiveMemory): Standing {
	const { memories, text } = memory.view();
	const standing = memory.authority
		.filter((record) => !waitsForTouch(record))
		.map((record) => ({ record, text: text(record.body) }));
	const isUnproved = (id: string) =>
		memories.some(({ records }) => records.get(id)?.status === "provisional");
	return {
		told: standing.filter((shown) => shown.text !== undefined),
		silent: [
			...standing.flatMap((shown) => (shown.text === undefined ? shown.record.id : [])),
			...unprovedIds(memory).filter(isUnproved),
		],
	};
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
	const standing = standingIn(memory).told;
	const told = new Set(memoryBlock(standing, hintMaxChars).ids);
	const untold = standing.flatMap(({ record: { id } }) => (told.has(id) ? [] : [id]));
	return { told: told.size, untold: new Set(untold) };
}
