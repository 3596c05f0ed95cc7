import type { BriefItem, WeighedName } from "./brief.ts";
import { runsOf } from "./names.ts";

/** A line of the index being filled: names of one item under its head, or of several under a head they share. */
interface Line {
	readonly head: string;
	/** index of the first item that has a name here */
	first: number;
	/** what the head is worth as a name */
	readonly weight: number;
	readonly names: WeighedName[];
}

/** Something to take next. Without `name` it opens an item under its full head. */
interface Offer {
	/** weight a character, times 1,024 */
	readonly value: number;
	/** characters */
	readonly cost: number;
	readonly item: number;
	readonly name?: WeighedName;
	readonly shared: boolean;
}

/** What a choice may take. */
export interface Limits {
	/** characters */
	readonly room: number;
	/** what a name must be worth, weight a character times 1,024 */
	readonly least: number;
	/** names given elsewhere, which need not be given again */
	readonly named: ReadonlySet<string>;
	/** characters to fill with the best of the rest, named elsewhere or not, so that a span can be told from others */
	readonly fill: number;
}

/** A part of an index. */
export interface Chosen {
	readonly shown: readonly BriefItem[];
	/** what of it was worth its place: all but the fill */
	readonly worth: readonly BriefItem[];
}

/**
 * The part of an index that is worth most in its room: what gives most weight a character is taken first, a full head
 * together with the names that pay for it. Names whose item gets no full head go under the short head they share with
 * others: a file's name, or the tool. A path also names the shorter paths within it.
 */
export function choose(items: readonly BriefItem[], { room, least, named, fill }: Limits): Chosen {
	const choice = new Choice(items);
	choice.begin(named);
	const used = choice.take(room, least);
	const worth = choice.lines();
	if (used >= fill) return { shown: worth, worth };
	choice.begin(new Set());
	choice.take(Math.min(fill, room) - used, 0);
	return { shown: choice.lines(), worth };
}

/** What a head is called where its full form is too dear or goes on: a file by its name, a command by its tool. */
export function shortHead(head: string, tool: string): string {
	if (head.startsWith("$ ")) return tool;
	return head.slice(head.lastIndexOf("/") + 1) || head;
}

class Choice {
	readonly #items: readonly BriefItem[];
	/** names by index, best first */
	#ranked: WeighedName[][] = [];
	#next: number[] = [];
	/** names that add nothing any more */
	#named = new Set<string>();
	readonly #weights = new Map<string, number>();
	readonly #parts = new Map<string, readonly string[]>();
	readonly #given = new Set<string>();
	readonly #full = new Map<number, Line>();
	readonly #shared = new Map<string, Line>();

	constructor(items: readonly BriefItem[]) {
		this.#items = items;
		for (const { head, weight, names } of items) {
			if (weight > 0) this.#weights.set(head, weight);
			for (const [name, value] of names) this.#weights.set(name, value);
		}
		for (const path of this.#weights.keys()) {
			if (!path.includes("/")) continue;
			this.#parts.set(
				path,
				runsOf(path).filter((part) => part !== path && this.#weights.has(part)),
			);
		}
	}

	/** Ranks what is left to take when `named` adds nothing, nor what was taken already. */
	begin(named: ReadonlySet<string>): void {
		this.#named = new Set(
			[...this.#weights.keys()].filter((name) => named.has(name) || this.#given.has(name)),
		);
		this.#ranked = this.#items.map((item) =>
			item.names
				.map((name) => [name, this.#density(name)] as const)
				.sort((a, b) => b[1] - a[1])
				.map(([name]) => name),
		);
		this.#next = this.#items.map(() => 0);
	}

	/** Takes what fits and is worth at least `least`, best first. Returns the characters it takes. */
	take(room: number, least: number): number {
		let used = 0;
		for (;;) {
			let best: Offer | undefined;
			for (const i of this.#items.keys())
				for (const offer of this.#offers(i))
					if (used + offer.cost <= room && offer.value >= least && offer.value > (best?.value ?? 0))
						best = offer;
			if (best === undefined) return used;
			this.#take(best);
			used += best.cost;
		}
	}

	/** Weight that naming `name` adds: its own, and that of the paths within it, unless named already. */
	#gain(name: string): number {
		if (this.#named.has(name)) return 0;
		let gain = this.#weights.get(name) ?? 0;
		for (const part of this.#parts.get(name) ?? [])
			if (!this.#named.has(part)) gain += this.#weights.get(part) ?? 0;
		return gain;
	}

	#density([name]: WeighedName): number {
		return Math.floor((this.#gain(name) * 1024) / cost(name));
	}

	#offers(i: number): Offer[] {
		const item = this.#items[i] as BriefItem;
		const names = this.#ranked[i] as WeighedName[];
		while (this.#named.has(names[this.#next[i] as number]?.[0] ?? "")) (this.#next[i] as number)++;
		const first = names[this.#next[i] as number];
		const short = shortHead(item.head, item.tool);
		const offers: Offer[] = [];
		const full = this.#full.has(i);
		if (first !== undefined && (full || short !== item.head)) {
			const opening = full || this.#shared.has(short) ? 0 : short.length + 2;
			const price = cost(first[0]) + opening;
			const gain = this.#gain(first[0]) + (opening > 0 ? this.#gain(short) : 0);
			offers.push({
				value: Math.floor((gain * 1024) / price),
				cost: price,
				item: i,
				name: first,
				shared: !full,
			});
		}
		if (!full) {
			const value = this.#bundle(item.head, names.slice(this.#next[i]));
			if (value > 0) offers.push({ value, cost: item.head.length + 2, item: i, shared: false });
		}
		return offers;
	}

	/** Weight a character of a head with names: the first by density, as long as each raises that of the whole. */
	#bundle(head: string, names: readonly WeighedName[]): number {
		let sum = this.#gain(head);
		let chars = head.length + 2;
		let value = Math.floor((sum * 1024) / chars);
		for (const [name] of names) {
			if (this.#named.has(name)) continue;
			const raised = Math.floor(((sum + this.#gain(name)) * 1024) / (chars + cost(name)));
			if (raised <= value) break;
			sum += this.#gain(name);
			chars += cost(name);
			value = raised;
		}
		return value;
	}

	#take({ item: i, name, shared }: Offer): void {
		const { head, tool } = this.#items[i] as BriefItem;
		if (name === undefined) {
			this.#full.set(i, { head, first: i, weight: this.#gain(head), names: this.#reclaim(i) });
			this.#name(head);
			return;
		}
		const taken: WeighedName = [name[0], this.#gain(name[0])];
		this.#name(name[0]);
		if (!shared) {
			this.#full.get(i)?.names.push(taken);
			return;
		}
		const short = shortHead(head, tool);
		const line = this.#shared.get(short) ?? { head: short, first: i, weight: 0, names: [] };
		line.first = Math.min(line.first, i);
		line.names.push(taken);
		this.#shared.set(short, line);
		this.#name(short);
	}

	/** Takes an item's names out of the line it shared, for a line of its own. */
	#reclaim(i: number): WeighedName[] {
		const { head, tool, names } = this.#items[i] as BriefItem;
		const line = this.#shared.get(shortHead(head, tool));
		if (line === undefined) return [];
		const own = new Set(names.map(([name]) => name));
		const [back, kept] = [true, false].map((mine) => line.names.filter(([name]) => own.has(name) === mine));
		this.#shared.set(line.head, { ...line, names: kept ?? [] });
		return back ?? [];
	}

	#name(name: string): void {
		for (const given of [name, ...(this.#parts.get(name) ?? [])]) {
			this.#named.add(given);
			this.#given.add(given);
		}
	}

	/** Lines in the order of their items, names in the order of the index. */
	lines(): BriefItem[] {
		const place = new Map<string, number>();
		for (const item of this.#items) for (const [name] of item.names) place.set(name, place.size);
		const shared = [...this.#shared.values()].filter((line) => line.names.length > 0);
		return [...this.#full.values(), ...shared]
			.sort((a, b) => a.first - b.first || b.weight - a.weight)
			.map(({ head, first, names, weight }) => ({
				head,
				tool: this.#items[first]?.tool ?? head,
				weight,
				names: [...names].sort((a, b) => (place.get(a[0]) ?? 0) - (place.get(b[0]) ?? 0)),
			}));
	}
}

/** Characters a name adds to its line. */
function cost(name: string): number {
	return name.length + (/\s/.test(name) ? 3 : 1);
}
