import { withoutWrittenEscapes } from "./escapes.ts";
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
	/** whether it has a line of output to itself, but for digits: a file in a listing, a hit of a search */
	readonly listed: boolean;
	/** index of the source it is listed under */
	readonly source: number;
}

interface Found extends NameFacts {
	readonly places: Set<Place>;
	times: number;
	sources: number;
	shared: boolean;
	listed: boolean;
	source: number;
	rank: number;
	/** where it was first said, if it was */
	said: number | undefined;
	seenAt: number;
}

const DECLARED = /\b(?:function|class|interface|type|const|enum|def|struct|fn|func)\s+$/;
/** Characters before a name that may declare it. */
const BEFORE = 12;
const SHARED = /^\s*(?:import|from|use|#include|require)\b|\bexport\b|\brequire\(/;
/** What a listing puts beside a path. */
const ALONE = /^[\d\s:.*-]*$/;
/** How far a line is looked at to each side of a name, characters. */
const REACH = 200;

/**
 * Under which text a name is listed, where it stands in several: that which declares it, then what the assistant said
 * together, then what a call wrote, then what a tool showed. What the assistant said after the user is listed under the
 * user: it belongs to who said it first.
 */
const RANK: { readonly [place in Place]: number } = {
	written: 5,
	command: 5,
	argument: 5,
	output: 4,
	failure: 4,
	replaced: 3,
	path: 3,
	said: 6,
	asked: 2,
	thought: 1,
	noted: 1,
};

/** The names of a span's sources with what the span shows of them, in order of first occurrence. */
export function factsIn(sources: readonly Source[]): NameFacts[] {
	const found = new Map<string, Found>();
	for (const [source, { texts }] of sources.entries()) {
		for (const { place, text: whole } of texts) {
			const text = withoutWrittenEscapes(whole);
			eachName(text, (name, index) => {
				let facts = found.get(name);
				if (facts === undefined) {
					facts = {
						name,
						places: new Set(),
						times: 0,
						sources: 0,
						shared: false,
						listed: false,
						source,
						rank: 0,
						said: undefined,
						seenAt: -1,
					};
					found.set(name, facts);
				}
				facts.places.add(place);
				facts.times++;
				if (facts.seenAt !== source) facts.sources++;
				facts.seenAt = source;
				if (place === "asked" || place === "said") facts.said ??= source;
				const rank = RANK[place] + (DECLARED.test(text.slice(Math.max(0, index - BEFORE), index)) ? 10 : 0);
				if (rank > facts.rank) {
					facts.rank = rank;
					facts.source = place === "said" ? (facts.said ?? source) : source;
				}
				const line = lineAt(text, index);
				if (SHARED.test(line)) facts.shared = true;
				if (place === "output" && ALONE.test(line.replace(name, ""))) facts.listed = true;
			});
		}
	}
	return [...found.values()];
}

/** The line around `index`, as far as it is looked at: a line of data may be a megabyte long. */
function lineAt(text: string, index: number): string {
	const before = text.slice(Math.max(0, index - REACH), index);
	const after = text.slice(index, index + REACH);
	const end = after.indexOf("\n");
	return before.slice(before.lastIndexOf("\n") + 1) + (end < 0 ? after : after.slice(0, end));
}
