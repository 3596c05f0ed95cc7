import { eachName } from "./names.ts";
import type { Place, Source } from "./sources.ts";

/** What a span shows of one name. */
export interface NameFacts {
	readonly name: string;
	readonly places: ReadonlySet<Place>;
	/** occurrences in the span */
	readonly times: number;
	/** calls and speakers it occurs with */
	readonly sources: number;
	/** whether a line exports or imports it */
	readonly shared: boolean;
	/** index of the source it is listed under */
	readonly source: number;
}

interface Found extends NameFacts {
	readonly places: Set<Place>;
	times: number;
	sources: number;
	shared: boolean;
	source: number;
	rank: number;
	seenAt: number;
}

const SHARED = /^\s*(?:import|from|use|#include|require)\b|\bexport\b|\brequire\(/;
/** How far a line is looked at to each side of a name, characters. */
const REACH = 200;

/** Which kind of text a name is listed under, where it stands in several: what a call wrote, before who spoke of it. */
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
	noted: 1,
};

/** The names of a span's sources with what the span shows of them, in order of first occurrence. */
export function factsIn(sources: readonly Source[]): NameFacts[] {
	const found = new Map<string, Found>();
	for (const [source, { texts }] of sources.entries()) {
		for (const { place, text } of texts) {
			eachName(text, (name, index) => {
				let facts = found.get(name);
				if (facts === undefined) {
					facts = {
						name,
						places: new Set(),
						times: 0,
						sources: 0,
						shared: false,
						source,
						rank: 0,
						seenAt: -1,
					};
					found.set(name, facts);
				}
				facts.places.add(place);
				facts.times++;
				if (facts.seenAt !== source) facts.sources++;
				facts.seenAt = source;
				if (RANK[place] > facts.rank) {
					facts.rank = RANK[place];
					facts.source = source;
				}
				if (!facts.shared) facts.shared = SHARED.test(lineAt(text, index));
			});
		}
	}
	return [...found.values()];
}

/** The line around `index`. */
function lineAt(text: string, index: number): string {
	const from = Math.max(text.lastIndexOf("\n", index - 1) + 1, index - REACH);
	const end = text.indexOf("\n", index);
	return text.slice(from, Math.min(end < 0 ? text.length : end, index + REACH));
}
