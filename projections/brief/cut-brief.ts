import { WITHHELD } from "../secrets.ts";
import type { TranscriptEntry } from "../transcript.ts";
import { accountOf } from "./account.ts";
import { AGAIN_NAMES, BRIEF_CHARS, type Brief, type BriefItem, LEAST, type WeighedName } from "./brief.ts";
import { factsIn, type NameFacts } from "./facts.ts";
import { heaviest } from "./heaviest.ts";
import { isPhrase, runsOf } from "./names.ts";
import { rendered } from "./render.ts";
import { salience, weightOf } from "./salience.ts";
import { type Place, type Source, sourcesOf } from "./sources.ts";
import { tellable } from "./tellable.ts";

/** Characters of the index that are filled whatever it is worth, so that a brief can be told from others. */
const FILL = 400;

/**
 * The brief of a cut: a pure function of its entries and of the briefs that stand before it on its path, oldest first.
 * What those name is not worth naming again: up to half of the name characters of a long session were repeats, and
 * briefs that knew of none kept 8 to 10 points less.
 */
export function cutBrief(span: readonly TranscriptEntry[], earlier: readonly Brief[] = []): Brief {
	const entries = tellable(span);
	const sources = sourcesOf(entries);
	const index = indexOf(sources, factsIn(sources));
	const named = namedIn(earlier);
	const came = index
		.flatMap(({ head, weight, names }): WeighedName[] => [[head, weight], ...names])
		.filter(([name, weight]) => weight > 0 && named.has(name));
	const again = heaviest(came, AGAIN_NAMES);
	const account = accountOf(entries);
	return rendered({ account, again }, index, { room: BRIEF_CHARS, least: LEAST, named, fill: FILL });
}

/** Every name briefs give, and the paths within it. */
function namedIn(briefs: readonly Brief[]): Set<string> {
	const named = new Set<string>();
	for (const { head, names } of briefs.flatMap((brief) => brief.items)) {
		for (const name of [head, ...names.map(([name]) => name)])
			if (name.includes("/")) for (const run of runsOf(name)) named.add(run);
			else named.add(name);
	}
	return named;
}

/** One item a head, names in order of first occurrence. */
function indexOf(sources: readonly Source[], found: readonly NameFacts[]): BriefItem[] {
	const byName = new Map(found.map((facts) => [facts.name, facts] as const));
	const items = new Map<string, { tool: string; weight: number; names: WeighedName[] }>();
	for (const { head, tool } of sources) {
		if (items.has(head)) continue;
		const facts = byName.get(head);
		items.set(head, { tool, weight: facts === undefined ? 0 : weightOf(salience(facts)), names: [] });
	}
	for (const facts of found) {
		const { head } = sources[facts.source] as Source;
		if (facts.name === head || isSentence(facts)) continue;
		items.get(head)?.names.push([facts.name, weightOf(salience(facts))]);
	}
	return [...items].map(([head, item]) => ({ head, ...item }));
}

/** A phrase that only tools wrote, or that has markup or a gap in it, is no name to repeat in a user's message. */
function isSentence({ name, places }: NameFacts): boolean {
	return isPhrase(name) && (/[<>]/.test(name) || name.includes(WITHHELD) || [...places].every(isTool));
}

function isTool(place: Place): boolean {
	return place === "output" || place === "failure" || place === "noted";
}
