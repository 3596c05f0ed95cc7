import type { MemoryEvent, NewRecord } from "../../../events/memory.ts";

/** The record an event of memory makes, also one that was brought from elsewhere; `undefined` where it makes none. */
export function recordMadeBy({
	type,
	data,
}: {
	readonly type: string;
	readonly data: unknown;
}): NewRecord | undefined {
	const event = { type, data } as MemoryEvent;
	switch (event.type) {
		case "memory/recorded":
		case "memory/proposed":
		case "memory/derived":
			return event.data;
		case "memory/superseded":
			return event.data.record;
		case "memory/imported":
			return recordMadeBy(event.data);
		default:
			return undefined;
	}
}
