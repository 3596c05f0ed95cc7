/** A table in plain text: the first column to the left, numbers to the right, two spaces between columns. */
export function tableLines(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const widths = heads.map((head, column) => {
		return Math.max(head.length, ...rows.map((row) => (row[column] ?? "").length));
	});
	const lineOf = (cells: readonly string[]) =>
		widths
			.map((width, column) => {
				const cell = cells[column] ?? "";
				return column === 0 ? cell.padEnd(width) : cell.padStart(width);
			})
			.join("  ")
			.trimEnd();
	return [lineOf(heads), ...rows.map(lineOf)];
}

/** Text broken at spaces so that no line is longer than `width`; further lines are indented. */
export function wrapped(text: string, width = 100, indent = "  "): string[] {
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		const next = line === "" ? word : `${line} ${word}`;
		if (next.length <= width || line.trim() === "") line = next;
		else {
			lines.push(line);
			line = indent + word;
		}
	}
	return line === "" ? lines : [...lines, line];
}
