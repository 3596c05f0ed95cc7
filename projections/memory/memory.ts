import type { Actor } from "../../events/envelope.ts";
import type { MemoryEvent, NewRecord } from "../../events/memory.ts";
import type { PayloadEvent } from "../../events/payload.ts";
import {
	isRecordId,
	isTerminal,
	type Memory,
	type MemoryAuthor,
	type MemoryFact,
	type MemoryRecord,
	type Proof,
	type Suspect,
} from "./record.ts";

/** A memory while it is being made; nobody else holds it. */
interface Making {
	readonly records: Map<string, MemoryRecord>;
	readonly suspects: Suspect[];
	readonly shredded: Set<string>;
	readonly moves: string[];
	version: number;
}

/** One change as it takes effect: an event of the stream, or the one that an import brought. */
interface Change {
	readonly event: MemoryEvent | PayloadEvent;
	readonly at: number;
	readonly actor: Actor;
	readonly proof: Proof;
	/** the event of the stream behind it */
	readonly fact: MemoryFact;
}

/**
 * What the events of a stream's memory come to, in their order. Who may do what is decided here and nowhere else: a
 * model and a rule make provisional records, a model changes its own, and a user's event counts where it is proved or a
 * proved `memory/trusted` vouches for it. An event that may not be, is about a record it cannot be about, or names one as
 * none is named, has no effect. O(facts).
 */
export function memoryOf(facts: readonly MemoryFact[]): Memory {
	return new GrowingMemory(facts).memory;
}

/**
 * The memory of some facts, and then of more behind them: what {@link memoryOf} all gives, for the price of the new ones, but
 * where one of them vouches for earlier ones. It changes in place; {@link copyOf} keeps a state.
 */
export class GrowingMemory {
	readonly #facts: MemoryFact[] = [];
	/** hashes of the events that a proved event vouches for, by position */
	readonly #vouched = new Map<number, string>();
	#memory = making();

	/** Begins with some facts; `memory`, where it is known already, is what they come to, and is left as it is. */
	constructor(facts: readonly MemoryFact[], memory?: Memory) {
		if (memory) {
			this.#facts = [...facts];
			this.#memory = copyOf(memory);
			this.#vouchIn(facts);
		} else this.take(facts);
	}

	get memory(): Memory {
		return this.#memory;
	}

	/** Takes in more facts, in their order. */
	take(more: readonly MemoryFact[]): void {
		for (const fact of more) this.#facts.push(fact);
		const isVouching = this.#vouchIn(more);
		if (isVouching) this.#memory = making();
		for (const fact of isVouching ? this.#facts : more) this.#apply(fact);
	}

	#vouchIn(facts: readonly MemoryFact[]): boolean {
		let isVouching = false;
		for (const { event, actor, proof } of facts) {
			if (event.type !== "memory/trusted" || actor !== "user" || proof !== "verified") continue;
			for (const { position, hash } of event.data.events) this.#vouched.set(position, hash);
			isVouching = true;
		}
		return isVouching;
	}

	#apply(fact: MemoryFact): void {
		this.#memory.version = fact.position + 1;
		const change = changeOf(fact, this.#vouched.get(fact.position) === fact.hash);
		if (!change) return;
		if (change.actor === "user" && change.proof !== "verified" && isEffective(change.event))
			suspect(this.#memory, change, change.proof);
		apply(this.#memory, change);
		if (change.actor === "user" && change.proof === "verified") settle(this.#memory, change.event);
	}
}

/** A memory of its own, which nothing that happens to the other changes. O(records). */
export function copyOf({ records, suspects, shredded, moves, version }: Memory): Making {
	return {
		records: new Map(records),
		suspects: [...suspects],
		shredded: new Set(shredded),
		moves: [...moves],
		version,
	};
}

function making(): Making {
	return { records: new Map(), suspects: [], shredded: new Set(), moves: [], version: 0 };
}

function changeOf(fact: MemoryFact, isVouchedFor: boolean): Change | undefined {
	const { event, at, actor } = fact;
	if (!isWellNamed(event)) return undefined;
	const proof = fact.proof === "unverified" && isVouchedFor ? "verified" : fact.proof;
	if (event.type !== "memory/imported") return { event, at, actor, proof, fact };
	const { origin, type, data } = event.data;
	const brought = { type, data } as MemoryEvent;
	if (!isEffective(brought) || !isWellNamed(brought)) return undefined;
	return { event: brought, at: origin.at, actor: origin.actor, proof, fact };
}

/** Whether an event changes records, so that one without proof is worth telling of. */
function isEffective({ type }: MemoryEvent | PayloadEvent): boolean {
	return (
		type !== "memory/trusted" &&
		type !== "memory/moved" &&
		type !== "memory/imported" &&
		type !== "payload/shredded"
	);
}

/** Whether the records an event is about are named as records are. */
function isWellNamed({ type, data }: MemoryEvent | PayloadEvent): boolean {
	if (type === "memory/superseded" && !isRecordId(data.record.id)) return false;
	return !("id" in data) || isRecordId(data.id);
}

function suspect(memory: Making, { event, fact }: Change, proof: "unverified" | "forged"): void {
	const { position, hash, at } = fact;
	const type = event.type as MemoryEvent["type"];
	const { id } = event.data as { readonly id: string };
	const body = bodyOf(event);
	memory.suspects.push({ position, hash, at, type, id, ...(body !== undefined && { body }), proof });
}

/** Nobody need vouch for the making of a record that a proved event made the user's, or put an end to. */
function settle({ records, suspects }: Making, { data }: Change["event"]): void {
	const record = suspects.length > 0 && "id" in data ? records.get(data.id) : undefined;
	if (!record || record.status === "provisional") return;
	const at = suspects.findIndex(({ position }) => position === record.position);
	if (at !== -1 && suspects[at]?.type === "memory/recorded" && suspects[at]?.proof === "unverified")
		suspects.splice(at, 1);
}

function bodyOf({ type, data }: MemoryEvent | PayloadEvent): string | undefined {
	if (type === "memory/superseded") return data.record.body;
	return "body" in data ? data.body : undefined;
}

function apply(memory: Making, change: Change): void {
	const { event, actor, proof } = change;
	const isUsers = actor === "user" && proof === "verified";
	switch (event.type) {
		case "memory/recorded":
			if (actor === "user" && proof !== "forged") create(memory, change, event.data, "user");
			return;
		case "memory/proposed":
			if (actor === "model") create(memory, change, event.data, "model");
			return;
		case "memory/derived":
			if (actor === "rule") create(memory, change, event.data, "rule");
			return;
		case "memory/superseded":
			if (isUsers) supersede(memory, change, event.data.id, event.data.record, "user");
			else if (actor === "model" && isModelsOwn(memory.records.get(event.data.id)))
				supersede(memory, change, event.data.id, event.data.record, "model");
			return;
		case "memory/confirmed":
			if (isUsers) confirm(memory, change, event.data);
			return;
		case "memory/pinned":
			if (isUsers)
				alter(memory, change, event.data.id, ({ status }) =>
					status === "active" ? { status: "pinned" } : undefined,
				);
			return;
		case "memory/unpinned":
			if (isUsers)
				alter(memory, change, event.data.id, ({ status }) =>
					status === "pinned" ? { status: "active" } : undefined,
				);
			return;
		case "memory/resolved": {
			const { id, why } = event.data;
			if (!isUsers && !(actor === "rule" && memory.records.get(id)?.author === "rule")) {
				if (actor !== "model" || !isModelsOwn(memory.records.get(id))) return;
			}
			alter(memory, change, id, ({ status }) => ({ status: "resolved", was: status, why }));
			return;
		}
		case "memory/restored":
			if (isUsers) restore(memory, change, event.data.id);
			return;
		case "memory/moved":
			if (isUsers) memory.moves.push(event.data.to);
			return;
		case "payload/shredded":
			shred(memory, event.data.contents);
			return;
		case "memory/trusted":
		case "memory/imported":
			return;
		default:
			event satisfies never;
	}
}

function create(memory: Making, change: Change, data: NewRecord, author: MemoryAuthor): void {
	if (memory.records.has(data.id)) return;
	const isUsers = author === "user" && change.proof === "verified";
	const whole = isUsers ? (data.pinned ? "pinned" : "active") : "provisional";
	put(memory, change, data, { author, status: whole, version: 1 });
}

function supersede(memory: Making, change: Change, id: string, data: NewRecord, author: MemoryAuthor): void {
	const old = memory.records.get(id);
	if (!old || isTerminal(old) || memory.records.has(data.id)) return;
	const status = author === "user" ? (data.pinned ? "pinned" : "active") : "provisional";
	put(memory, change, data, { author, status, version: old.version + 1, supersedes: id });
	memory.records.set(id, { ...old, status: "superseded", supersededBy: data.id, updatedAt: change.at });
}

function put(
	memory: Making,
	{ at, proof, fact }: Change,
	{ pinned: _pinned, ...data }: NewRecord,
	made: Pick<MemoryRecord, "author" | "status" | "version" | "supersedes">,
): void {
	const isShredded = memory.shredded.has(data.body);
	memory.records.set(data.id, {
		...data,
		...made,
		proof,
		createdAt: at,
		updatedAt: at,
		position: fact.position,
		...(isShredded && { isShredded }),
	});
}

function confirm(memory: Making, change: Change, { id, body }: { id: string; body: string }): void {
	alter(memory, change, id, (record) =>
		record.status === "provisional" && record.body === body
			? { status: "active", author: "user", proof: "verified" }
			: undefined,
	);
}

function restore(memory: Making, change: Change, id: string): void {
	const record = memory.records.get(id);
	if (record?.status !== "resolved" || record.isShredded) return;
	const { was = "provisional", why: _why, ...kept } = record;
	memory.records.set(id, { ...kept, status: was, updatedAt: change.at });
}

function alter(
	memory: Making,
	change: Change,
	id: string,
	altered: (record: MemoryRecord) => Partial<MemoryRecord> | undefined,
): void {
	const record = memory.records.get(id);
	const changes = record && !isTerminal(record) ? altered(record) : undefined;
	if (record && changes) memory.records.set(id, { ...record, ...changes, updatedAt: change.at });
}

/** What is gone is gone, whoever says so. */
function shred(memory: Making, contents: readonly string[]): void {
	for (const digest of contents) memory.shredded.add(digest);
	for (const [id, record] of memory.records) {
		if (memory.shredded.has(record.body)) memory.records.set(id, { ...record, isShredded: true });
	}
}

function isModelsOwn(record: MemoryRecord | undefined): boolean {
	return record?.author === "model" && record.status === "provisional";
}
