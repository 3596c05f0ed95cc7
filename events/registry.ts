import type { EventDefinition } from "./envelope.ts";

/**
 * What can be wrong with an event. `EVENT_INVALID`: its payload breaks its schema or would not survive storage;
 * `EVENT_UNKNOWN`: no definition has its type; `EVENT_NEWER`: its schema version is newer than this release knows.
 */
export type EventErrorCode = "EVENT_INVALID" | "EVENT_UNKNOWN" | "EVENT_NEWER";

/** Each code of an {@link EventError} and what it means, in one line. */
export const EVENT_ERROR_CODES: { readonly [code in EventErrorCode]: string } = {
	EVENT_INVALID: "a payload breaks its schema, or would not come back from storage as it went in",
	EVENT_UNKNOWN: "no definition has this event type; a newer release may have written it",
	EVENT_NEWER: "the event's schema version is newer than this release knows",
};

/** An event that cannot be written, or cannot be understood when read. */
export class EventError extends Error {
	override readonly name = "EventError";
	readonly code: EventErrorCode;
	/** the event's type */
	readonly type: string;

	constructor(code: EventErrorCode, type: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
		this.type = type;
	}
}

/** Every event type a release knows. */
export interface Registry {
	/** the definition of a type, if this release has one */
	get(type: string): EventDefinition | undefined;
	/** the definition a writer needs; throws `EVENT_UNKNOWN` */
	require(type: string): EventDefinition;
	/** all definitions, in the order they were given */
	readonly definitions: readonly EventDefinition[];
	/**
	 * Takes a payload of schema version `v` to today's version, one upcaster at a time. Whether the outcome fits the
	 * schema is for the caller to check. Throws `EVENT_UNKNOWN`, `EVENT_NEWER`, and `EVENT_INVALID` where an upcaster
	 * throws or `v` is no version.
	 */
	upcast(type: string, v: number, data: unknown): unknown;
}

/**
 * A registry of the definitions given. Throws a `TypeError` for two definitions of one type, a version below 1, or a
 * version without a way up: those are mistakes in a catalogue, found when it is loaded.
 */
export function createRegistry(definitions: readonly EventDefinition[]): Registry {
	const byType = new Map<string, EventDefinition>();
	for (const definition of definitions) {
		if (byType.has(definition.type)) throw new TypeError(`event type ${definition.type} is defined twice`);
		assertWayUp(definition);
		byType.set(definition.type, definition);
	}
	const required = (type: string): EventDefinition => {
		const definition = byType.get(type);
		if (definition) return definition;
		throw new EventError("EVENT_UNKNOWN", type, `no event type "${type}" in this release`);
	};
	return {
		definitions,
		get: (type) => byType.get(type),
		require: required,
		upcast: (type, v, data) => {
			const definition = required(type);
			return v === definition.v ? data : climb(definition, v, data);
		},
	};
}

function assertWayUp({ type, v, upcasters }: EventDefinition): void {
	if (!Number.isInteger(v) || v < 1) throw new TypeError(`${type}: schema versions count from 1, not ${v}`);
	for (let step = 1; step < v; step++) {
		if (!upcasters[step]) throw new TypeError(`${type}@${step} has no upcaster to ${step + 1}`);
	}
}

function climb({ type, v: newest, upcasters }: EventDefinition, v: number, data: unknown): unknown {
	if (!Number.isInteger(v) || v < 1) throw new EventError("EVENT_INVALID", type, `${type}: no version ${v}`);
	if (v > newest) {
		throw new EventError(
			"EVENT_NEWER",
			type,
			`${type}@${v} is newer than this release, which knows @${newest}`,
		);
	}
	let risen = data;
	for (let step = v; step < newest; step++) {
		try {
			risen = upcasters[step]?.(risen);
		} catch (cause) {
			throw new EventError("EVENT_INVALID", type, `${type}@${step} could not be brought to @${step + 1}`, {
				cause,
			});
		}
	}
	return risen;
}
