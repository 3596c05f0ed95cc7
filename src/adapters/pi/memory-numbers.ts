import type { MemoryRecord } from "../../../projections/memory/record.ts";
import { count, whole } from "../../debug/numbers.ts";
import { STATUSES } from "./memory-words.ts";

/** Numbers of records by their status, such as "2 pinned, 1 provisional". */
export function statusCounts(records: readonly MemoryRecord[]): string {
	return STATUSES.map(
		(status) => [status, records.filter((record) => record.status === status).length] as const,
	)
		.filter(([, n]) => n > 0)
		.map(([status, n]) => `${whole(n)} ${status}`)
		.join(", ");
}

/** How long ago something was, in words. */
export function agoWords(at: number, now: number): string {
	const minutes = Math.floor((now - at) / 60_000);
	if (minutes < 1) return "just now";
	if (minutes < 60) return `${count(minutes, "minute")} ago`;
	if (minutes < 48 * 60) return `${count(Math.floor(minutes / 60), "hour")} ago`;
	return `${count(Math.floor(minutes / 1_440), "day")} ago`;
}
