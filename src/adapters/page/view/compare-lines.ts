import type { DiffRow, WindowDiff } from "../../../debug/window-diff.ts";

/** A line of a comparison: a row, one side of it, or a run of rows that are the same in both windows. */
export type CompareLine =
	| { readonly kind: "row"; readonly row: DiffRow; readonly side: "both" | "a" | "b" }
	| {
			readonly kind: "run";
			/** index of its first row, which it is opened by */
			readonly from: number;
			readonly rows: number;
			readonly tokens: number;
	  };

/** How a comparison is laid out. */
export interface Layout {
	/** one column: what was replaced takes two lines */
	readonly isUnified: boolean;
	readonly showsAll: boolean;
	/** runs that are opened, by their first rows */
	readonly opened: ReadonlySet<number>;
}

/** A run shorter than this is not worth a line of its own. */
const WORTH_FOLDING = 3;

/** The rows of a comparison as lines, runs of equal rows folded away unless they are asked for. */
export function linesOf(rows: readonly DiffRow[], { isUnified, showsAll, opened }: Layout): CompareLine[] {
	const lines: CompareLine[] = [];
	for (let index = 0; index < rows.length; ) {
		const end = endOfRun(rows, index);
		const run = rows.slice(index, end);
		if (run.length >= WORTH_FOLDING && !showsAll && !opened.has(index)) {
			const tokens = run.reduce((sum, { b }) => sum + (b?.tokens ?? 0), 0);
			lines.push({ kind: "run", from: index, rows: run.length, tokens });
		} else {
			for (const row of run.length > 0 ? run : rows.slice(index, index + 1)) {
				const splits = isUnified && row.change === "replaced";
				for (const side of splits ? (["a", "b"] as const) : (["both"] as const)) {
					lines.push({ kind: "row", row, side });
				}
			}
		}
		index = Math.max(end, index + 1);
	}
	return lines;
}

/** How many rows changed in which way. */
export function changesIn(rows: readonly DiffRow[]): Record<DiffRow["change"], number> {
	const changes = { same: 0, added: 0, removed: 0, replaced: 0 };
	for (const { change } of rows) changes[change] += 1;
	return changes;
}

const turned = { same: "same", replaced: "replaced", added: "removed", removed: "added" } as const;

/** A comparison seen from its other end: the later window on the left. */
export function turnedRound(rows: WindowDiff["rows"]): DiffRow[] {
	return rows.map(({ a, b, change, ...cause }) => ({
		...cause,
		change: turned[change],
		...(b && { a: b }),
		...(a && { b: a }),
	}));
}

function endOfRun(rows: readonly DiffRow[], from: number): number {
	let end = from;
	while (rows[end]?.change === "same") end += 1;
	return end;
}
