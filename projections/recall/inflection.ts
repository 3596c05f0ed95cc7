/** Endings of English and German words that do not change what a word is about, the longest first where they nest. */
const ENDINGS = [
	"ations",
	"ation",
	"ements",
	"ement",
	"ungen",
	"ments",
	"ment",
	"ings",
	"ions",
	"able",
	"ten",
	"tet",
	"ern",
	"est",
	"end",
	"ers",
	"ors",
	"ing",
	"ion",
	"ies",
	"ied",
	"ier",
	"ung",
	"al",
	"ed",
	"en",
	"em",
	"er",
	"es",
	"ly",
	"or",
	"te",
	"st",
	"s",
	"e",
	"n",
	"r",
	"d",
	"t",
	"y",
];

/** Fewest letters that an ending may leave, and the endings that may leave so few. */
const SHORTEST = 3;
const SURE: ReadonlySet<string> = new Set(["s", "es", "ed", "ing", "er", "en", "e"]);

/** Tells whether another term is a form of the same word, as far as their endings tell: `fold`, `folded` and `folding`. */
export function formsOf(term: string): (other: string) => boolean {
	const stems = new Set(stemsOf(term));
	// no stem is shorter, and most terms begin otherwise
	const head = term.slice(0, SHORTEST);
	return (other) =>
		term === other || (other.startsWith(head) && stemsOf(other).some((stem) => stems.has(stem)));
}

/** What every form of a term begins with. At least three characters, or the term itself. */
export function commonStem(term: string): string {
	let shortest = term;
	for (const stem of stemsOf(term))
		if (stem.length < shortest.length && term.startsWith(stem)) shortest = stem;
	return shortest;
}

/** What may be left of a word without its ending. */
function stemsOf(term: string): string[] {
	const stems = [term];
	for (const ending of ENDINGS) {
		if (!term.endsWith(ending)) continue;
		const stem = term.slice(0, term.length - ending.length);
		if (stem.length < (SURE.has(ending) ? SHORTEST : SHORTEST + 1)) continue;
		stems.push(stem);
		// stopped: stopp, stop
		if (stem.length > 3 && stem.at(-1) === stem.at(-2)) stems.push(stem.slice(0, -1));
	}
	return stems;
}
