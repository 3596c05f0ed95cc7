import type {
	ExtensionAPI,
	ExtensionCommandContext,
	ExtensionContext,
} from "@earendil-works/pi-coding-agent";
import { shortened } from "../../../projections/brief/one-line.ts";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import { decideConfirm, decidePin, decideUnpin } from "../../commands/memory/keep.ts";
import { decideRemember } from "../../commands/memory/remember.ts";
import { count } from "../../debug/numbers.ts";
import { shownLine } from "../../debug/screen-text.ts";
import type { MemoryLog } from "../../engine/memory/memory-log.ts";
import { isAgreed } from "./ask-first.ts";
import type { CompactConfig } from "./compact-config.ts";
import { hashText } from "./hash-text.ts";
import type { LiveMemory } from "./live-memory.ts";
import { MEMORY_OFF, type MemoryContext, memoryAt } from "./memory-at.ts";
import { rememberCompletions } from "./memory-completions.ts";
import { memoryRefusal } from "./memory-refusals.ts";
import { type BlockRoom, blockRoom } from "./memory-told.ts";
import { takesWords } from "./memory-words.ts";
import { logHolding, newRecordId, written } from "./memory-write.ts";
import { say } from "./say.ts";
import { type TypedRemember, typedRemember } from "./typed-remember.ts";

const USAGE =
	'/remember takes [pin] [kind:] [scope:] [priority:] [file:PATH] [supersede:ID] and a text, in "quotes" or behind -- where it begins with such a word; or confirm:ID,… to make proposals yours; or unpin:ID';

/** Characters of a text that is said again. */
const PINNED_CHARS = 100;

const BY = { actor: "user", cause: "/remember" } as const;

/** Puts `/remember` into a host: what the user says stands, once it is on disk. It starts no turn. */
export function registerRememberCommand(pi: ExtensionAPI, context: MemoryContext): void {
	pi.registerCommand("remember", {
		description: "Have something remembered in this folder; confirm:ID makes a proposal yours",
		getArgumentCompletions: rememberCompletions(pi, context),
		handler: async (args, ctx) => {
			const typed = typedRemember(args);
			const { memory } = (await memoryAt(ctx, context)) ?? {};
			if (!memory) return say(ctx, MEMORY_OFF, "warning");
			const others = [typed.confirm, typed.unpin].filter(({ length }) => length > 0).length;
			const isEmpty = typed.text === "" && typed.supersede === undefined;
			if (others > 1 || (others === 1 && !isEmpty))
				return say(ctx, `confirm: and unpin: stand without a text; nothing was written. ${USAGE}`, "warning");
			const isUnnamed = /^(?:confirm|unpin):(?:[\s,]+mem_\w+)*[\s,]*$/i.test(typed.text);
			if (isUnnamed) return say(ctx, `no record is named right behind the colon; ${USAGE}`, "warning");
			if (others === 0 && isEmpty) return say(ctx, USAGE, "info");
			try {
				if (typed.confirm.length > 0) await confirm(ctx, memory, typed);
				else if (typed.unpin.length > 0) await unpin(ctx, memory, typed.unpin);
				else await remember(ctx, memory, typed, context.config(ctx)?.memory);
			} catch (error) {
				say(ctx, memoryRefusal(error), "warning");
			}
		},
	});
}

async function remember(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	typed: TypedRemember,
	switches: CompactConfig["memory"] | undefined,
): Promise<void> {
	const { text, kind, scope, priority, pinned, files, supersede } = typed;
	const id = newRecordId();
	const log =
		supersede !== undefined
			? logHolding(memory, supersede)
			: scope === "session"
				? memory.session
				: memory.workspace;
	const decide = (view: MemoryView) =>
		decideRemember(view, {
			id,
			text,
			kind,
			scope,
			priority,
			pinned,
			supersede,
			...(files.length > 0 && { files }),
			session: memory.id,
			now: Date.now(),
			hashText,
		});
	const decision = await writtenUnlessLost(ctx, memory, log, decide, typed.mayLose);
	if (!decision) return;
	const record = log.memory.records.get(decision.id ?? "");
	const done = decision.events.length > 0 ? "remembered" : "nothing to do";
	const room = switches ? roomWords(record, blockRoom(memory, switches)) : [];
	const heard = heardWords(typed);
	say(
		ctx,
		[`${done}: ${recordWords(decision.id, record)}`, ...decision.notes, ...heard, ...room].join("\n  "),
		"info",
	);
}

/** How what was typed was taken, where it may have been meant otherwise. */
function heardWords({ text, behind, misread, isPinWord }: TypedRemember): string[] {
	const pinned = shortened(shownLine(text), PINNED_CHARS);
	return [
		...(isPinWord ? [`pinned: ${pinned} (write "--" before a text that begins with pin)`] : []),
		...(behind.length > 0 ? [`taken as ${behind.join(" ")}; quote the text to keep it in`] : []),
		...misread.map((word) => `${shownLine(word)} is kept in the text: ${takesWords(word)}`),
	];
}

/**
 * Writes a decision; where it would lose something the user is asked first. `undefined` where it was not to be, which has
 * been said.
 */
async function writtenUnlessLost(
	ctx: ExtensionContext,
	memory: LiveMemory,
	log: MemoryLog,
	decide: (view: MemoryView) => MemoryDecision,
	mayLose: boolean,
): Promise<MemoryDecision | undefined> {
	const agreed = new Set<string>();
	for (;;) {
		const mayGo = (losses: readonly string[]) => mayLose || losses.every((loss) => agreed.has(loss));
		const decision = await written(memory, log, BY, decide, { mayLose: mayGo });
		if (mayGo(decision.losses)) return decision;
		const lost = decision.losses.map((loss) => `  ${loss}`).join("\n");
		if (!ctx.hasUI) {
			say(
				ctx,
				`nothing was written; the new text would lose:\n${lost}\n  say it with losing:ok to insist`,
				"warning",
			);
			return undefined;
		}
		if (!(await isAgreed(ctx, "Palimpsest: the new text would lose", `${lost}\n\nWrite it all the same?`))) {
			say(ctx, "nothing was written", "info");
			return undefined;
		}
		for (const loss of decision.losses) agreed.add(loss);
	}
}

async function confirm(ctx: ExtensionContext, memory: LiveMemory, typed: TypedRemember): Promise<void> {
	const deciding = { session: memory.id, now: Date.now() };
	await telling(ctx, async (told) => {
		for (const [log, ids] of byLog(memory, typed.confirm)) {
			const { notes, events } = await written(memory, log, BY, (view) =>
				decideConfirm(view, { ids, ...deciding }),
			);
			const pins = typed.pinned ? ids : [];
			const done = events.length + pins.length > 0 ? "yours now" : "nothing to do";
			try {
				for (const id of pins) await written(memory, log, BY, (view) => decidePin(view, { id, ...deciding }));
			} finally {
				for (const id of ids) told.push(`${done}: ${recordWords(id, log.memory.records.get(id))}`);
				told.push(...notes);
			}
		}
	});
}

async function unpin(ctx: ExtensionContext, memory: LiveMemory, ids: readonly string[]): Promise<void> {
	await telling(ctx, async (told) => {
		for (const id of ids) {
			const log = logHolding(memory, id);
			const command = { id, session: memory.id, now: Date.now() };
			const { events } = await written(memory, log, BY, (view) => decideUnpin(view, command));
			const done = events.length > 0 ? "unpinned" : "is not pinned";
			told.push(`${done}: ${recordWords(id, log.memory.records.get(id))}`);
		}
	});
}

/** Tells what was done, also where the next of it fails. */
async function telling(ctx: ExtensionContext, work: (told: string[]) => Promise<void>): Promise<void> {
	const told: string[] = [];
	try {
		await work(told);
	} finally {
		if (told.length > 0) say(ctx, told.join("\n  "), "info");
	}
}

/** That a record has no room in what the model is told when a session begins. */
function roomWords(record: MemoryRecord | undefined, { told, untold }: BlockRoom): string[] {
	if (!record || !untold.has(record.id)) return [];
	const full = `${count(told, "record")} ${told === 1 ? "fills" : "fill"} the room`;
	return [`not told by itself: ${full}; pin it, give it priority:high, or a file:`];
}

/** Records by the log that holds them. */
function byLog(memory: LiveMemory, ids: readonly string[]): ReadonlyMap<MemoryLog, string[]> {
	const logs = new Map<MemoryLog, string[]>();
	for (const id of ids) {
		const log = logHolding(memory, id);
		logs.set(log, [...(logs.get(log) ?? []), id]);
	}
	return logs;
}

/** A record by its id, and how it stands. */
function recordWords(id: string | undefined, record: MemoryRecord | undefined): string {
	if (!record) return id ?? "";
	const { status, kind, priority, scope, files } = record;
	const words = [
		status,
		kind,
		...(priority === "normal" ? [] : [`${priority} priority`]),
		...(scope === "session" ? ["this session only"] : []),
		...(files.length > 0 ? [`about ${files.join(", ")}`] : []),
	];
	return `${record.id} (${words.join(", ")})`;
}
