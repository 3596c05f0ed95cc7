import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { CompactConfig } from "./compact-config.ts";
import type { LiveMemory } from "./live-memory.ts";
import type { MemoryIn } from "./memory-in.ts";
import { type Clock, isDoneWithin } from "./patience.ts";
import { say } from "./say.ts";

/** What commands and tools of memory go by. */
export interface MemoryContext {
	readonly memoryIn: MemoryIn;
	/** what holds where a session runs; `undefined` where another extension sees to memory */
	readonly config: (ctx: ExtensionContext) => Pick<CompactConfig, "memory"> | undefined;
	readonly clock: Clock;
}

/** What is said where memory is switched off. */
export const MEMORY_OFF =
	'memory is off here: "memory.enabled" is false in pi-compact.json; nothing was read or written';

/** What is said where what others wrote was not had in time. */
export const STALE = "what others wrote last may be missing, the store is held or slow: ask again";

/**
 * How long the user waits for what others wrote, ms: then what is known is gone by. Longer than a store that cannot be
 * opened is taken for one that another process is just making.
 */
const USER_WAITS_MS = 1_500;

/** How long the model waits for the disk, ms: a turn is not to be held up by another process that writes. */
export const MODEL_WAITS_MS = 40;

/** Whether anything is remembered where a session runs. */
export function isMemoryOn(ctx: ExtensionContext, { config }: Pick<MemoryContext, "config">): boolean {
	return config(ctx)?.memory.enabled ?? false;
}

/** Memory, and what was had of it in time. */
export interface MemoryLooked {
	readonly memory: LiveMemory;
	/** whether what others wrote was had in time */
	readonly isCurrent: boolean;
}

/** The memory where a session runs, up to date as far as that can be had soon; `undefined` where it is off or over. */
export async function memoryAt(
	ctx: ExtensionContext,
	context: MemoryContext,
	waitsMs = USER_WAITS_MS,
): Promise<MemoryLooked | undefined> {
	const memory = isMemoryOn(ctx, context) ? context.memoryIn(ctx) : undefined;
	if (!memory) return undefined;
	const looked = Promise.all([memory.workspace.refresh(), memory.session.refresh()]);
	const isCurrent = await isDoneWithin(waitsMs, looked, context.clock);
	const exposure = memory.keys.takeExposure();
	if (exposure !== undefined) say(ctx, exposure, "warning");
	return { memory, isCurrent };
}
