/** One figure of a bench beside the limit measured in the same run. */
export interface Row {
	/** what was measured, with its size */
	readonly name: string;
	readonly value: number;
	readonly unit: string;
	/** what the limit is: the least that could have been done */
	readonly against: string;
	/** the limit, in the same unit */
	readonly limit: number;
	/** value / limit */
	readonly ratio: number;
	/** what the ratio must keep, for the reader: `≥ 0.50` */
	readonly target: string;
	readonly ok: boolean;
}

/** A figure and its limit, before they are judged. */
export type Measured = Pick<Row, "name" | "value" | "unit" | "against" | "limit">;

/** A figure that must reach this share of its limit: speeds. */
export function atLeast(share: number, measured: Measured): Row {
	const ratio = measured.value / measured.limit;
	return { ...measured, ratio, target: `≥ ${share.toFixed(2)}`, ok: ratio >= share };
}

/** A figure that must stay within this multiple of its limit: sizes and times. */
export function atMost(multiple: number, measured: Measured): Row {
	const ratio = measured.value / measured.limit;
	return { ...measured, ratio, target: `≤ ${multiple.toFixed(2)}`, ok: ratio <= multiple };
}

/** Rows as lines of a table. */
export function printRows(rows: readonly Row[]): string {
	const cells = rows.map((row) => [
		row.ok ? "ok" : "MISSED",
		row.name,
		`${figure(row.value)} ${row.unit}`,
		`${row.ratio.toFixed(2)} (${row.target})`,
		`of ${figure(row.limit)} ${row.unit}, ${row.against}`,
	]);
	const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
	return cells
		.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
		.join("\n");
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function figure(value: number): string {
	return value >= 1000 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);
}
