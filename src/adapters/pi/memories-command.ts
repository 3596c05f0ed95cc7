import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { listed, recordFor } from "../../../projections/memory/list.ts";
import { searchMemory } from "../../debug/memory/search.ts";
import { count } from "../../debug/numbers.ts";
import { shownLine } from "../../debug/screen-text.ts";
import type { LiveMemory } from "./live-memory.ts";
import { MEMORY_OFF, type MemoryContext, type MemoryLooked, memoryAt, STALE } from "./memory-at.ts";
import { memoriesCompletions } from "./memory-completions.ts";
import { statusCounts } from "./memory-numbers.ts";
import { blockRoom } from "./memory-told.ts";
import { memoryTroubles } from "./memory-troubles.ts";
import { takesWords } from "./memory-words.ts";
import { say } from "./say.ts";
import { type TypedListing, typedListing } from "./typed-memories.ts";

/** What lays lists out by the host's screen library, which is not there where nothing is shown. */
const WORDS = () => import("./memory-list-words.ts");

/** Records shown at once. */
const PAGE = 30;

/** Puts `/memories` into a host. What it shows is for the user alone: no message, no turn. */
export function registerMemoriesCommand(pi: ExtensionAPI, context: MemoryContext): void {
	pi.registerCommand("memories", {
		description: "What is remembered: status:, kind:, words; status:provisional to review; trust",
		getArgumentCompletions: memoriesCompletions(pi, context),
		handler: async (args, ctx) => {
			const typed = typedListing(args);
			const looked = await memoryAt(ctx, context);
			if (!looked) return say(ctx, MEMORY_OFF, "warning");
			const { memory } = looked;
			const untoldIn = (memory: LiveMemory) => {
				const switches = context.config(ctx)?.memory;
				return switches ? blockRoom(memory, switches).untold : new Set<string>();
			};
			switch (typed.asks) {
				case "trust": {
					const { reviewSuspects } = await import("./memory-trust.ts");
					return reviewSuspects(ctx, memory, typed);
				}
				case "record":
					return showRecord(ctx, memory, typed.id, untoldIn(memory));
				case "list":
					return showList(ctx, looked, { ...typed, untold: untoldIn(memory) }, args);
				default:
					return typed satisfies never;
			}
		},
	});
}

async function showRecord(
	ctx: ExtensionCommandContext,
	memory: LiveMemory,
	id: string,
	untold: ReadonlySet<string>,
): Promise<void> {
	const { recordWhole } = await WORDS();
	const { memories, text } = memory.view();
	const record = recordFor(memories, id, memory.id);
	const isUntold = untold.has(id);
	const told = record && recordWhole({ record, text: text(record.body), isUntold }, Date.now());
	if (told === undefined)
		say(ctx, `MEMORY_NOT_FOUND: there is no record ${shownLine(id)} for this session`, "warning");
	else say(ctx, told.trimStart(), "info");
}

/** What is listed, and what of it has no room in what the model is told. */
type Listing = Extract<TypedListing, { asks: "list" }> & { readonly untold: ReadonlySet<string> };

async function showList(
	ctx: ExtensionCommandContext,
	{ memory, isCurrent }: MemoryLooked,
	{ status, kind, words, page, untold, misread }: Listing,
	args: string,
): Promise<void> {
	const { inset, recordGroups, recordRows } = await WORDS();
	const { memories, text: textOf } = memory.view();
	const now = Date.now();
	const viewing = { session: memory.id, now };
	const filter = { ...(status && { status }), ...(kind && { kind }) };
	const offset = (page - 1) * PAGE;
	const { hits, total } = searchMemory({
		memories,
		textOf,
		query: words,
		limit: PAGE,
		offset,
		...viewing,
		...filter,
	});
	const pages = Math.max(1, Math.ceil(total / PAGE));
	const where = pages > 1 ? `; page ${page} of ${pages}` : "";
	const what = words === "" ? statusCounts(listed(memories, viewing, filter)) : "best first";
	const troubles = memoryTroubles(memory).map(({ words }) => words);
	const isFiltered = status !== undefined || kind !== undefined || words !== "";
	const [head = "", ...told] =
		total > 0
			? [
					page > pages
						? `there is no page ${page}: ${count(total, "record")} on ${count(pages, "page")}`
						: `${count(total, "record")}: ${what}${where}`,
					...troubles,
				]
			: noneWords(memory, isFiltered, troubles);
	const rows = hits.map(({ record, excerpt, isClipped }) => {
		const isUntold = untold.has(record.id);
		return words === ""
			? { record, text: textOf(record.body), isUntold }
			: { record, text: excerpt, isClipped, isUntold };
	});
	const last = [
		...misread.map((word) => `${shownLine(word)} was looked for as a word: ${takesWords(word)}`),
		...(page < pages ? [`more: /memories ${typedWithout(args)}page:${page + 1}`] : []),
		...suspectWords(memory),
		...(isCurrent || told.length + troubles.length > 0 || !memory.isRead ? [] : [STALE]),
		...told,
	];
	say(
		ctx,
		[
			head,
			...(rows.length === 0 ? [] : [words === "" ? recordGroups(rows, now) : recordRows(rows, now)]),
			...(last.length === 0 ? [] : ["", ...last.flatMap((line) => inset(line, 0, 2))]),
		].join("\n"),
		"info",
	);
}

/** What is said where nothing is listed: first, and behind that. */
function noneWords(memory: LiveMemory, isFiltered: boolean, troubles: readonly string[]): readonly string[] {
	if (!memory.isRead) return ["what is remembered here was not read yet: ask again", ...troubles];
	if (isFiltered) return ["nothing like that is remembered here", ...troubles];
	if (troubles.length > 0) return troubles;
	const records = memory.view().memories.flatMap(({ records }) => [...records.values()]);
	const isForgotten = records.some(({ status }) => status === "resolved");
	return [
		isForgotten
			? "nothing is remembered here now; /memories status:resolved lists what was forgotten"
			: "nothing is remembered here yet",
	];
}

function suspectWords({ workspace, session, keys }: LiveMemory): string[] {
	// then that is said as the trouble it is
	if (keys.hasNone) return [];
	const suspects = [...workspace.memory.suspects, ...session.memory.suspects];
	if (suspects.length === 0) return [];
	const claim =
		suspects.length === 1 ? "1 event is said to be yours" : `${suspects.length} events are said to be yours`;
	return [`${claim} and not proved to be: /memories trust`];
}

/** What was typed but for the page, with a blank behind it. */
function typedWithout(args: string): string {
	const rest = shownLine(args.replace(/(?<!\S)page:\S+/g, ""));
	return rest === "" ? "" : `${rest} `;
}
