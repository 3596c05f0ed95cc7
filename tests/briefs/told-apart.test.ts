import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Brief } from "../../projections/brief/brief.ts";
import { cutBrief } from "../../projections/brief/cut-brief.ts";
import { eachText } from "../../projections/brief/texts.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { openSession } from "../../src/adapters/sessions/pi/session.ts";

const MIN_FOLD_CHARS = 8000;

test("of four briefs, BM25 on a span's text picks the span's own nine times in ten", async () => {
	const spans = spansOf(await recorded());
	const briefs: Brief[] = [];
	for (const span of spans) briefs.push(cutBrief(span, briefs.slice(-19)));
	expect(spans.length).toBeGreaterThan(40);
	let right = 0;
	for (const [i, span] of spans.entries()) {
		const others = [7, 19, 31].map((step) => (i + step) % spans.length);
		const four = [i, ...others].map((k) => briefs[k]?.text ?? "");
		if (best(textOf(span), four) === 0) right++;
	}
	expect(right / spans.length).toBeGreaterThanOrEqual(0.9);
});

async function recorded(): Promise<TranscriptEntry[]> {
	const file = await openSession(fileURLToPath(new URL("../sessions/recorded.jsonl", import.meta.url)));
	const entries: TranscriptEntry[] = [];
	for await (const entry of file.entries) entries.push(entry);
	return entries;
}

/** Stretches of the session that close with a reply once they reach 8,000 characters. */
function spansOf(entries: readonly TranscriptEntry[]): TranscriptEntry[][] {
	const spans: TranscriptEntry[][] = [[]];
	let chars = 0;
	for (const entry of entries) {
		if (entry.role === undefined || entry.role === "system") continue;
		if (chars >= MIN_FOLD_CHARS && entry.role !== "result") {
			spans.push([]);
			chars = 0;
		}
		spans.at(-1)?.push(entry);
		chars += textOf([entry]).length;
	}
	return spans.slice(0, -1);
}

function textOf(span: readonly TranscriptEntry[]): string {
	const texts: string[] = [];
	for (const entry of span) eachText(entry, (text) => texts.push(text));
	return texts.join("\n");
}

/** The document BM25 ranks first for a query: k1 = 1.2, b = 0.75. */
function best(query: string, documents: readonly string[]): number {
	const asked = new Set(wordsOf(query));
	const counted = documents.map((document) => countsOf(wordsOf(document)));
	const lengths = counted.map((counts) => [...counts.values()].reduce((sum, n) => sum + n, 0));
	const mean = lengths.reduce((sum, n) => sum + n, 0) / documents.length;
	const scores = counted.map((counts, i) => {
		let score = 0;
		for (const [word, n] of counts) {
			if (!asked.has(word)) continue;
			const held = counted.filter((other) => other.has(word)).length;
			const rare = Math.log(1 + (documents.length - held + 0.5) / (held + 0.5));
			score += (rare * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * (lengths[i] ?? 0)) / mean));
		}
		return score;
	});
	return scores.indexOf(Math.max(...scores));
}

function wordsOf(text: string): string[] {
	return text.toLowerCase().match(/[a-z0-9_$]{2,}/g) ?? [];
}

function countsOf(words: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
	return counts;
}
