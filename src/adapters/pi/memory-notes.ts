import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { MemoryRecord } from "../../../projections/memory/record.ts";
import { MEMORY_NOTE, type MemoryNote } from "../../../projections/transcript.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { LiveMemory } from "./live-memory.ts";
import { memoryDue } from "./memory-due.ts";
import type { MemoryIn } from "./memory-in.ts";
import { memoryMessage } from "./memory-message.ts";
import { standingIn, waitsForTouch } from "./memory-told.ts";
import { say, wordsOf } from "./say.ts";
import type { SessionIn } from "./status-command.ts";
import { namedIn } from "./touched-files.ts";

/** What telling the model of memory needs of the rest. */
export interface NotesHost {
	readonly sessionIn: SessionIn;
	readonly memoryIn: MemoryIn;
	/** what holds where a session runs; `undefined` where another extension sees to memory */
	readonly config: (ctx: ExtensionContext) => CompactConfig | undefined;
}

/** How long a request waits, ms, for what is remembered where that was not read yet. */
const FIRST_READ_MS = 250;

/** Lines about touched files in one message at most. */
const MOST_LINES = 5;

/** The message of an extension that the host puts into a session. */
interface HostNote {
	readonly customType: typeof MEMORY_NOTE;
	readonly content: string;
	readonly display: false;
	readonly details: { readonly v: 1; readonly memory: MemoryNote };
}

/**
 * Tells the model what the user wants remembered in messages of the session that come before a run
 * begins or at the end of a turn that goes on, one at a time; nothing that was sent is ever changed for it.
 */
export function registerMemoryNotes(pi: ExtensionAPI, host: NotesHost): void {
	/** records that a touched file is to bring, with that file, in the order they were touched */
	let touched = new Map<string, string>();

	pi.on("tool_call", ({ input }, ctx) => {
		const config = host.config(ctx);
		if (!config?.enabled || !config.memory.enabled) return;
		const isNamed = namedIn(input, ctx.cwd);
		const memory = host.memoryIn(ctx);
		for (const { id, files } of memory?.authority.filter(waitsForTouch) ?? []) {
			const file = touched.has(id) ? undefined : files.find(isNamed);
			if (file !== undefined) touched.set(id, file);
		}
	});
	pi.on("before_agent_start", async (_event, ctx) => {
		const message = await noteFor(ctx);
		return message && { message };
	});
	pi.on("turn_end", async ({ toolResults, outcome, entries }, ctx) => {
		// where no request follows, what is due waits for the next prompt
		if (toolResults.length === 0 || outcome !== "completed") return undefined;
		const message = await noteFor(ctx);
		return message && { entries: [...entries, { type: "custom_message", ...message }] };
	});
	const forget = () => {
		touched = new Map();
	};
	pi.on("session_start", forget);
	pi.on("session_tree", forget);

	/** What is to be told now. A failure costs the message and is told, never the request. */
	const noteFor = async (ctx: ExtensionContext): Promise<HostNote | undefined> => {
		try {
			return await noteDue(ctx);
		} catch (error) {
			say(ctx, `memory could not be told to the model: ${wordsOf(error)}`, "warning");
			return undefined;
		}
	};

	const noteDue = async (ctx: ExtensionContext): Promise<HostNote | undefined> => {
		const config = host.config(ctx);
		const session = config?.enabled ? await host.sessionIn(ctx) : undefined;
		if (!config || !session) return undefined;
		const { enabled, pinnedInjection, hintMaxChars } = config.memory;
		const memory = enabled ? host.memoryIn(ctx) : undefined;
		const isKnown = (await memory?.read(FIRST_READ_MS)) === true;
		await memory?.session.refresh();
		const records = memory?.authority ?? [];
		const known = new Map(records.map((record) => [record.id, record]));
		const files = new Map([...touched].filter(([id]) => known.has(id)).slice(0, MOST_LINES));
		const { told: standing, silent } = memory ? standingIn(memory) : { told: [], silent: [] };
		const toTell = {
			standing: isKnown && pinnedInjection ? standing.map(({ record }) => record.id) : undefined,
			silent,
			// without a key nobody knows what stands
			isWhole: memory?.session.isKnown === true && !memory.keys.hasNone,
			touched: [...files.keys()],
		};
		const due = await memoryDue(session, ctx.sessionManager, toTell);
		// what is in view already needs another touch once it has left
		for (const id of files.keys()) touched.delete(id);
		const recordOf = (id: string) => known.get(id);
		const textOf = ({ body }: MemoryRecord) => memory?.view().text(body);
		const foreign = new Set(memory ? foreignIn(ctx, memory, due?.gone ?? []) : []);
		const content = due ? memoryMessage(due, { recordOf, textOf, files, foreign, room: hintMaxChars }) : "";
		if (!due || content === "") return undefined;
		const told = [due.block, due.told, due.gone, due.lines].flatMap((ids) => ids ?? []);
		if (foreign.size > 0) say(ctx, foreignWords([...foreign]), "info");
		session.owe({ text: content, at: Date.now(), memory: { records: told, head: memory?.head ?? "" } });
		return { customType: MEMORY_NOTE, content, display: false, details: { v: 1, memory: due } };
	};
}

/** Records that were told and are unknown here: a fork brings along what was told of its session's own, and not them. */
function foreignIn(
	{ sessionManager }: ExtensionContext,
	memory: LiveMemory,
	gone: readonly string[],
): string[] {
	if (sessionManager.getHeader()?.parentSession === undefined) return [];
	const { memories } = memory.view();
	return gone.filter((id) => !memories.some(({ records }) => records.has(id)));
}

function foreignWords(ids: readonly string[]): string {
	const [what, them] = ids.length === 1 ? ["a record", "it"] : [`${ids.length} records`, "them"];
	return `${what} of the session this was forked from did not come along: ${ids.join(", ")}; /remember scope:session TEXT remembers ${them} here, and palimpsest memory list --session SESSION shows the text`;
}
