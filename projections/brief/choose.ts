import type { BriefItem, WeighedName } from "./brief.ts";

/** A line of the index being filled: names of one item under its head, or of several under a head they share. */
interface Line {
	readonly head: string;
	/** index of the first item that has a name here */
	first: number;
	readonly names: WeighedName[];
}

interface Offer {
	/** weight a character, times 1,024 */
	readonly value: number;
	readonly cost: number;
	readonly item: number;
	/** the name to take; none opens the item under its full head */
	readonly name?: WeighedName;
	readonly shared: boolean;
}

/**
 * The part of an index that is worth most in `room` characters: what gives most weight a character is taken first, a
 * full head together with the names that pay for it. Names whose item gets no full head go under the short head they
 * share with others: a file's name, or the tool.
 */
export function choose(items: readonly BriefItem[], room: number): BriefItem[] {
	const ranked = items.map((item) => [...item.names].sort((a, b) => density(b) - density(a)));
	const next = items.map(() => 0);
	const taken = new Set<string>();
	const full = new Map<number, Line>();
	const shared = new Map<string, Line>();
	let left = room;
	for (;;) {
		const offers = items.flatMap((item, i): Offer[] => {
			const names = ranked[i] as WeighedName[];
			while (taken.has(names[next[i] as number]?.[0] ?? "")) next[i] = (next[i] as number) + 1;
			return offersOf(item, i, names.slice(next[i]), { taken, full, shared });
		});
		let best: Offer | undefined;
		for (const offer of offers)
			if (offer.cost <= left && (best === undefined || offer.value > best.value)) best = offer;
		if (best === undefined) break;
		left -= take(best, items, { taken, full, shared });
	}
	const lines = [...full].map(([first, line]) => ({ ...line, first, weight: items[first]?.weight ?? 0 }));
	for (const line of shared.values()) lines.push({ ...line, weight: 0 });
	return inOrder(items, lines);
}

/** What a head is called where its full form is too dear or goes on: a file by its name, a command by its tool. */
export function shortHead(head: string, tool: string): string {
	if (head.startsWith("$ ")) return tool;
	return head.slice(head.lastIndexOf("/") + 1) || head;
}

/** Characters a name adds to its line. */
function cost(name: string): number {
	return name.length + (/\s/.test(name) ? 3 : 1);
}

function density([name, weight]: WeighedName): number {
	return Math.floor((weight * 1024) / cost(name));
}

interface Taken {
	readonly taken: Set<string>;
	readonly full: Map<number, Line>;
	readonly shared: Map<string, Line>;
}

function offersOf(item: BriefItem, i: number, names: readonly WeighedName[], state: Taken): Offer[] {
	const [first] = names;
	if (state.full.has(i))
		return first === undefined
			? []
			: [{ value: density(first), cost: cost(first[0]), item: i, name: first, shared: false }];
	const short = shortHead(item.head, item.tool);
	const offers: Offer[] = [];
	if (short !== item.head) {
		if (first !== undefined) {
			const opened = state.shared.has(short) ? 0 : short.length + 2;
			const price = cost(first[0]) + opened;
			offers.push({
				value: Math.floor((first[1] * 1024) / price),
				cost: price,
				item: i,
				name: first,
				shared: true,
			});
		}
	}
	const value = bundled(
		state.taken.has(item.head) ? 0 : item.weight,
		item.head.length + 2,
		names,
		state.taken,
	);
	if (value > 0) offers.push({ value, cost: item.head.length + 2, item: i, shared: false });
	return offers;
}

/** Weight a character of a head with names: the first by density, as long as each raises that of the whole. */
function bundled(
	weight: number,
	length: number,
	names: readonly WeighedName[],
	taken: ReadonlySet<string>,
): number {
	let [sum, chars] = [weight, length];
	let value = Math.floor((sum * 1024) / chars);
	for (const name of names) {
		if (taken.has(name[0])) continue;
		const raised = Math.floor(((sum + name[1]) * 1024) / (chars + cost(name[0])));
		if (raised <= value) break;
		sum += name[1];
		chars += cost(name[0]);
		value = raised;
	}
	return value;
}

/** Takes an offer and returns what it cost, in characters. */
function take(offer: Offer, items: readonly BriefItem[], { taken, full, shared }: Taken): number {
	const item = items[offer.item] as BriefItem;
	if (offer.name === undefined) {
		full.set(offer.item, { head: item.head, first: offer.item, names: [] });
		taken.add(item.head);
		return offer.cost;
	}
	taken.add(offer.name[0]);
	if (!offer.shared) {
		full.get(offer.item)?.names.push(offer.name);
		return offer.cost;
	}
	const short = shortHead(item.head, item.tool);
	const line = shared.get(short) ?? { head: short, first: offer.item, names: [] };
	line.first = Math.min(line.first, offer.item);
	line.names.push(offer.name);
	shared.set(short, line);
	return offer.cost;
}

/** Lines in the order of their items, names in the order of the index. */
function inOrder(items: readonly BriefItem[], lines: readonly (Line & { weight: number })[]): BriefItem[] {
	const place = new Map<string, number>();
	for (const item of items) for (const [name] of item.names) place.set(name, place.size);
	return [...lines]
		.sort((a, b) => a.first - b.first || b.weight - a.weight)
		.map(({ head, first, names, weight }) => ({
			head,
			tool: items[first]?.tool ?? head,
			weight,
			names: [...names].sort((a, b) => (place.get(a[0]) ?? 0) - (place.get(b[0]) ?? 0)),
		}));
}
