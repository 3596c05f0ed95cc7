import type { Category, Evidence } from "./evidence.ts";

/** What a category is called above its lines. */
export const HEADINGS: { readonly [category in Category]: string } = {
	goal: "Asked by the user:",
	decision: "Decisions and constraints of the user:",
	open: "Said to be open:",
	error: "Errors:",
	tests: "Test runs, the last of each:",
	changed: "Files changed:",
	command: "Other commands, the last run of each:",
	read: "Files read:",
};

/**
 * Pieces of one category on a line each, and how many are left out: of goals where they were, of others where the first
 * was. `isSure`: whether none of these came again.
 */
export function linesOf(pieces: readonly Evidence[], isSure: boolean): string[] {
	const gap = (count: number) => (count > 0 ? [`… ${isSure ? "" : "up to "}${count} more not shown`] : []);
	const [first] = pieces;
	if (first?.category === "goal")
		return pieces.flatMap((piece) => {
			const lines = [evidenceLine(piece), ...gap(piece.left ?? 0)];
			return piece === first ? lines : lines.reverse();
		});
	const all = pieces.reduce((sum, { left = 0 }) => sum + left, 0);
	const at = pieces.findIndex(({ left = 0 }) => left > 0);
	return pieces.flatMap((piece, place) => [...gap(place === at ? all : 0), evidenceLine(piece)]);
}

/** A piece of evidence on one line, led by the entry it stands in. */
export function evidenceLine(evidence: Evidence): string {
	const { category, text, during, gone } = evidence;
	const at = `[${entryName(evidence.entry)}]`;
	switch (category) {
		case "error": {
			const came = during === undefined ? "" : ` (${during})`;
			return `${at} ${text}${came}${gone === undefined ? "" : `, not seen since [${entryName(gone)}]`}`;
		}
		case "tests":
			return `${at} ${text} → ${countsLine(evidence)}${endOf(evidence, ", ")}`;
		case "command":
			return `${at} ${text}${endOf(evidence, " → ") || " → ok"}`;
		default:
			return `${at} ${text}`;
	}
}

function countsLine({ counts }: Evidence): string {
	const { passed, failed } = counts ?? {};
	return [
		...(passed === undefined ? [] : [`${passed} passed`]),
		...(failed === undefined ? [] : [`${failed} failed`]),
	].join(", ");
}

/** How a run ended, where that was not well. */
function endOf({ exit, failed }: Evidence, lead: string): string {
	if (failed === undefined) return `${lead}no result`;
	if (exit !== undefined) return `${lead}exit ${exit}`;
	return failed ? `${lead}failed` : "";
}

/** An entry's id, which may be any string, on a line. */
export function entryName(id: string): string {
	return /^[\w.:~-]+$/.test(id) ? id : JSON.stringify(id);
}
