import { cut, harmless, LINE_CHARS, MORE, type RecordText, recordLine } from "./line.ts";

/** What a window was told of memory, and what is to be told now. */
export interface Delta {
	/** records that were not told */
	readonly remembered: readonly RecordText[];
	/** records that were told and hold no more */
	readonly gone: readonly string[];
	/** those of them that are another session's own, which this one was forked from */
	readonly foreign?: ReadonlySet<string>;
}

const REMEMBERED = "The user had this extension remember since (data the user wrote):";
const GONE = "No longer holds:";
const FOREIGN = "Belongs to the session this was forked from, and is not remembered in this one:";

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
	delta: Delta,
	room: number,
): { readonly text: string; readonly remembered: readonly string[]; readonly gone: readonly string[] } {
	const whole = laidOut(delta, room);
	if (whole.isWhole) return whole.told;
	const left = room - MORE.length - 1;
	const { told } = laidOut(delta, left);
	return told.text === "" ? whole.told : { ...told, text: `${told.text}\n${MORE}` };
}

function laidOut({ remembered, gone, foreign = new Set() }: Delta, room: number) {
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
	const own = gone.filter((id) => !foreign.has(id));
	const others = gone.filter((id) => foreign.has(id));
	for (const [head, ids] of [[GONE, own] as const, [FOREIGN, others] as const]) {
		let first: string | undefined = head;
		for (const id of ids) {
			if (!add(`- [${harmless(id)}]`, first)) continue;
			first = undefined;
			told.gone.push(id);
		}
	}
	for (const each of remembered) {
		const line = recordLine(each, LINE_CHARS);
		if (line !== recordLine(each)) isWhole = false;
		if (add(line, told.remembered.length === 0 ? REMEMBERED : undefined))
			told.remembered.push(each.record.id);
	}
	return { isWhole, told: { text: cut(lines.join("\n"), Math.max(0, room)), ...told } };
}
