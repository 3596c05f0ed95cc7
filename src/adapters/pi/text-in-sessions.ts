import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Where a text stands in a session file. */
interface FileLines {
	readonly path: string;
	/** from 1, the first of them */
	readonly lines: readonly number[];
	/** how many there are in all */
	readonly total: number;
}

/** What a search of session files came to. */
export interface TextInSessions {
	readonly found: readonly FileLines[];
	/** files that could not be read, or not in time */
	readonly unread: readonly string[];
}

/** Lines named of a file. */
const MOST_LINES = 12;

/**
 * Looks for a text in the session files of a folder, as JSON holds it: by itself, or in a text that holds JSON. `isWanted`
 * is asked as it goes on. O(bytes of the files).
 */
export async function textInSessions(
	folder: string,
	text: string,
	isWanted: () => boolean,
): Promise<TextInSessions> {
	const once = escaped(text);
	const needles = [...new Set([once, escaped(once)])];
	const found: FileLines[] = [];
	const unread: string[] = [];
	for (const path of await filesIn(folder)) {
		try {
			const at = await linesWith(path, needles, isWanted);
			if (at.total > 0) found.push({ path, ...at });
			if (!isWanted()) unread.push(path);
		} catch {
			unread.push(path);
		}
	}
	return { found, unread };
}

async function linesWith(
	path: string,
	needles: readonly string[],
	isWanted: () => boolean,
): Promise<Pick<FileLines, "lines" | "total">> {
	const lines: number[] = [];
	let total = 0;
	if (!isWanted()) return { lines, total };
	let number = 0;
	const input = createReadStream(path, "utf8");
	try {
		for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
			number++;
			if (!needles.some((needle) => line.includes(needle))) continue;
			total++;
			if (lines.length < MOST_LINES) lines.push(number);
			if (!isWanted()) break;
		}
	} finally {
		input.destroy();
	}
	return { lines, total };
}

async function filesIn(folder: string): Promise<string[]> {
	if (folder === "") return [];
	const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
	return entries
		.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl"))
		.map(({ name }) => join(folder, name))
		.sort();
}

function escaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}
