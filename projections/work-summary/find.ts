import { oneLine } from "../brief/one-line.ts";
import type { Evidence } from "./evidence.ts";
import { type EvidenceHit, evidenceHit } from "./render.ts";

/**
 * The evidence in which words of a query stand, those with most of them first, then the newest; a word may stand in
 * another, and case and width of letters do not count. A query without words finds nothing.
 */
export function findEvidence(evidence: readonly Evidence[], query: string, limit: number): EvidenceHit[] {
	const words = [...new Set(folded(query).split(" "))].filter((word) => word !== "");
	return evidence
		.map((piece, at) => ({ piece, at, found: wordsIn(piece, words) }))
		.filter(({ piece, found }) => found > 0 && piece.text !== "")
		.sort((a, b) => b.found - a.found || b.at - a.at)
		.slice(0, Math.max(0, limit))
		.map(({ piece }) => evidenceHit(piece));
}

function wordsIn({ text, during, category }: Evidence, words: readonly string[]): number {
	const said = folded(`${text} ${during ?? ""} ${category}`);
	return words.reduce((found, word) => found + (said.includes(word) ? 1 : 0), 0);
}

function folded(text: string): string {
	return oneLine(text.normalize("NFKC")).toLowerCase();
}
