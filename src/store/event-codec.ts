import { Packr, RESERVE_START_SPACE } from "msgpackr";
import type { Actor, Envelope, Recorded } from "../../events/envelope.ts";
import { EventError, type Registry } from "../../events/registry.ts";
import { StoreError } from "./errors.ts";
import { keepsShape, unfaithful } from "./faithful.ts";
import { schemaCheck } from "./schema-check.ts";

/** An event as it lies in the store: decoded, but not yet brought to today's schema or checked. */
export interface RawEvent extends Omit<Envelope, "actor"> {
	readonly actor: string;
	/** hex SHA-256 of the stored value, which the next event repeats */
	readonly hash: string;
}

/** Bytes of the previous hash at the head of a stored value. */
const PREVIOUS_BYTES = 32;

const ACTORS: ReadonlySet<string> = new Set<Actor>(["user", "model", "rule", "runtime", "host"]);

// Plain maps: the same object gives the same bytes on a fresh and on a used Packr, in any process. Without `useToJSON:
// false` a payload with a key of that name would be called.
const packr = new Packr({ useRecords: false, variableMapSize: true, copyBuffers: true, useToJSON: false });

type Tuple = [
	type: string,
	v: number,
	at: number,
	actor: string,
	cause: string | null,
	node: string | null,
	data: unknown,
];

/**
 * The value stored for an event: the previous hash, then (type, v, at, actor, cause, node, data) by position. A tuple
 * is half the size of a map and decodes three times as fast. The bytes are the writer's once returned. Throws
 * `EVENT_UNKNOWN`, and `EVENT_INVALID` for a payload that breaks its schema or would not come back as it is.
 */
export function encodeEvent(registry: Registry, recorded: Recorded, previous: string): Buffer {
	const { event, at, actor, cause, node } = recorded;
	const { type, data } = event;
	const definition = registry.require(type);
	if (!keepsShape(data) || !Number.isSafeInteger(at) || !ACTORS.has(actor)) throw altered(recorded);
	const misfit = schemaCheck(definition.schema)(data);
	if (misfit) throw new EventError("EVENT_INVALID", type, `${type}: payload${misfit}`);
	const tuple: Tuple = [type, definition.v, at, actor, cause ?? null, node ?? null, data];
	const value = packr.pack(tuple, RESERVE_START_SPACE | PREVIOUS_BYTES);
	if (mayHoldSurrogate(value) && problemOf(recorded)) throw altered(recorded);
	value.write(previous, 0, PREVIOUS_BYTES, "hex");
	return value;
}

/**
 * Whether packed text may hold a lone surrogate. It would be written as itself, which begins with ED, or as U+FFFD, which
 * begins with EF; two searches of the bytes cost a fifth of looking at each string.
 */
function mayHoldSurrogate(value: Buffer): boolean {
	return value.indexOf(0xed, PREVIOUS_BYTES) !== -1 || value.indexOf(0xef, PREVIOUS_BYTES) !== -1;
}

function altered(recorded: Recorded): EventError {
	const { type } = recorded.event;
	return new EventError(
		"EVENT_INVALID",
		type,
		`${type} holds ${problemOf(recorded)}, which storage would alter`,
	);
}

function problemOf({ event, at, actor, cause, node }: Recorded): string | undefined {
	if (!Number.isSafeInteger(at)) return `the time ${at}`;
	if (!ACTORS.has(actor)) return `the actor ${JSON.stringify(actor)}`;
	if (cause?.isWellFormed() === false || node?.isWellFormed() === false)
		return "a cause or node with a lone surrogate";
	return unfaithful(event.data);
}

/** The previous hash a stored value begins with, as hex. */
export function previousOf(value: Uint8Array): string {
	return Buffer.from(value.buffer, value.byteOffset, PREVIOUS_BYTES).toString("hex");
}

/**
 * Decodes a stored value whose hash was checked. Byte arrays inside it are copies of their own. Throws
 * `STORE_CHAIN_BROKEN` where it holds no event, whatever its type: what someone else chained may hold anything.
 */
export function decodeRaw(stream: string, position: number, value: Uint8Array, hash: string): RawEvent {
	const tuple = tupleIn(value);
	if (!tuple) {
		throw new StoreError("STORE_CHAIN_BROKEN", `event ${position} of ${stream} holds no event`, {
			stream,
			position,
		});
	}
	const [type, v, at, actor, cause, node, data] = tuple;
	const raw = { stream, position, type, v, at, actor, data, hash };
	if (cause === null && node === null) return raw;
	return { ...raw, ...(cause !== null && { cause }), ...(node !== null && { node }) };
}

/** Whether a stored value holds an event, whatever its type. */
export function holdsEvent(value: Uint8Array): boolean {
	return tupleIn(value) !== undefined;
}

function tupleIn(value: Uint8Array): Tuple | undefined {
	let tuple: unknown;
	try {
		tuple = packr.unpack(value.subarray(PREVIOUS_BYTES));
	} catch {
		return undefined;
	}
	if (!Array.isArray(tuple)) return undefined;
	const [type, v, at, actor, cause, node] = tuple;
	const isName = (name: unknown) => name === null || typeof name === "string";
	const areNumbers = Number.isSafeInteger(v) && Number.isSafeInteger(at);
	const isEvent =
		typeof type === "string" && typeof actor === "string" && areNumbers && isName(cause) && isName(node);
	return isEvent ? (tuple as unknown as Tuple) : undefined;
}

/**
 * Brings a raw event to today's schema and checks it. Throws `EVENT_UNKNOWN`, `EVENT_NEWER` or `EVENT_INVALID`, each
 * naming the position.
 */
export function understand(registry: Registry, raw: RawEvent): Envelope & { readonly hash: string } {
	const definition = registry.get(raw.type);
	if (definition && definition.v === raw.v && schemaCheck(definition.schema)(raw.data) === undefined) {
		return raw as Envelope & { hash: string };
	}
	const place = `event ${raw.position} of ${raw.stream}`;
	try {
		const data = registry.upcast(raw.type, raw.v, raw.data);
		const { schema, v } = registry.require(raw.type);
		const misfit = schemaCheck(schema)(data);
		if (misfit) throw new EventError("EVENT_INVALID", raw.type, `${raw.type}: payload${misfit}`);
		return { ...(raw as Envelope & { hash: string }), v, data };
	} catch (cause) {
		if (!(cause instanceof EventError)) throw cause;
		throw new EventError(cause.code, raw.type, `${place}: ${cause.message}`, { cause });
	}
}
