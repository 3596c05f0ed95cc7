import type { RecallDocument } from "../../../projections/recall/document.ts";

/** A question about a text that was planted, and the one document that answers it. */
interface PlantedQuery {
	readonly asks: "two of three words" | "last segment of a path" | "another inflection";
	readonly query: string;
	/** id of the document that answers it */
	readonly needle: string;
}

/** Texts to be put among others, and what is asked of them. */
export interface Planted {
	readonly documents: readonly RecallDocument[];
	readonly queries: readonly PlantedQuery[];
}

/** Needles planted in one session. */
const NEEDLES = 40;

/** Texts beside each needle that differ from it in a few words. */
const NEIGHBOURS = 12;

/** Things and what is done to them; each takes the usual endings. */
const THINGS =
	"anchor barrel basket bracket candle canvas carpet cellar cradle curtain feather fender ferry funnel garden gasket gutter hammer harbour hinge jacket kettle ladder lantern lever marble mirror needle orchard paddle parcel pencil pillar pulley ribbon saddle shutter spindle tunnel valve".split(
		" ",
	);
const DEEDS =
	"adjust align attach balance bleach bolster borrow clean collect compress convert copy deliver detach drain embed flatten gather harden inspect invert lift loosen mend mount paint polish press pump repaint replant restore rotate sharpen shift soften stack stretch trim twist unload weigh".split(
		" ",
	);
const PLACES =
	"attic balcony basement bridge chapel clinic depot factory gallery hangar library market mill museum nursery office pantry quarry refinery school shed stable studio temple theatre tower vault warehouse wharf workshop".split(
		" ",
	);

/** What folders and files are called. */
const METALS =
	"bronze chrome cobalt copper gold iron lead nickel pewter silver steel tin titanium zinc".split(" ");
const TREES =
	"alder ash aspen beech birch cedar cypress elm fir hazel larch maple oak pine poplar rowan spruce willow yew".split(
		" ",
	);

/**
 * Texts to be planted in a session, the same for each. A needle names a thing, a deed, a place and a file; its neighbours
 * are worded alike and share each of these with it, but never two, and the folder of the file but never its name.
 */
export function planted(): Planted {
	const dice = new Dice(20_260_101);
	const documents: RecallDocument[] = [];
	const queries: PlantedQuery[] = [];
	for (let n = 0; n < NEEDLES; n++) {
		const own = [dice.pick(THINGS), dice.pick(DEEDS), dice.pick(PLACES)] as const;
		const folder = `src/${dice.pick(METALS)}/${dice.pick(TREES)}`;
		const file = `${dice.pick(METALS)}-${dice.pick(TREES)}-${n}.ts`;
		const id = `planted-${n}`;
		documents.push(documentFor(id, own, `${folder}/${file}`, n));
		for (let beside = 0; beside < NEIGHBOURS; beside++) {
			const words = [dice.other(THINGS, own[0]), dice.other(DEEDS, own[1]), dice.other(PLACES, own[2])];
			// one of the three is the needle's own, and says nothing by itself
			words[beside % 3] = own[beside % 3] as string;
			const [thing = "", deed = "", place = ""] = words;
			const other = `${folder}/${dice.pick(METALS)}-${dice.pick(TREES)}-${n}-${beside}.ts`;
			documents.push(documentFor(`${id}-${beside}`, [thing, deed, place], other, n));
		}
		const [thing, deed, place] = own;
		const two = [
			[thing, deed],
			[deed, place],
			[thing, place],
		][n % 3] as readonly string[];
		queries.push(
			{ asks: "two of three words", query: two.join(" "), needle: id },
			{ asks: "last segment of a path", query: file, needle: id },
			{ asks: "another inflection", query: `${inflected(deed, n)} ${thing}s`, needle: id },
		);
	}
	return { documents: dice.shuffled(documents), queries };
}

function documentFor(
	id: string,
	[thing, deed, place]: readonly [string, string, string],
	path: string,
	n: number,
): RecallDocument {
	const text =
		`Note for later about item ${n}: before the next release somebody has to ${deed} the ${thing} in the ${place}. ` +
		`What it takes stands in ${path}, where the checks for it are too; nothing else depends on it, ` +
		"and it can wait until the rest of the work is done and the tests pass again.";
	return {
		id,
		at: 0,
		kinds: ["assistant"],
		tools: [],
		role: "assistant",
		sourceClass: "primary",
		files: [],
		text,
		thinking: "",
	};
}

function inflected(deed: string, n: number): string {
	const stem = deed.endsWith("e") ? deed.slice(0, -1) : deed;
	if (deed.endsWith("y") && n % 2 === 0) return `${deed.slice(0, -1)}ied`;
	return n % 2 === 0 ? `${stem}ed` : `${stem}ing`;
}

/** Chance that falls the same way every time. */
class Dice {
	#state: number;

	constructor(seed: number) {
		this.#state = seed;
	}

	below(most: number): number {
		this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((this.#state / 2 ** 32) * most);
	}

	pick(words: readonly string[]): string {
		return words[this.below(words.length)] as string;
	}

	other(words: readonly string[], than: string): string {
		for (;;) {
			const word = this.pick(words);
			if (word !== than) return word;
		}
	}

	shuffled<T>(items: readonly T[]): T[] {
		const shuffled = [...items];
		for (let at = shuffled.length - 1; at > 0; at--) {
			const to = this.below(at + 1);
			[shuffled[at], shuffled[to]] = [shuffled[to] as T, shuffled[at] as T];
		}
		return shuffled;
	}
}
