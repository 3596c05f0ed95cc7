import { describe, expect, test } from "vitest";
import { PlainSearch } from "../../src/debug/recall/plain-search.ts";
import { planted } from "../../src/debug/recall/planted/planted.ts";
import { CHINESE, ENGLISH, type Forms, GERMAN } from "../../src/debug/recall/planted/words.ts";

const LISTED: readonly Forms[] = [ENGLISH, GERMAN, CHINESE].flatMap(({ things, deeds, places }) => [
	...things,
	...deeds,
	...places,
]);
const FORMS: ReadonlySet<string> = new Set(LISTED.flat());

const isChinese = (text: string) => /\p{Script=Han}/u.test(text);

/** Tells of texts planted with a seed which hold a word, any form of it, or a path that ends so. */
function reading(seed: number | undefined) {
	const { documents, queries } = planted(seed);
	const read = documents.map(({ id, text, role }) => ({
		id,
		role,
		text,
		words: new Set(text.match(/\p{L}+/gu)),
		paths: text.match(/[\w./-]+/g) ?? [],
	}));
	type Read = (typeof read)[number];
	const holds = ({ text, words }: Read, word: string) =>
		isChinese(word) ? text.includes(word) : words.has(word);
	const formsOf = (word: string) => LISTED.filter((forms) => forms.includes(word)).flat();
	const holdsForm = (text: Read, word: string) => formsOf(word).some((form) => holds(text, form));
	const endsSo = ({ paths }: Read, end: string) => paths.some((path) => `/${path}`.endsWith(`/${end}`));
	return { documents, queries, read, holds, holdsForm, endsSo };
}

/** The listed words a question names. */
function askedFor(query: string): string[] {
	if (isChinese(query)) return [...FORMS].filter((form) => query.includes(form));
	return (query.match(/\p{L}+/gu) ?? []).filter((word) => FORMS.has(word));
}

describe("what is planted", () => {
	test("is the same for a seed, and another for another", () => {
		expect(planted()).toEqual(planted());
		expect(planted(1).queries).not.toEqual(planted().queries);
	});

	test.each([undefined, 1, 2, 101, 102, 103])("with seed %s, each question has one answer", (seed) => {
		const { queries, read, holds, holdsForm, endsSo } = reading(seed);
		for (const { query, asks, needle } of queries) {
			const words = askedFor(query);
			expect(words, query).toHaveLength(asks.endsWith("path") ? 0 : 2);
			const answering = read.filter((text) => {
				if (asks.endsWith("path")) return endsSo(text, query);
				const isHeld = asks.startsWith("another inflection") ? holdsForm : holds;
				return words.every((word) => isHeld(text, word));
			});
			expect(
				answering.map(({ id }) => id),
				query,
			).toEqual([needle]);
		}
	});

	test("has 20 texts or more beside each needle that hold a part of what is asked for", () => {
		const { queries, read, holdsForm, endsSo } = reading(undefined);
		for (const { query, asks, needle } of queries) {
			const words = askedFor(query);
			const last = query.slice(query.lastIndexOf("/") + 1);
			const [metal = ""] = last.split(/[-_.]|(?=[A-Z])/);
			const isNear = (text: (typeof read)[number]) =>
				asks.endsWith("path")
					? endsSo(text, last) || text.paths.some((path) => path.includes(metal))
					: words.some((word) => holdsForm(text, word));
			const beside = read.filter((text) => text.id.startsWith(`${needle}-`) && isNear(text));
			expect(beside.length, query).toBeGreaterThanOrEqual(20);
		}
	});

	test("has long needles among short texts, and short among long", () => {
		const { queries, read } = reading(undefined);
		const roles = queries.map(({ needle }) => {
			const own = read.find(({ id }) => id === needle);
			const others = read.filter(({ id, role }) => id.startsWith(`${needle}-`) && role !== own?.role);
			return others.length >= 20 ? own?.role : "as the others";
		});
		for (const role of ["result", "assistant"])
			expect(roles.filter((own) => own === role).length).toBeGreaterThan(15);
	});

	test("is hard for a search by bare words", () => {
		const { documents, queries } = reading(undefined);
		const plain = new PlainSearch(documents);
		const found = queries.filter(({ query, needle }) => plain.first(query, 5).includes(needle));
		expect(found.length / queries.length).toBeLessThan(0.5);
	});
});
