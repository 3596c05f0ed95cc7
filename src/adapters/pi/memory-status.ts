import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { isVisible } from "../../../projections/memory/list.ts";
import type { MemoryRecord, Suspect } from "../../../projections/memory/record.ts";
import { bytesIn } from "../../debug/store-sizes.ts";
import { type MemoryContext, memoryAt } from "./memory-at.ts";
import { blockRoom } from "./memory-told.ts";
import { memoryTroubles } from "./memory-troubles.ts";

/** What is remembered where a session runs, in numbers. */
export interface MemoryStatus {
	/** those the session sees, of the folder and of its own */
	readonly records: readonly MemoryRecord[];
	/** events that are said to be the user's and not proved to be */
	readonly suspects: readonly Suspect[];
	/** how many of the user's have no room in what the model is told when a session begins */
	readonly untold: number;
	/** where the folder's memory lies */
	readonly store: { readonly directory: string; readonly bytes: number };
	/** why not all of it may be known, in words */
	readonly troubles: readonly string[];
}

/** Gathers it; where nothing is remembered by this extension, why. Changes nothing. */
export async function memoryStatus(
	ctx: ExtensionContext,
	context: MemoryContext,
): Promise<MemoryStatus | "off" | "elsewhere"> {
	if (!context.config(ctx)) return "elsewhere";
	const { memory } = (await memoryAt(ctx, context)) ?? {};
	if (!memory) return "off";
	const { memories } = memory.view();
	const { directory } = memory.workspace;
	const switches = context.config(ctx)?.memory;
	return {
		records: memories
			.flatMap(({ records }) => [...records.values()])
			.filter((record) => isVisible(record, memory.id)),
		suspects: memories.flatMap(({ suspects }) => suspects),
		untold: switches ? blockRoom(memory, switches).untold.size : 0,
		store: { directory, bytes: await bytesIn(directory).catch(() => 0) },
		troubles: memoryTroubles(memory).map(({ words }) => words),
	};
}
