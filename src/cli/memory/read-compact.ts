import type { MemoryEvent, MemoryKind, MemoryPriority, NewRecord } from "../../../events/memory.ts";
import { boundedNames } from "../../commands/memory/bounded-names.ts";
import { count } from "../../debug/numbers.ts";
import { sha256Node } from "../../store/hash.ts";
import type { Brought, BroughtEvent, JsonLine, Refused } from "./brought.ts";
import { type CompactEvent, type CompactLine, compactChain } from "./compact-chain.ts";

/** A record of pi-compact's, as its projector has it. */
interface Standing {
	readonly record: NewRecord;
	readonly author: CompactEvent["author"];
	readonly status: "provisional" | "active" | "pinned" | "superseded" | "resolved";
}

/** What an event comes to: the event of ours that says the same, with its text and what stands then; or why it has no effect. */
type Outcome =
	| { readonly event: MemoryEvent; readonly text?: string; readonly standing: readonly Standing[] }
	| { readonly why: string };

/**
 * What a log of pi-compact's holds: its trusted part, with the rules of its own projector. An event without effect there is
 * told and left out. Its log is named by its first event, so that the same one is known again wherever it lies.
 */
export function readCompact(lines: readonly JsonLine[], broken: readonly Refused[]): Brought {
	const { trusted, refused } = compactChain(lines);
	const log = `pi-compact/${trusted[0]?.event.hash.slice(0, 32) ?? "nothing"}`;
	const records = new Map<string, Standing>();
	const items: BroughtEvent[] = [];
	const without: Refused[] = [];
	for (const { line, event } of trusted) {
		const outcome = outcomeOf(event, records);
		if ("why" in outcome) {
			without.push({ line, why: outcome.why });
			continue;
		}
		for (const standing of outcome.standing) records.set(standing.record.id, standing);
		items.push(itemOf({ line, event }, log, outcome));
	}
	const behind =
		refused.length === 0
			? []
			: [
					`its chain holds up to event ${trusted.length}; ${count(refused.length, "line")} from line ${refused[0]?.line} on ${refused.length === 1 ? "is" : "are"} not vouched for`,
				];
	return {
		what: `a log of pi-compact's memory, ${count(trusted.length, "event")}`,
		items,
		refused: [...broken, ...refused, ...without],
		notes: behind,
	};
}

function itemOf(
	{ line, event }: CompactLine,
	log: string,
	outcome: Extract<Outcome, { event: MemoryEvent }>,
): BroughtEvent {
	const { seq, ts, author } = event;
	const { type, data } = outcome.event;
	const origin = { log, position: seq, at: Date.parse(ts), actor: author };
	return {
		line,
		imported: { origin, type, data },
		...(outcome.text !== undefined && { text: outcome.text }),
	};
}

function outcomeOf(event: CompactEvent, records: ReadonlyMap<string, Standing>): Outcome {
	if (Number.isNaN(Date.parse(event.ts))) return { why: `its time is none: ${event.ts}` };
	const type = event.type.replace(/^memory[./_:-]/, "");
	if (type === "create") return created(event, records);
	const old = records.get(event.recordId);
	if (!old) return { why: `there is no record ${event.recordId} that it could be about` };
	if (old.status === "superseded" || old.status === "resolved")
		return { why: `${event.recordId} is ${old.status} already` };
	switch (type) {
		case "supersede":
			return superseded(event, old, records);
		case "pin":
		case "unpin":
			return pinned(event, old, type);
		case "resolve":
			return resolved(event, old);
		default:
			return { why: `an event of type ${event.type} is not known` };
	}
}

const CREATES = { user: "memory/recorded", model: "memory/proposed", rule: "memory/derived" } as const;

function created(event: CompactEvent, records: ReadonlyMap<string, Standing>): Outcome {
	const { author, recordId, payload } = event;
	if (records.has(recordId)) return { why: `there is a record ${recordId} already` };
	const status =
		oneOf(payload.status, ["provisional", "active"] as const) ??
		(author === "user" ? "active" : "provisional");
	if (author !== "user" && status === "active") return { why: `a ${author} may not make an active record` };
	const made = recordOf(event, recordId, undefined);
	if ("why" in made) return made;
	const { record, text } = made;
	return { event: { type: CREATES[author], data: record }, text, standing: [{ record, author, status }] };
}

function superseded(event: CompactEvent, old: Standing, records: ReadonlyMap<string, Standing>): Outcome {
	const { author, recordId, payload } = event;
	const { newRecordId } = payload;
	if (typeof newRecordId !== "string" || newRecordId === "")
		return { why: "it names no record that takes the place" };
	if (records.has(newRecordId)) return { why: `there is a record ${newRecordId} already` };
	const named = oneOf(payload.status, ["provisional", "active"] as const);
	const status = named ?? (old.status === "provisional" ? "provisional" : "active");
	if (author !== "user" && (author === "rule" || !isModels(old) || status === "active"))
		return { why: `a ${author} may not replace ${recordId}` };
	const made = recordOf(event, newRecordId, old);
	if ("why" in made) return made;
	const { record, text } = made;
	const standing = [
		{ ...old, status: "superseded" as const },
		{ record, author, status },
	];
	return { event: { type: "memory/superseded", data: { id: recordId, record } }, text, standing };
}

function pinned({ author, recordId: id }: CompactEvent, old: Standing, type: "pin" | "unpin"): Outcome {
	if (author !== "user") return { why: `a ${author} may not ${type} a record` };
	if (type === "pin" && old.status === "pinned") return { why: `${id} is pinned already` };
	if (type === "unpin" && old.status !== "pinned") return { why: `${id} is not pinned` };
	// here only what a user made or confirmed may be pinned
	if (type === "pin" && old.author !== "user")
		return { why: `${id} is of the ${old.author}: confirm it before it is pinned` };
	const standing = [{ ...old, status: type === "pin" ? ("pinned" as const) : ("active" as const) }];
	return { event: { type: type === "pin" ? "memory/pinned" : "memory/unpinned", data: { id } }, standing };
}

function resolved({ author, recordId: id, payload }: CompactEvent, old: Standing): Outcome {
	const may =
		author === "user" ||
		(author === "model" && isModels(old)) ||
		(author === "rule" && old.author === "rule");
	if (!may) return { why: `a ${author} may not resolve ${id}` };
	const why = typeof payload.reason === "string" ? payload.reason : `${author}:resolve`;
	return {
		event: { type: "memory/resolved", data: { id, why } },
		standing: [{ ...old, status: "resolved" }],
	};
}

const KINDS: readonly MemoryKind[] = ["fact", "preference", "constraint", "decision", "working", "derived"];
const PRIORITIES: readonly MemoryPriority[] = ["low", "normal", "high"];
const SCOPES = ["workspace", "session", "project", "user"] as const;

/** The record an event makes. What it does not name is as the record has it whose place it takes, or as usual. */
function recordOf(
	{ author, sessionId, payload }: CompactEvent,
	id: string,
	old: Standing | undefined,
): { readonly record: NewRecord; readonly text: string } | { readonly why: string } {
	const { content, sourceEntryIds, sourceHash, provenance } = payload;
	if (typeof content !== "string" || content.trim() === "") return { why: "it has no text" };
	const text = content.toWellFormed();
	const kind = named(payload.kind, KINDS, old?.record.kind ?? "fact");
	const priority = named(
		payload.priority,
		PRIORITIES,
		old?.record.priority ?? (author === "rule" ? "low" : "normal"),
	);
	const wide = named(payload.scope, SCOPES, old?.record.scope ?? "workspace");
	if (kind === undefined || priority === undefined || wide === undefined)
		return { why: "its kind, priority or scope is not known" };
	const scope = wide === "session" ? "session" : "workspace";
	const session = sessionId ?? old?.record.session;
	if (scope === "session" && !session) return { why: "it is of scope session, and names none" };
	const names = Array.isArray(sourceEntryIds)
		? sourceEntryIds.filter((name) => typeof name === "string")
		: old?.record.sources;
	const hash = Array.isArray(sourceEntryIds) ? sourceHash : (sourceHash ?? old?.record.sourceHash);
	const record: NewRecord = {
		id,
		kind,
		scope,
		...(scope === "session" && session && { session }),
		priority,
		body: sha256Node(Buffer.from(text)),
		chars: text.length,
		files: [],
		sources: [...boundedNames(names ?? [], "sources").kept],
		...(typeof hash === "string" && hash !== "" && { sourceHash: hash }),
		provenance:
			typeof provenance === "string" && provenance !== ""
				? provenance
				: (old?.record.provenance ?? `${author}:pi-compact`),
	};
	return { record, text };
}

function isModels({ author, status }: Standing): boolean {
	return author === "model" && status === "provisional";
}

function oneOf<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
	return allowed.find((one) => one === value);
}

/** What a field names, or `usual` where it names nothing; `undefined` where it names what is not allowed. */
function named<T extends string>(value: unknown, allowed: readonly T[], usual: T): T | undefined {
	return value === undefined ? usual : oneOf(value, allowed);
}
