import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { MapList } from "./editor-list.ts";

/** Rows looked at in one go: a few tens of ms where each is read from the disk. */
const STRETCH = 200;

/**
 * The index of the next line behind the selected one that holds a text, going round, whatever the case of its letters;
 * `undefined` where none does, or `isOver` says so meanwhile. O(lines), in stretches.
 */
export async function findIn(
	list: MapList,
	text: string,
	isOver: () => boolean,
): Promise<number | undefined> {
	const { lines, selectedIndex } = list;
	const wanted = text.toLowerCase();
	for (let step = 1; step <= lines.length; step++) {
		const index = (selectedIndex + step) % lines.length;
		const line = lines[index];
		if (line && list.wordsOf(line).toLowerCase().includes(wanted)) return index;
		if (step % STRETCH !== 0) continue;
		await turnOfOthers();
		if (isOver() || list.lines !== lines) return undefined;
	}
	return undefined;
}
