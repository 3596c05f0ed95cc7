import type { Dice } from "./dice.ts";
import { type Asks, type Group, NEIGHBOURS } from "./groups.ts";
import { lengthsOf, textOf } from "./text.ts";
import { BIRDS, ENGLISH, METALS, TREES } from "./words.ts";

const ENDINGS: readonly string[] = ["ts", "md", "json", "py", "css", "test.ts", "d.ts", "html"];

/** Names of two words, as they are written. */
const STYLES: readonly ((one: string, two: string) => string)[] = [
	(one, two) => `${one}-${two}`,
	(one, two) => `${one}${two.charAt(0).toUpperCase()}${two.slice(1)}`,
	(one, two) => `${one}_${two}`,
];

/** Where a project lies. */
const ROOTS: readonly string[] = ["", "/home/somebody/project/", "./"];

/**
 * Needles that name a file. Asked for by its last segment, no other text holds a path that ends in it: neighbours have the
 * folder, and the name with another ending, or a name that begins alike. Asked for by the folder it lies in too,
 * neighbours have the same last segment in a folder beside it, or the same folder and another name, or both of these.
 */
export function pathGroups(dice: Dice, each: number): Group[] {
	const names = dice.shuffled(METALS.flatMap((metal) => BIRDS.map((bird) => [metal, bird] as const)));
	const taken = new Set(names.slice(0, 2 * each).map(String));
	const groups: Group[] = [];
	for (let n = 0; n < 2 * each; n++) {
		const asks: Asks = n < each ? "last segment of a path" : "end of a path";
		const [metal, bird] = names[n] as readonly [string, string];
		const style = STYLES[Math.floor(n / 3) % STYLES.length] as (typeof STYLES)[number];
		const [ending = "", ...endings] = dice.shuffled(ENDINGS);
		const [top = "", otherTop = ""] = dice.shuffled(METALS);
		const [tree = "", ...trees] = dice.shuffled(TREES);
		const otherBird = dice.pick(BIRDS.filter((other) => !taken.has(String([metal, other]))));
		const root = ROOTS[n % ROOTS.length] as string;
		const name = style(metal, bird);
		const last = `${name}.${ending}`;
		const otherLast = `${style(metal, otherBird)}.${ending}`;
		const around = [...ENGLISH.filler, ...ENGLISH.filler, ...ENGLISH.deeds.flat()];
		const text = (id: string, paths: readonly string[], isNeedle: boolean, beside: number) => {
			const lengths = lengthsOf(n, beside);
			const says = paths.map((path) => `it stands in ${root}${path}, where it is looked for`).join(".\n");
			const again = isNeedle || beside % 2 === 0 ? "" : paths.map((path) => `${root}${path}`).join("\n");
			const length = isNeedle ? lengths.own : lengths.other;
			return textOf(dice, { id, length, says, again, filler: around, space: " " });
		};
		const sibling = (beside: number): string[] => {
			const otherTree = trees[beside % trees.length] as string;
			const otherEnding = endings[beside % endings.length] as string;
			const isByLast = asks === "last segment of a path";
			if (beside % 3 === 0) return [`src/${top}/${tree}/${name}.${otherEnding}`];
			if (beside % 3 === 1)
				return isByLast
					? [`src/${top}/${tree}/${otherLast}`, `src/${top}/${otherTree}/${name}.${otherEnding}`]
					: [`src/${otherTop}/${tree}/${otherLast}`, `src/${top}/${tree}/${name}.${otherEnding}`];
			return isByLast
				? [`src/${otherTop}/${tree}/${name}.${otherEnding}`]
				: [`src/${top}/${otherTree}/${last}`, `src/${top}/${tree}/${otherLast}`];
		};
		const id = `planted-${n < each ? "last" : "end"}-${n}`;
		groups.push({
			asks,
			query: asks === "last segment of a path" ? last : `${tree}/${last}`,
			needle: text(id, [`src/${top}/${tree}/${last}`], true, 0),
			neighbours: Array.from({ length: NEIGHBOURS }, (_, beside) =>
				text(`${id}-${beside}`, sibling(beside), false, beside),
			),
		});
	}
	return groups;
}
