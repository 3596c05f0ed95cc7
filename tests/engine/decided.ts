import { expect } from "vitest";
import type { DomainEvent } from "../../events/catalogue.ts";
import { cutOf } from "../../projections/forest.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Decision } from "../../src/engine/decision.ts";
import type { DecisionNode } from "../../src/engine/decision-node.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { chain, custom, type Made, reply, result } from "./made-entries.ts";

/** Cuts of one exchange each, groups of two. */
export const SETTINGS: Settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 2_500,
	floorTokens: 100,
	consolidateAfter: 2,
};

/** A session with its engine, whose decisions get their nodes at once. */
export class Decided {
	readonly engine: Engine;
	readonly entries: TranscriptEntry[] = [];
	readonly nodes = new Map<string, DecisionNode>();
	leaf: string | null = null;

	constructor(driver: "live" | "replay" = "live", observe: (event: DomainEvent) => void = () => {}) {
		this.engine = new Engine({
			journal: forgetfulJournal(),
			hash: sha256Node,
			decode: () => expect.fail("entries are at hand"),
			driver,
			observer: { entry() {}, window() {}, event: observe },
		});
	}

	/** A session under settings. */
	static async with(
		settings: Partial<Settings> = {},
		driver?: "live" | "replay",
		observe?: (event: DomainEvent) => void,
	): Promise<Decided> {
		const session = new Decided(driver, observe);
		await session.engine.settle({ ...SETTINGS, ...settings }, 0, "host");
		return session;
	}

	/** Adds entries below one another. */
	async add(...made: Made[]): Promise<void> {
		for (const entry of chain(made, this.leaf)) await this.record(entry);
	}

	/** So many exchanges of 3,000 characters, a cut each. */
	async work(from: number, to: number): Promise<void> {
		for (let n = from; n <= to; n++)
			await this.add(reply(`a${n}`, 500, [`c${n}`]), result(`r${n}`, `c${n}`, 2_500));
	}

	/** Commits, and places the node. */
	async commit(through?: string): Promise<Decision | undefined> {
		return this.place(await this.engine.commitNow(this.request, through));
	}

	/** Decides what is asked, and places the node. */
	async decide(command: WindowCommand): Promise<Decision | undefined> {
		return this.place(await this.engine.decideCommand(command, this.request, { actor: "user" }));
	}

	/** What stands in the window, in a word each. */
	get window(): string[] {
		const { states } = this.engine;
		return windowItems(states, this.leaf, planAt(states, this.leaf)).flatMap((item) => {
			if (item.kind === "shown") return [];
			if (item.kind === "fold") return item.fold;
			return item.kind === "answer"
				? "answer"
				: `${item.kind === "entry" ? "" : `${item.kind} `}${item.node.id}`;
		});
	}

	/** What is asked for where the session stands. */
	get request() {
		return { at: 0, leaf: this.leaf, model: "m" };
	}

	/** The cuts of the path, oldest first. */
	get cuts(): string[] {
		const { forest, tree } = this.engine.states;
		const cuts: string[] = [];
		let cut = cutOf(forest, nodeOf(tree, this.leaf)?.cut ?? null);
		for (; cut; cut = cutOf(forest, cut.before)) cuts.push(cut.id);
		return cuts.reverse();
	}

	/** The same entries in another log, which has nothing but them. */
	async again(settings: Partial<Settings>): Promise<{ session: Decided; met: string[] }> {
		const session = await Decided.with(settings);
		const met: string[] = [];
		for (const entry of this.entries) {
			const node = this.nodes.get(entry.id);
			if (node) met.push(await session.engine.meet(entry, node));
			else await session.engine.record(entry);
			session.entries.push(entry);
		}
		session.leaf = this.leaf;
		return { session, met };
	}

	private async place(decision: Decision | undefined): Promise<Decision | undefined> {
		if (!decision) return undefined;
		const [node] = chain([custom(`n${this.entries.length}`)], this.leaf) as [TranscriptEntry];
		this.nodes.set(node.id, this.engine.nodeFor(decision));
		await this.record(node, decision.position);
		return decision;
	}

	private async record(entry: TranscriptEntry, position?: number): Promise<void> {
		await this.engine.record(entry, position);
		this.entries.push(entry);
		this.leaf = entry.id;
	}
}
