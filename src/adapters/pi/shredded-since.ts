import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { count } from "../../debug/numbers.ts";
import type { LiveMemory } from "./live-memory.ts";
import { written } from "./memory-write.ts";
import { say } from "./say.ts";
import { SessionTraces } from "./session-traces.ts";

const BY = { actor: "runtime", cause: "shredded elsewhere" } as const;

/**
 * Has the log of a session lose what it tells of records that were destroyed: by another session of the folder, or by this
 * one where it was cut short or told of one meanwhile. It is looked through behind a turn, in slices that nobody waits for, when it is opened
 * and when a record was destroyed since; only what is found is written. What fails is tried again behind the next turn.
 */
export function registerShreddedSince(
	pi: ExtensionAPI,
	memoryIn: (ctx: ExtensionContext) => LiveMemory | undefined,
): void {
	/** the memory that was looked through last, and how many destroyed records it held then */
	let last: { readonly memory: LiveMemory; readonly shredded: number } | undefined;
	let isAtIt = false;
	pi.on("turn_end", (_event, ctx) => {
		const memory = memoryIn(ctx);
		const records = shreddedIn(memory);
		if (!memory || isAtIt || records.length === 0) return;
		if (last?.memory === memory && last.shredded === records.length) return;
		isAtIt = true;
		void destroyed(memory, records)
			.then((found) => {
				if (found === undefined) return;
				last = { memory, shredded: records.length };
				if (found > 0)
					say(
						ctx,
						`${count(found, "text")} of this session's log that told of destroyed memory went too; Pi's session file still holds them`,
						"info",
					);
			})
			// a session that is over, or a store that is not to be had
			.catch(() => {})
			.finally(() => {
				isAtIt = false;
			});
	});
}

/** How much was destroyed; `undefined` where not all was looked through. */
async function destroyed(memory: LiveMemory, records: readonly string[]): Promise<number | undefined> {
	const traces = new SessionTraces(memory.session, { records, texts: [] });
	if (!(await traces.look(() => !memory.session.isClosed))) return undefined;
	const { contents } = traces.found;
	if (contents === 0) return 0;
	await written(memory, memory.session, BY, () => traces.withTraces(), { before: traces.before });
	return contents;
}

function shreddedIn(memory: LiveMemory | undefined): string[] {
	const memories = memory ? [memory.workspace.memory, memory.session.memory] : [];
	const records = memories.flatMap((each) => [...each.records.values()]);
	return records.filter(({ isShredded }) => isShredded).map(({ id }) => id);
}
