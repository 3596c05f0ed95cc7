import type { MemoryDecision, MemoryView } from "../../commands/memory/decision.ts";
import { decidePropose, decideUpdate } from "../../commands/memory/propose.ts";
import type { MemoryLog } from "../../engine/memory/memory-log.ts";
import { hashText } from "./hash-text.ts";
import { answered, type MemoryAnswer, refused } from "./memory-answer.ts";
import { MODEL_WAITS_MS } from "./memory-at.ts";
import { isRefused, memoryRefusal } from "./memory-refusals.ts";
import type { Asked, ProposeArguments, UpdateArguments } from "./memory-tools.ts";
import { logHolding, newRecordId, viewOf, written } from "./memory-write.ts";
import { isDoneWithin } from "./patience.ts";
import { say } from "./say.ts";

/** What `pi_memory_propose` answers. */
export function proposeRecord(asked: Asked, given: ProposeArguments): Promise<MemoryAnswer> {
	const { memory } = asked;
	const { content: text, kind, scope, priority, files, sourceEntryIds: sources } = given;
	const id = newRecordId();
	const log = scope === "session" ? memory.session : memory.workspace;
	const decide = (view: MemoryView) =>
		decidePropose(view, { id, text, kind, scope, priority, files, sources, ...deciding(asked) });
	return writeSoon(asked, log, { id, decide, done: "proposed, provisional until the user confirms it" });
}

/** What `pi_memory_update` answers. */
export function updateRecord(asked: Asked, given: UpdateArguments): Promise<MemoryAnswer> {
	const { recordId: record, action, content: text } = given;
	const id = newRecordId();
	const log = logHolding(asked.memory, record);
	const decide = (view: MemoryView) => decideUpdate(view, { record, action, id, text, ...deciding(asked) });
	const done = action === "edit" ? `takes the place of ${record}, provisional` : "withdrawn";
	return writeSoon(asked, log, { id: action === "edit" ? id : record, decide, done });
}

function deciding({ memory }: Asked) {
	return { session: memory.id, now: Date.now(), hashText };
}

interface Writing {
	/** the record it would come to */
	readonly id: string;
	readonly decide: (view: MemoryView) => MemoryDecision;
	readonly done: string;
}

/** Writes, and says so only once the disk has it: what takes longer is said to be queued, and the user told if it fails. */
async function writeSoon(
	{ ctx, call, memory, context }: Asked,
	log: MemoryLog,
	{ id, decide, done }: Writing,
): Promise<MemoryAnswer> {
	try {
		// what may not be, or is so already, need not wait for the disk
		const known = decide(viewOf(memory, log));
		if (known.events.length === 0) return answerOf(known, done);
		const writing = written(memory, log, { actor: "model", cause: call }, decide);
		if (!(await isDoneWithin(MODEL_WAITS_MS, writing, context.clock))) {
			writing.catch((error: unknown) =>
				say(
					ctx,
					`what the model had remembered as ${id} came to nothing: ${memoryRefusal(error)}`,
					"warning",
				),
			);
			return answered(`queued as ${id}, not on disk yet: the user is told if it fails`, {
				recordId: id,
				queued: true,
			});
		}
		return answerOf(await writing, done);
	} catch (error) {
		const how = isRefused(error) ? { rejected: true } : { error: true };
		return refused(`${memoryRefusal(error)}${isRefused(error) ? "; nothing was written" : ""}`, how);
	}
}

function answerOf({ id = "", events, notes, losses }: MemoryDecision, done: string): MemoryAnswer {
	const isNew = events.length > 0;
	const lost =
		losses.length === 0 ? [] : [`no longer said: ${losses.join("; ")}; edit again if that was not meant`];
	const text = [isNew ? `${id}: ${done}` : `${id}: nothing to do`, ...notes, ...lost].join("\n");
	const status = events.some(({ type }) => type === "memory/resolved") ? "resolved" : "provisional";
	return answered(text, { recordId: id, ...(isNew ? { status } : { duplicate: true }) });
}
