import { type Command, Option } from "commander";
import type { MemoryKind } from "../../../events/memory.ts";
import type { Memory, MemoryFact, MemoryStatus, Suspect } from "../../../projections/memory/record.ts";
import { searchMemory } from "../../debug/memory/search.ts";
import { count } from "../../debug/numbers.ts";
import { note, printJson, printLines } from "../terminal.ts";
import { folderMeant, ownKeys, withMemory } from "./folder.ts";
import { memoryAt, momentMeant, unproved } from "./past-memory.ts";
import { recordLines, suspectLines } from "./record-lines.ts";
import { type SessionFacts, sessionFacts } from "./session-facts.ts";

interface ListOptions {
	readonly cwd?: string;
	readonly status?: MemoryStatus;
	readonly kind?: MemoryKind;
	readonly session?: string;
	readonly suspects?: boolean;
	readonly json?: boolean;
}

const STATUSES: readonly MemoryStatus[] = ["pinned", "active", "provisional", "superseded", "resolved"];
const KINDS: readonly MemoryKind[] = ["fact", "preference", "constraint", "decision", "working", "derived"];

/** What words do, for their help. */
const WORDS = "only records that these words are about, the best match first; or a record's id";

/** `memory list`: what is remembered for a folder. */
export function addList(memory: Command): void {
	const list = memory
		.command("list")
		.description("list what is remembered for a folder, with who said it and whether that is proved");
	withListOptions(list.argument("[words...]", WORDS)).action(runList);
}

/** `memory at`: what was remembered then. */
export function addAt(memory: Command): void {
	const at = memory
		.command("at")
		.description("list what was remembered at a time, or once an event had happened")
		.argument("<when>", "a time, ISO 8601, UTC where it names no zone; or an event's position")
		.argument("[words...]", WORDS);
	withListOptions(at).action(runAt);
}

function withListOptions(command: Command): Command {
	return command
		.option("--cwd <dir>", "the folder; the current one by default")
		.addOption(new Option("--status <status>", "only records of this status").choices(STATUSES))
		.addOption(new Option("--kind <kind>", "only records of this kind").choices(KINDS))
		.option("--session <where>", "with what this session remembers for itself: its file or id")
		.option("--suspects", "list the events that claim to be yours and are not proved to be")
		.option("--json", "one JSON object");
}

function runList(words: readonly string[], options: ListOptions): Promise<void> {
	return show(undefined, words, options);
}

function runAt(when: string, words: readonly string[], options: ListOptions): Promise<void> {
	return show(when, words, options);
}

/** Memories to be listed together, with their texts and the time they are looked at. */
interface Viewed {
	readonly memories: readonly Memory[];
	readonly session: string | undefined;
	readonly now: number;
	text(digest: string): string | undefined;
}

async function show(when: string | undefined, words: readonly string[], options: ListOptions): Promise<void> {
	const folder = folderMeant(options.cwd);
	const beside =
		options.session === undefined ? undefined : await sessionFacts(options.session, folder.cwd, ownKeys());
	if (!folder.exists) {
		await print(
			folder.cwd,
			viewed([], () => undefined, beside, when),
			words,
			options,
		);
		return;
	}
	await withMemory(folder, async ({ reader: { known }, cwd }) => {
		const facts = known.isElsewhere ? unproved(known.facts) : known.facts;
		await print(
			cwd,
			viewed(facts, (digest) => known.text(digest), beside, when),
			words,
			options,
		);
	});
}

function viewed(
	facts: readonly MemoryFact[],
	textOf: (digest: string) => string | undefined,
	beside: SessionFacts | undefined,
	when: string | undefined,
): Viewed {
	const text = (digest: string) => textOf(digest) ?? beside?.texts.get(digest);
	const own = beside?.facts ?? [];
	const last = { at: Date.now(), position: Number.POSITIVE_INFINITY };
	const moment = when === undefined ? last : momentMeant(when, facts);
	const ownPosition =
		when === undefined ? last.position : (own.findLast(({ at }) => at <= moment.at)?.position ?? -1);
	return {
		memories: [memoryAt(facts, moment), memoryAt(own, { position: ownPosition })],
		session: beside?.session,
		now: moment.at,
		text,
	};
}

async function print(
	cwd: string,
	view: Viewed,
	words: readonly string[],
	options: ListOptions,
): Promise<void> {
	const { memories, session, now, text } = view;
	const { status, kind, json } = options;
	const query = words.join(" ");
	const asked = { query, session, now, ...(status && { status }), ...(kind && { kind }) };
	const { hits } = searchMemory({ memories, textOf: text, limit: Number.POSITIVE_INFINITY, ...asked });
	const found = hits.map(({ record }) => record);
	const suspects = memories.flatMap((memory) => memory.suspects);
	if (json) {
		const records = found.map((record) => ({ ...record, text: text(record.body) }));
		await printJson({ cwd, at: now, ...(session !== undefined && { session }), records, suspects });
		return;
	}
	if (found.length === 0)
		note(
			`nothing ${words.length > 0 || status || kind ? "of the kind asked for " : ""}is remembered for ${cwd}`,
		);
	for (const record of found) await printLines([...recordLines(record, text(record.body)), ""]);
	if (options.suspects)
		await printLines(
			suspects.flatMap((suspect) => suspectLines(suspect, suspect.body && text(suspect.body))),
		);
	tellOf(suspects, options.suspects === true);
}

function tellOf(suspects: readonly Suspect[], areListed: boolean): void {
	if (suspects.length === 0) return;
	const forged = suspects.filter(({ proof }) => proof === "forged").length;
	const claims = suspects.length === 1 ? "claims to be yours and is" : "claim to be yours and are";
	const how = forged === 0 ? "" : `, ${forged} of them forged`;
	const more = areListed ? "" : "; --suspects lists them";
	note(
		`${count(suspects.length, "event")} ${claims} not proved to be${how}: without effect until \`/memories trust\` in Pi vouches for them${more}`,
	);
}
