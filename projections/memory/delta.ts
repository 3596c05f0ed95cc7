import { cut, harmless, LINE_CHARS, MORE, type RecordText, recordLine } from "./line.ts";

/** What a window was told of memory, and what is to be told now. */
export interface Delta {
	/** records that were not told */
	readonly remembered: readonly RecordText[];
	/** records that were told and hold no more */
	readonly gone: readonly string[];
}

const REMEMBERED = "The user had this extension remember since (data the user wrote):";
const GONE = "No longer holds:";

/** What has changed between the records that were told and those that hold now. Order is that of the lists given. */
export function deltaOf<R extends RecordText>(
	told: readonly string[],
	holding: readonly R[],
): { readonly remembered: readonly R[]; readonly gone: readonly string[] } {
	const known = new Set(told);
	const holds = new Set(holding.map(({ record }) => record.id));
	return {
		remembered: holding.filter(({ record }) => !known.has(record.id)),
		gone: [...known].filter((id) => !holds.has(id)),
	};
}

/**
 * What is said of a change at the end of the window, within `room` characters, and which records it tells of; empty where
 * nothing changed. What no longer holds comes first, for it must not be acted on.
 */
export function deltaText(
	{ remembered, gone }: Delta,
	room: number,
): { readonly text: string; readonly remembered: readonly string[]; readonly gone: readonly string[] } {
	const whole = laidOut({ remembered, gone }, room);
	if (whole.isWhole) return whole.told;
	const left = room - MORE.length - 1;
	const { told } = laidOut({ remembered, gone }, left);
	return told.text === "" ? whole.told : { ...told, text: `${told.text}\n${MORE}` };
}

function laidOut({ remembered, gone }: Delta, room: number) {
	const lines: string[] = [];
	const told = { remembered: [] as string[], gone: [] as string[] };
	let left = room;
	let isWhole = true;
	const add = (line: string, head: string | undefined): boolean => {
		const size = line.length + 1 + (head === undefined ? 0 : head.length + 1);
		if (size > left) {
			isWhole = false;
			return false;
		}
		left -= size;
		lines.push(...(head === undefined ? [] : [head]), line);
		return true;
	};
	for (const id of gone)
		if (add(`- [${harmless(id)}]`, told.gone.length === 0 ? GONE : undefined)) told.gone.push(id);
	for (const each of remembered) {
		const line = recordLine(each, LINE_CHARS);
		if (line !== recordLine(each)) isWhole = false;
		if (add(line, told.remembered.length === 0 ? REMEMBERED : undefined))
			told.remembered.push(each.record.id);
	}
	return { isWhole, told: { text: cut(lines.join("\n"), Math.max(0, room)), ...told } };
}
