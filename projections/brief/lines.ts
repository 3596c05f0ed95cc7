import { type BriefItem, ITEM_NAMES, LINE_CHARS } from "./brief.ts";
import { shortHead } from "./choose.ts";

/** An index as text: a line holds a head and at most 24 names in 300 characters; what is left goes on under a short head. */
export function indexLines(items: readonly BriefItem[]): string[] {
	return items.flatMap(itemLines);
}

function itemLines({ head, tool, names }: BriefItem): string[] {
	const lines: string[] = [];
	let line = names.length > 0 ? `${head}:` : head;
	let count = 0;
	for (const [name] of names) {
		const word = /\s/.test(name) ? `"${name}"` : name;
		if (count === ITEM_NAMES || line.length + 1 + word.length > LINE_CHARS) {
			lines.push(line);
			line = `${head.length > 40 ? shortHead(head, tool) : head}:`;
			count = 0;
		}
		line += ` ${word}`;
		count++;
	}
	lines.push(line);
	return lines;
}
