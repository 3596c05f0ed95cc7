import type { TranscriptEntry } from "../transcript.ts";
import { accountOf } from "./account.ts";
import { BRIEF_CHARS, type Brief, type BriefItem, type WeighedName } from "./brief.ts";
import { eachName } from "./names.ts";
import { rendered } from "./render.ts";
import { type NameFacts, salience, weightOf } from "./salience.ts";
import { type Place, type Source, sourcesOf } from "./sources.ts";

/** The brief of a cut: a pure function of its entries. */
export function cutBrief(entries: readonly TranscriptEntry[], room: number = BRIEF_CHARS): Brief {
	return rendered(accountOf(entries), itemsOf(sourcesOf(entries)), room);
}

interface Found extends NameFacts {
	readonly places: Set<Place>;
	times: number;
	sources: number;
	declared: boolean;
	/** source it is listed under, and whether that source ran with it or only showed it */
	source: number;
	rank: number;
	lastSource: number;
}

const DECLARED = /\b(?:function|class|interface|type|const|let|def|struct|enum|fn|func)\s+$/;

function itemsOf(sources: readonly Source[]): BriefItem[] {
	const found = new Map<string, Found>();
	for (const [i, source] of sources.entries()) {
		for (const { place, text } of source.texts) {
			eachName(text, (name, index) => {
				let facts = found.get(name);
				if (facts === undefined) {
					facts = {
						name,
						places: new Set(),
						times: 0,
						sources: 0,
						declared: false,
						source: i,
						rank: 0,
						lastSource: -1,
					};
					found.set(name, facts);
				}
				facts.places.add(place);
				facts.times++;
				if (facts.lastSource !== i) facts.sources++;
				facts.lastSource = i;
				const rank = RANK[place];
				if (rank > facts.rank) {
					facts.rank = rank;
					facts.source = i;
				}
				if (!facts.declared && DECLARED.test(text.slice(Math.max(0, index - 12), index)))
					facts.declared = true;
			});
		}
	}
	return collected(sources, found);
}

const RANK: { readonly [place in Place]: number } = {
	written: 5,
	command: 5,
	argument: 5,
	output: 4,
	failure: 4,
	replaced: 3,
	path: 3,
	said: 2,
	asked: 2,
	thought: 1,
};

/** One item a head, names in order of first occurrence; a phrase only a tool wrote is a sentence, and stays out. */
function collected(sources: readonly Source[], found: ReadonlyMap<string, Found>): BriefItem[] {
	const items = new Map<string, { tool: string; weight: number; names: WeighedName[] }>();
	for (const { head, tool } of sources) {
		if (items.has(head)) continue;
		const facts = found.get(head);
		items.set(head, { tool, weight: facts === undefined ? 0 : weightOf(salience(facts)), names: [] });
	}
	for (const facts of found.values()) {
		const source = sources[facts.source] as Source;
		if (facts.name === source.head) continue;
		if (/\s/.test(facts.name) && (/[<>]/.test(facts.name) || [...facts.places].every(isTool))) continue;
		items.get(source.head)?.names.push([facts.name, weightOf(salience(facts))]);
	}
	return [...items].map(([head, item]) => ({ head, ...item }));
}

function isTool(place: Place): boolean {
	return place === "output" || place === "failure";
}
