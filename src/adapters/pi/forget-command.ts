import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { decideForget, decideRestore } from "../../commands/memory/forget.ts";
import type { LiveMemory } from "./live-memory.ts";
import { MEMORY_OFF, type MemoryContext, memoryAt } from "./memory-at.ts";
import { forgetCompletions } from "./memory-completions.ts";
import { memoryRefusal } from "./memory-refusals.ts";
import { logHolding, written } from "./memory-write.ts";
import { say } from "./say.ts";
import { shred } from "./shred.ts";
import { typedForget } from "./typed-memories.ts";

const USAGE =
	"/forget takes an ID: it leaves the lists, and the model is told so no more; undo:ID brings it back, shred:ID destroys its text for good";

const BY = { actor: "user", cause: "/forget" } as const;

/** Puts `/forget` into a host. It starts no turn. */
export function registerForgetCommand(pi: ExtensionAPI, context: MemoryContext): void {
	pi.registerCommand("forget", {
		description: "Forget what is remembered: ID; undo:ID brings it back, shred:ID destroys its text",
		getArgumentCompletions: forgetCompletions(pi, context),
		handler: async (args, ctx) => {
			const typed = typedForget(args);
			const { memory } = (await memoryAt(ctx, context)) ?? {};
			if (!memory) return say(ctx, MEMORY_OFF, "warning");
			const { ids, unknown } = typed;
			if (ids.length === 0 || unknown.length > 0) {
				const what = unknown.length > 0 ? `${unknown.join(" ")} is no record's id; ` : "";
				return say(ctx, `${what}${USAGE}`, unknown.length > 0 ? "warning" : "info");
			}
			for (const id of ids) {
				try {
					if (typed.does === "shred") await shred(ctx, memory, id, typed, context.clock);
					else await forget(ctx, memory, id, typed.does);
				} catch (error) {
					say(ctx, memoryRefusal(error), "warning");
				}
			}
		},
	});
}

async function forget(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	id: string,
	does: "forget" | "undo",
): Promise<void> {
	const log = logHolding(memory, id);
	const command = { id, session: memory.id, now: Date.now() };
	const decide = does === "forget" ? decideForget : decideRestore;
	const { events, notes } = await written(memory, log, BY, (view) => decide(view, command));
	const status = log.memory.records.get(id)?.status;
	const done =
		does === "forget" ? `${id} is forgotten; /forget undo:${id} brings it back` : `${id} is back: ${status}`;
	say(ctx, [...(events.length > 0 ? [done] : [id]), ...notes].join("\n  "), "info");
}
