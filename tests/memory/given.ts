import { createHash } from "node:crypto";
import type { Actor } from "../../events/envelope.ts";
import type { MemoryEvent } from "../../events/memory.ts";
import type { PayloadEvent } from "../../events/payload.ts";
import { memoryOf } from "../../projections/memory/memory.ts";
import type { Memory, MemoryFact, MemoryRecord, Proof } from "../../projections/memory/record.ts";
import type { Deciding, MemoryDecision, MemoryView } from "../../src/commands/memory/decision.ts";

/** Hex SHA-256 of a text's UTF-8. */
export function hashText(text: string): string {
	return createHash("sha256").update(text, "utf8").digest("hex");
}

/** A stream of memory that grows by decisions, for deciders to decide on. */
export class GivenMemory implements MemoryView {
	readonly facts: MemoryFact[] = [];
	readonly texts = new Map<string, string>();
	beside: readonly Memory[] = [];
	#ids = 0;

	get memory(): Memory {
		return memoryOf(this.facts);
	}

	text(digest: string): string | undefined {
		return this.texts.get(digest);
	}

	/** Writes a decision down as its actor's; gives its id. */
	write(decision: MemoryDecision, actor: Actor, at = 0, proof: Proof = "verified"): string {
		for (const { digest, text } of decision.bodies) this.texts.set(digest, text);
		for (const event of decision.events) this.event(event, actor, at, proof);
		return decision.id ?? "";
	}

	event(event: MemoryEvent | PayloadEvent, actor: Actor, at = 0, proof: Proof = "verified"): void {
		const position = this.facts.length;
		this.facts.push({ event, position, hash: `hash-${position}`, at, actor, proof });
		if (event.type === "payload/shredded")
			for (const digest of event.data.contents) this.texts.delete(digest);
	}

	record(id: string): MemoryRecord | undefined {
		return this.memory.records.get(id);
	}

	/** An id nobody has. */
	id(): string {
		return `mem_${String(this.#ids++).padStart(16, "0")}`;
	}
}

/** Who decides, unless a test says otherwise. */
export const SOMEBODY: Deciding = { session: "s1", hashText, now: 1_000 };
