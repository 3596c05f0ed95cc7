/** Columns a text for the user keeps to. */
const COLUMNS = 78;
const LABEL = 9;
/** "Palimpsest: " */
const PREFIX = 12;

/** The first row of a text, with room for the name that is said before it. */
export function firstRow(text: string): string {
	return wrapped(text, "", COLUMNS - PREFIX);
}

/** A row of a text: a label, and words set in behind it, in lines of at most 78 columns. */
export function row(label: string, text: string): string {
	return wrapped(text, label.padEnd(LABEL));
}

/** Text broken between words, or within what is longer than a line; its lines are set in below a label. */
function wrapped(text: string, label: string, columns = COLUMNS): string {
	const lines: string[] = [];
	let line = label;
	for (const word of text.split(" ").flatMap((one) => pieces(one, columns - label.length))) {
		const isFirst = line.length === label.length;
		if (!isFirst && line.length + 1 + word.length > columns) {
			lines.push(line);
			line = `${" ".repeat(label.length)}${word}`;
		} else line += isFirst ? word : ` ${word}`;
	}
	return [...lines, line].join("\n");
}

function pieces(word: string, most: number): string[] {
	const parts: string[] = [];
	for (let at = 0; at < word.length || at === 0; at += most) parts.push(word.slice(at, at + most));
	return parts;
}
