import { UNPRINTABLE } from "./names.ts";

/** A text on one line: well-formed, nothing in it that moves a cursor or hides, blanks in a row as one. */
export function oneLine(text: string): string {
	return text.toWellFormed().split(UNPRINTABLE).join(" ").replace(/\s+/g, " ").trim();
}

/** A line within so many characters, cut at a blank where one is near the end, and then with an ellipsis. */
export function shortened(line: string, room: number): string {
	if (line.length <= room) return line;
	const cut = line.slice(0, room - 1);
	const blank = cut.lastIndexOf(" ");
	return `${(blank > room / 2 ? cut.slice(0, blank) : cut).replace(/[\ud800-\udbff]$/, "")}…`;
}
