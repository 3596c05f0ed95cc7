/** A table in plain text: the first column to the left, numbers to the right, two spaces between columns. */
export function tableLines(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const widths = widthsOf(heads, rows);
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

/** A table of words: every column to the left, the last one broken so that no line is longer than `width`. */
export function textTable(
	heads: readonly string[],
	rows: readonly (readonly string[])[],
	width: number,
): string[] {
	const last = heads.length - 1;
	const widths = widthsOf(heads.slice(0, last), rows);
	const indent = widths.reduce((sum, one) => sum + one + 2, 0);
	return [heads, ...rows].flatMap((cells) => {
		const start = widths.map((one, column) => `${(cells[column] ?? "").padEnd(one)}  `).join("");
		const [first = "", ...more] = wrapped(cells[last] ?? "", Math.max(20, width - indent), "");
		return [start + first, ...more.map((line) => " ".repeat(indent) + line)].map((line) => line.trimEnd());
	});
}

function widthsOf(heads: readonly string[], rows: readonly (readonly string[])[]): number[] {
	return heads.map((head, column) =>
		rows.reduce((most, row) => Math.max(most, (row[column] ?? "").length), head.length),
	);
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
