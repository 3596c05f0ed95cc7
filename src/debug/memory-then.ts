import { listed } from "../../projections/memory/list.ts";
import { memoryOf } from "../../projections/memory/memory.ts";
import type { MemoryFact, MemoryRecord, MemoryStatus } from "../../projections/memory/record.ts";
import { type Checker, factOf } from "../engine/memory/facts.ts";
import type { Store } from "../store/store.ts";
import type { History, PastRequest } from "./history.ts";
import { itemsOf } from "./past-items.ts";

/** A record of memory as it stood when a request was sent. */
export interface MemoryRow {
	readonly id: string;
	/** pinned, active, provisional, superseded or resolved */
	readonly status: MemoryStatus;
	readonly kind: string;
	/** session or workspace */
	readonly scope: string;
	/** user, model or rule */
	readonly author: string;
	/** of a user's record: whether it is proved to be one */
	readonly proof?: string;
	readonly priority: string;
	/** counts from 1 along what it supersedes */
	readonly version: number;
	/** `undefined` where it is gone */
	readonly text: string | undefined;
	readonly files: readonly string[];
	/** ms since the epoch */
	readonly createdAt: number;
	readonly updatedAt: number;
	/** whether a message of ours that tells of it, and was not taken back, stood in the window */
	readonly told: boolean;
}

/** A memory as its events tell of it. */
export interface MemorySource {
	readonly facts: readonly MemoryFact[];
	/** whether it is the session's own, in the stream of its requests; another's events count by their time */
	readonly isOwn: boolean;
	/** a text by its digest; `undefined` where it is gone */
	readonly textOf: (digest: string) => string | undefined;
}

const ORDER: readonly MemoryStatus[] = ["pinned", "active", "provisional", "superseded", "resolved"];

/**
 * What the session saw of some memories when a request was sent, in the usual order of their lists, with what was
 * superseded and resolved by then at the end. `undefined` where no such request was made. O(facts, items of the window).
 */
export function memoryThen(
	history: History,
	request: number,
	sources: readonly MemorySource[],
): readonly MemoryRow[] | undefined {
	const past = history.request(request);
	if (!past) return undefined;
	const told = toldIn(history, past);
	const memories = sources.map(({ facts, isOwn }) => memoryOf(upTo(facts, isOwn, past)));
	const viewing = { session: history.opened?.session, now: past.prepared.at };
	const textOf = (digest: string) => {
		for (const source of sources) {
			const text = source.textOf(digest);
			if (text !== undefined) return text;
		}
		return undefined;
	};
	return ORDER.flatMap((status) => listed(memories, viewing, { status })).map((record) =>
		rowOf(record, { text: record.isShredded ? undefined : textOf(record.body), told: told.has(record.id) }),
	);
}

function rowOf(
	record: MemoryRecord,
	{ text, told }: { readonly text: string | undefined; readonly told: boolean },
): MemoryRow {
	const { id, status, kind, scope, author, proof, priority, version, files, createdAt, updatedAt } = record;
	return {
		id,
		status,
		kind,
		scope,
		author,
		...(author === "user" && { proof }),
		priority,
		version,
		text,
		files,
		createdAt,
		updatedAt,
		told,
	};
}

/** Of a stream of another clock, all up to the last event that carries no later time than the request. */
function upTo(
	facts: readonly MemoryFact[],
	isOwn: boolean,
	{ position, prepared }: PastRequest,
): MemoryFact[] {
	const last = isOwn ? position : (facts.findLast(({ at }) => at <= prepared.at)?.position ?? -1);
	return facts.filter((fact) => fact.position <= last);
}

/** Records that the messages in a window tell of; what one says to hold no more, none before it tells of. */
function toldIn(history: History, past: PastRequest): ReadonlySet<string> {
	let told = new Set<string>();
	for (const item of itemsOf(history, past)) {
		const note = item.kind === "entry" ? item.node.memory : undefined;
		if (!note) continue;
		if (note.block) told = new Set(note.block);
		for (const id of [...(note.told ?? []), ...(note.lines ?? [])]) told.add(id);
		for (const id of note.gone ?? []) told.delete(id);
	}
	return told;
}

interface OwnFacts {
	readonly checker: Checker;
	readonly facts: MemoryFact[];
	read: number;
}

const ownFacts = new WeakMap<History, OwnFacts>();

/**
 * What stands of memory in the session's own stream, as far as the history was read. Throws as `Store.event` does.
 * O(events of memory not read before).
 */
export function memoryFacts(
	history: History,
	store: Pick<Store, "event" | "sealed">,
	checker: Checker,
): readonly MemoryFact[] {
	const before = ownFacts.get(history);
	const own = before?.checker === checker ? before : { checker, facts: [], read: 0 };
	ownFacts.set(history, own);
	const { positions } = history.states.memory;
	for (; own.read < positions.length; own.read++) {
		const position = positions[own.read] as number;
		const event = store.event(history.stream, position);
		const fact = event && factOf(event, store.sealed(history.stream, position), checker);
		if (fact) own.facts.push(fact);
	}
	return own.facts;
}
