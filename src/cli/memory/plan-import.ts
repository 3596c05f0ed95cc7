import { isDeepStrictEqual } from "node:util";
import type { Recorded } from "../../../events/envelope.ts";
import type { MemoryEvent } from "../../../events/memory.ts";
import type { PayloadEvent } from "../../../events/payload.ts";
import { EventError } from "../../../events/registry.ts";
import type { MemoryFact, Proof } from "../../../projections/memory/record.ts";
import { type Checker, proofOfOrigin } from "../../engine/memory/facts.ts";
import { REGISTRY } from "../../engine/store-journal.ts";
import { encodeEvent } from "../../store/event-codec.ts";
import type { StoredContent } from "../../store/store.ts";
import type { Brought, BroughtEvent, BroughtLoss, Imported, Refused } from "./brought.ts";
import { recordMadeBy } from "./new-record.ts";
import { refusalOfRecord, refusalOfText } from "./refusals.ts";

/** The memory that is written to. */
export interface ImportTarget {
	readonly stream: string;
	/** all that stands in it of memory */
	readonly facts: readonly MemoryFact[];
	/** ids of its records, and digests of texts that were destroyed */
	readonly ids: ReadonlySet<string>;
	readonly shredded: ReadonlySet<string>;
	readonly keys: Checker;
	/** whether a text is stored there */
	hasText(digest: string): boolean;
	/** ms since the epoch */
	readonly now: number;
}

/** An event that goes in. */
export interface Taken {
	readonly line: number;
	readonly imported: Imported;
	/** of a user's event: whether it is proved to be one */
	readonly proof: Proof;
	readonly text?: string;
}

/** What comes of a file. */
export interface ImportPlan {
	readonly events: readonly Recorded<MemoryEvent | PayloadEvent>[];
	readonly bodies: readonly StoredContent[];
	readonly taken: readonly Taken[];
	/** events that stand there already */
	readonly known: number;
	readonly refused: readonly Refused[];
	/** lines whose event goes in without its text, and why */
	readonly withoutText: readonly Refused[];
}

/**
 * Decides what of a file goes into a memory, line by line. What a line builds on must have come in too. Nothing is written
 * here, and nothing is decided about authority: an event keeps the seal it carries, and the fold judges by that.
 */
export function planImport({ items, refused }: Brought, target: ImportTarget): ImportPlan {
	const plan = new Planning(target, items);
	for (const item of items) plan.add(item);
	return { ...plan.made, refused: [...refused, ...plan.made.refused].sort((a, b) => a.line - b.line) };
}

class Planning {
	readonly made = {
		events: [] as Recorded<MemoryEvent | PayloadEvent>[],
		bodies: [] as StoredContent[],
		taken: [] as Taken[],
		known: 0,
		refused: [] as Refused[],
		withoutText: [] as Refused[],
	};
	readonly #target: ImportTarget;
	/**
	 * ids of records that are there, or that the file has wherever: the fold tells which of the events about them count, and
	 * one that came too early to count must not do so when the file is brought again
	 */
	readonly #ids: ReadonlySet<string>;
	/** events that stand there or go in, by where they come from */
	readonly #known = new Map<string, Imported[]>();
	/** by record, the line that would have made it and did not come in; `undefined` where another line made it */
	readonly #lost = new Map<string, number | undefined>();
	/** texts that the file says were destroyed, and those it has */
	readonly #gone: ReadonlySet<string>;
	readonly #texts: ReadonlySet<string>;

	constructor(target: ImportTarget, items: readonly (BroughtEvent | BroughtLoss)[]) {
		this.#target = target;
		for (const fact of target.facts) this.#remember(asImported(fact, target.stream));
		this.#gone = new Set(items.flatMap((item) => ("contents" in item ? item.contents : [])));
		const made = items.flatMap((item) => ("imported" in item && recordMadeBy(item.imported)?.id) || []);
		this.#ids = new Set([...target.ids, ...made]);
		const withText = items.filter((item) => "imported" in item && item.text !== undefined) as BroughtEvent[];
		this.#texts = new Set(withText.flatMap(({ imported }) => recordMadeBy(imported)?.body ?? []));
	}

	add(item: BroughtEvent | BroughtLoss): void {
		if ("contents" in item) this.#addLoss(item);
		else this.#addEvent(item);
	}

	#addEvent(item: BroughtEvent): void {
		const { line, imported, text } = item;
		const record = recordMadeBy(imported);
		const isKnown = this.#isKnown(imported);
		const why = isKnown ? undefined : this.#refusal(item);
		if (record && why === undefined) this.#lost.set(record.id, undefined);
		else if (record && !this.#lost.has(record.id)) this.#lost.set(record.id, line);
		if (isKnown) this.made.known++;
		if (why !== undefined) this.made.refused.push({ line, why });
		if (isKnown || why !== undefined) return;
		this.#remember(imported);
		this.made.events.push(this.#recorded({ type: "memory/imported", data: imported }));
		const proof = proofOfOrigin(imported, this.#target.keys);
		this.made.taken.push({ line, imported, proof, ...(text !== undefined && { text }) });
		if (!record) return;
		if (this.#target.shredded.has(record.body))
			this.made.withoutText.push({ line, why: "its text was destroyed here, and may not come back" });
		else if (text !== undefined) this.made.bodies.push({ digest: record.body, bytes: Buffer.from(text) });
	}

	/**
	 * Why an event may not come in; `undefined` where it may. One that could never have an effect is refused as well: what
	 * stands in a log should mean something.
	 */
	#refusal({ imported, text }: BroughtEvent): string | undefined {
		const { type, data } = imported;
		const record = recordMadeBy(imported);
		const { id } = data as { readonly id: string };
		const isMaking = record !== undefined && type !== "memory/superseded";
		const lost = isMaking ? undefined : this.#lost.get(id);
		if (lost !== undefined) return `it is about ${id}, and line ${lost} was not brought in`;
		if (!isMaking && !this.#ids.has(id)) return `there is no record ${id} here that it could be about`;
		if (record && this.#target.ids.has(record.id)) return `there is another record ${record.id} here already`;
		if (proofOfOrigin(imported, this.#target.keys) === "forged")
			return "its seal is by a key of yours and does not hold: it was changed since";
		return (
			(record && (refusalOfRecord(record) ?? this.#refusalOfText(record.body, record.chars, text))) ??
			this.#unstorable(imported)
		);
	}

	#refusalOfText(body: string, chars: number, text: string | undefined): string | undefined {
		const { shredded, hasText } = this.#target;
		if (shredded.has(body)) return undefined;
		if (text !== undefined) return refusalOfText(text, body, chars);
		return this.#gone.has(body) || hasText(body) ? undefined : "its text is not in the file";
	}

	#unstorable(imported: Imported): string | undefined {
		try {
			encodeEvent(REGISTRY, this.#recorded({ type: "memory/imported", data: imported }), NO_HASH);
			return undefined;
		} catch (error) {
			if (error instanceof EventError) return error.message;
			throw error;
		}
	}

	/** Only texts that are neither in the file nor here are taken for destroyed: a file destroys nothing. */
	#addLoss({ contents, records }: BroughtLoss): void {
		const { shredded, hasText } = this.#target;
		const gone = contents.filter(
			(digest) =>
				!shredded.has(digest) &&
				!hasText(digest) &&
				!this.#texts.has(digest) &&
				/^[0-9a-f]{64}$/.test(digest),
		);
		if (gone.length === 0) return;
		const data = { contents: gone, records: records.filter((id) => this.#ids.has(id)) };
		this.made.events.push(this.#recorded({ type: "payload/shredded", data }));
	}

	/** The user says that he brought it here; what he did there a seal of its own must prove. */
	#recorded<E extends MemoryEvent | PayloadEvent>(event: E): Recorded<E> {
		const actor = event.type === "memory/imported" ? "user" : "runtime";
		return { event, at: this.#target.now, actor, cause: "memory import" };
	}

	#remember(imported: Imported | undefined): void {
		if (!imported) return;
		const place = placeOf(imported);
		this.#known.set(place, [...(this.#known.get(place) ?? []), imported]);
	}

	#isKnown(imported: Imported): boolean {
		const there = this.#known.get(placeOf(imported)) ?? [];
		return there.some((known) => isDeepStrictEqual(meaningOf(known), meaningOf(imported)));
	}
}

const NO_HASH = "0".repeat(64);

function placeOf({ origin: { log, position } }: Imported): string {
	return `${position} ${log}`;
}

/** What tells an event from another that stands, or stood, at the same place of the same log. */
function meaningOf({ origin: { at, actor }, type, data }: Imported): unknown {
	return { at, actor, type, data };
}

/** An event that stands in a memory, as a file of it would bring it. */
function asImported({ event, position, at, actor }: MemoryFact, log: string): Imported | undefined {
	if (event.type === "memory/imported") return event.data;
	if (actor !== "user" && actor !== "model" && actor !== "rule") return undefined;
	return { origin: { log, position, at, actor }, type: event.type, data: event.data };
}
