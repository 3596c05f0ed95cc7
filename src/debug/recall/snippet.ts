import { commonStem } from "../../../projections/recall/inflection.ts";
import { comparable } from "./plan.ts";

/** Longest snippet, characters. */
export const SNIPPET_CHARS = 700;

/** A snippet begins at a line at most this far before what was found. */
const BEFORE = 200;

/** Where a text is looked through, at most. */
const MOST_PLACES = 200;

/**
 * The part of a text around what was found: at most `room` characters that begin at a line, where most of the words stand
 * near each other, and end with a line or a sentence where one ends in them.
 */
export function snippetOf(
	text: string,
	words: readonly string[],
	phrases: readonly string[],
	room: number = SNIPPET_CHARS,
): string {
	if (text.length <= room) return text;
	const hit = hitIn(text, words, phrases, room);
	const start = hit <= BEFORE ? 0 : lineStart(text, hit);
	const rest = text.slice(start, start + room);
	if (start + room >= text.length) return rest;
	const ends = [...rest.matchAll(/\n|[.!?。！？](?=\s|$)/gu)].map(
		({ 0: end, index }) => index + end.trimEnd().length,
	);
	const last = ends.findLast((end) => end > room / 2 && start + end > hit + 80);
	return (last === undefined ? rest : rest.slice(0, last)).replace(/[\ud800-\udbff]$/, "");
}

/** Where the most of the words stand within a snippet's length. */
function hitIn(text: string, words: readonly string[], phrases: readonly string[], room: number): number {
	const lower = text.toLowerCase();
	// letters that grow in lower case would shift what is found
	if (lower.length !== text.length) return 0;
	for (const phrase of phrases) {
		const at = lower.indexOf(comparable(phrase));
		if (at !== -1) return at;
	}
	const places: { at: number; word: number; weight: number }[] = [];
	for (const [word, typed] of words.entries()) {
		const whole = placesOf(lower, typed);
		const found = whole.length > 0 ? whole : placesOf(lower, commonStem(typed));
		// what stands in few places says more
		for (const at of found) places.push({ at, word, weight: 1 / Math.sqrt(found.length) });
	}
	places.sort((a, b) => a.at - b.at);
	let best = { at: places[0]?.at ?? 0, weight: 0 };
	for (let from = 0; from < places.length; from++) {
		const seen = new Set<number>();
		let weight = 0;
		const { at } = places[from] as { at: number };
		for (let to = from; to < places.length && (places[to]?.at ?? 0) < at + room - BEFORE; to++) {
			const place = places[to] as (typeof places)[number];
			if (!seen.has(place.word)) weight += place.weight;
			seen.add(place.word);
		}
		if (weight > best.weight) best = { at, weight };
	}
	return best.at;
}

function placesOf(text: string, word: string): number[] {
	const places: number[] = [];
	for (
		let at = text.indexOf(word);
		at !== -1 && places.length < MOST_PLACES;
		at = text.indexOf(word, at + word.length)
	)
		places.push(at);
	return places;
}

/** The start of the line before a place, or of the word where that is too far away. */
function lineStart(text: string, at: number): number {
	const from = at - BEFORE;
	const line = text.lastIndexOf("\n", at - 1);
	if (line >= from) return line + 1;
	const blank = text.indexOf(" ", from);
	return blank !== -1 && blank < at ? blank + 1 : at;
}
