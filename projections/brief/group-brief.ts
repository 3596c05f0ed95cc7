import { mergedAccount } from "./account.ts";
import { AGAIN_NAMES, type Brief, type BriefItem, GROUP_CHARS, LEAST, type WeighedName } from "./brief.ts";
import { heaviest } from "./heaviest.ts";
import { namesIn } from "./names.ts";
import { rendered } from "./render.ts";
import { tellableAccount, tellableItems, tellableNames, tellableText } from "./tellable.ts";

/** Largest weight; sums stop here. */
const MAX_WEIGHT = 1 << 24;
/** What a name in a supplied brief is worth: someone chose it. */
const SUPPLIED = 1 << 12;

/**
 * The brief of a group: its children's accounts added up, and of their indexes what is worth most in 6,000 characters.
 * A name that came again in a later child, which did not repeat it, is worth more.
 */
export function groupBrief(children: readonly Brief[]): Brief {
	const account = mergedAccount(children.map((child) => tellableAccount(child.account)));
	const came = new Map<string, number>();
	for (const [name, weight] of children.flatMap((child) => tellableNames(child.again ?? [])))
		add(came, name, weight);
	const index = mergedItems(children).map((item) => ({
		...item,
		weight: item.weight > 0 ? raised(item.weight, came.get(item.head)) : 0,
		names: item.names.map(([name, weight]): WeighedName => [name, raised(weight, came.get(name))]),
	}));
	for (const { head, names } of index)
		for (const name of [head, ...names.map(([name]) => name)]) came.delete(name);
	const again = heaviest([...came], AGAIN_NAMES);
	return rendered({ account, again }, index, { room: GROUP_CHARS, least: LEAST, named: new Set(), fill: 0 });
}

/** Half of what a name was worth where it came again; with all of it, a name that came often drove out too many. */
function raised(weight: number, again: number = 0): number {
	return Math.min(MAX_WEIGHT, weight + (again >> 1));
}

/** Heads of what someone said. */
const SPEAKERS: ReadonlySet<string> = new Set(["user", "assistant"]);

/** Items of one head become one, in the order heads first appear; of two who spoke, a name belongs to the first. */
function mergedItems(children: readonly Brief[]): BriefItem[] {
	const items = new Map<string, { tool: string; weight: number; names: Map<string, number> }>();
	const said = new Map<string, Map<string, number>>();
	for (const { head, tool, weight, names } of children.flatMap(indexOf)) {
		const known = items.get(head) ?? { tool, weight: 0, names: new Map<string, number>() };
		const speaks = head === tool && SPEAKERS.has(tool);
		for (const [name, value] of names) {
			const first = speaks ? said.get(name) : undefined;
			if (first === undefined && speaks) said.set(name, known.names);
			add(first ?? known.names, name, value);
		}
		items.set(head, { ...known, weight: Math.min(MAX_WEIGHT, known.weight + weight) });
	}
	return [...items].map(([head, item]) => ({ head, ...item, names: [...item.names] }));
}

function indexOf({ items, supplied }: Brief): BriefItem[] {
	const told = tellableItems(items);
	if (supplied === undefined) return told;
	const names = namesIn(tellableText(supplied)).map((name): WeighedName => [name, SUPPLIED]);
	return [{ head: "note", tool: "note", weight: 0, names: tellableNames(names) }, ...told];
}

function add(sums: Map<string, number>, name: string, weight: number): void {
	sums.set(name, Math.min(MAX_WEIGHT, (sums.get(name) ?? 0) + weight));
}
