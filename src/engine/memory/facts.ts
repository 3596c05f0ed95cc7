import { isDeepStrictEqual } from "node:util";
import type { MemoryEvent } from "../../../events/memory.ts";
import type { PayloadEvent } from "../../../events/payload.ts";
import type { MemoryFact, Proof } from "../../../projections/memory/record.ts";
import { decodeRaw, understand } from "../../store/event-codec.ts";
import { schemaCheck } from "../../store/schema-check.ts";
import type { SealedEvent } from "../../store/seal.ts";
import type { StoredEvent } from "../../store/store.ts";
import { REGISTRY } from "../store-journal.ts";

/** An event of memory that was brought from another log. */
type Imported = Extract<MemoryEvent, { type: "memory/imported" }>["data"];

/** Tells what can be said of an event by its seal. */
export interface Checker {
	check(stream: string, sealed: SealedEvent): Proof;
}

/** Whether an event is of memory, or destroys what was remembered. */
export function isOfMemory(type: string): boolean {
	return type.startsWith("memory/") || type === "payload/shredded";
}

/** An event of memory with what can be said of it; `undefined` for any other event, and for an import of what is none. */
export function factOf(
	event: StoredEvent,
	sealed: SealedEvent | undefined,
	checker: Checker,
): MemoryFact | undefined {
	if (!isOfMemory(event.type) || !isWellFormed(event)) return undefined;
	const { position, hash, at, actor } = event;
	return {
		event: event as MemoryEvent | PayloadEvent,
		position,
		hash,
		at,
		actor,
		proof: proofOf(event, sealed, checker),
	};
}

/**
 * What can be said of an event of memory by its seal. What was brought from elsewhere needs two: that of the user who
 * brought it here, and the one it carried there.
 */
export function proofOf(
	event: { readonly stream: string; readonly type: string; readonly actor: string; readonly data: unknown },
	sealed: SealedEvent | undefined,
	checker: Checker,
): Proof {
	const proof = event.actor === "user" && sealed ? checker.check(event.stream, sealed) : "unverified";
	if (event.type !== "memory/imported" || proof === "forged") return proof;
	const origin = proofOfOrigin(event.data as Imported, checker);
	return proof === "verified" || origin === "forged" ? origin : proof;
}

/** What an import brought is foreign data: its own payload was not looked at when it was stored. */
function isWellFormed(event: StoredEvent): boolean {
	if (event.type !== "memory/imported") return true;
	const { type, data } = event.data as Imported;
	const definition = isOfMemory(type) ? REGISTRY.get(type) : undefined;
	return definition !== undefined && schemaCheck(definition.schema)(data) === undefined;
}

/** What can be said of an event by the seal it carried where it was brought from: it must hold there, over bytes that say the very thing that is claimed. */
export function proofOfOrigin({ origin, type, data }: Imported, checker: Checker): Proof {
	if (origin.actor !== "user" || !origin.sealed) return "unverified";
	const { key, tag, stored } = origin.sealed;
	const bytes = Buffer.from(stored, "base64");
	const seal = { key, tag: Uint8Array.from(Buffer.from(tag, "base64")) };
	const proof = checker.check(origin.log, { stored: bytes, seal });
	return proof === "verified" && !says(bytes, { origin, type, data }) ? "forged" : proof;
}

function says(stored: Buffer, { origin, type, data }: Imported): boolean {
	try {
		const event = understand(REGISTRY, decodeRaw(origin.log, origin.position, stored, ""));
		const { at, actor } = origin;
		return (
			event.type === type && event.at === at && event.actor === actor && isDeepStrictEqual(event.data, data)
		);
	} catch {
		return false;
	}
}
