import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import { decideForget, decideRestore, decideShred } from "../../commands/memory/forget.ts";
import type { OfRecord } from "../../commands/memory/keep.ts";
import type { LiveMemory } from "./live-memory.ts";
import { MEMORY_OFF, type MemoryContext, memoryAt } from "./memory-at.ts";
import { forgetCompletions } from "./memory-completions.ts";
import { memoryRefusal } from "./memory-refusals.ts";
import { logHolding, viewOf, written } from "./memory-write.ts";
import type { Clock } from "./patience.ts";
import { say } from "./say.ts";
import { textInSessions } from "./text-in-sessions.ts";
import { type TypedForget, typedForget } from "./typed-memories.ts";

const USAGE =
	"/forget takes an ID: it leaves the lists, and the model is told so no more; undo:ID brings it back, shred:ID destroys its text for good";

const BY = { actor: "user", cause: "/forget" } as const;

/** How long session files are looked through before a text is destroyed, ms. */
const LOOK_THROUGH_MS = 15_000;

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

/** Destroys a text, once the user was told what goes and what of it is not ours, and said yes. */
async function shred(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	id: string,
	{ isSure }: TypedForget,
	clock: Clock,
): Promise<void> {
	const log = logHolding(memory, id);
	const command: OfRecord = { id, session: memory.id, now: Date.now() };
	const decide = (view: MemoryView): MemoryDecision => decideShred(view, command);
	const planned = decide(viewOf(memory, log));
	if (planned.events.length === 0) return say(ctx, [id, ...planned.notes].join("\n  "), "info");
	const text = log.text(log.memory.records.get(id)?.body ?? "") ?? "";
	const end = clock.now() + LOOK_THROUGH_MS;
	const elsewhere = await textInSessions(ctx.sessionManager.getSessionDir(), text, () => clock.now() < end);
	const { whatGoes, whatStays } = await import("./shred-words.ts");
	const about = [...whatGoes(planned, text), ...whatStays(elsewhere)];
	if (!ctx.hasUI && !isSure) {
		const insist = `nothing was destroyed; /forget shred:${id} yes destroys it`;
		return say(ctx, [`${id} would be destroyed for good`, ...about, insist].join("\n"), "warning");
	}
	const question = [...about, "", "Destroy it? This cannot be undone."].join("\n");
	if (!isSure && !(await ctx.ui.confirm(`Palimpsest: destroy the text of ${id}`, question)))
		return say(ctx, "nothing was destroyed", "info");
	await written(memory, log, BY, decide);
	say(ctx, [`the text of ${id} is destroyed`, ...whatStays(elsewhere)].join("\n"), "info");
}
