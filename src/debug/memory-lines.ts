import type { MemoryEvent, NewRecord } from "../../events/memory.ts";
import type { PayloadEvent } from "../../events/payload.ts";
import { count, whole } from "./numbers.ts";

/** An event of memory in one line, never its text. */
export function memoryLine(event: MemoryEvent | PayloadEvent): string {
	switch (event.type) {
		case "memory/recorded":
		case "memory/proposed":
		case "memory/derived":
			return recordLine(event.data);
		case "memory/superseded":
			return `${event.data.id} by ${recordLine(event.data.record)}`;
		case "memory/resolved":
			return `${event.data.id} (${event.data.why})`;
		case "memory/confirmed":
		case "memory/pinned":
		case "memory/unpinned":
		case "memory/restored":
			return `record ${event.data.id}`;
		case "memory/trusted":
			return `${count(event.data.events.length, "event")} vouched for`;
		case "memory/imported": {
			const { origin, type } = event.data;
			return `${type} of ${origin.actor}, event ${origin.position} of ${origin.log}`;
		}
		case "memory/moved":
			return `from ${event.data.from} to ${event.data.to}`;
		case "payload/shredded": {
			const { contents, records } = event.data;
			const of = records.length > 0 ? ` of ${records.join(" ")}` : "";
			return `${count(contents.length, "content")} destroyed${of}`;
		}
		default:
			return event satisfies never;
	}
}

function recordLine({ id, kind, scope, priority, chars, pinned }: NewRecord): string {
	return `${id} ${kind}, ${scope}, priority ${priority}, ${whole(chars)} chars${pinned ? ", pinned" : ""}`;
}
