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

/** A text in whose words that are longer than `room` lines end behind the names of folders. */
export function pathsBroken(text: string, room: number): string {
	return text.replace(/\S+/g, (word) => {
		if (word.length <= room) return word;
		let line = 0;
		return word.replace(/[^/]*\/|[^/]+$/g, (name) => {
			const isFull = line > 0 && line + name.length > room;
			line = isFull ? name.length : line + name.length;
			return isFull ? `\n${name}` : name;
		});
	});
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

/** A word in pieces of so many characters at most; a path behind the names of folders, where these fit. */
function pieces(word: string, most: number): string[] {
	const parts: string[] = [];
	let rest = word;
	while (rest.length > most) {
		const slash = rest.lastIndexOf("/", most - 1);
		const end = slash > 0 ? slash + 1 : most;
		parts.push(rest.slice(0, end));
		rest = rest.slice(end);
	}
	return [...parts, rest];
}
