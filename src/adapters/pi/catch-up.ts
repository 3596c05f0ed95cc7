import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Settings } from "../../../projections/rules.ts";
import { settingsOf } from "../../engine/decision-node.ts";
import type { Engine } from "../../engine/engine.ts";
import { liveEntry, nodeIn } from "./live-entry.ts";

/** Entries recorded at a stretch, a few tens of ms: a store in memory never waits for anything by itself. */
const STRETCH = 50;

/** What a recording of many entries goes by. */
export interface CatchUp {
	/** the rules in force from here on */
	readonly settings: Settings;
	/** told, in words, of a decision that stands in the session and cannot be had */
	readonly onRefused: (why: string) => void;
}

/**
 * Records entries in their order and takes up the decisions whose nodes are among them. Cuts are made by the rules of
 * the next decision on the way, so that its window can come out as it was; behind the last one, by those in force. The
 * host goes on in between, however many there are.
 */
export async function catchUp(
	engine: Engine,
	entries: readonly SessionEntry[],
	{ settings, onRefused }: CatchUp,
): Promise<void> {
	const nodes = entries.map(nodeIn);
	let ruledUpTo = -1;
	for (const [index, entry] of entries.entries()) {
		if (index % STRETCH === STRETCH - 1) await turnOfOthers();
		const recorded = liveEntry(entry);
		if (index > ruledUpTo) {
			const next = nodes.findIndex((node, at) => at >= index && typeof node === "object");
			const ahead = nodes[next];
			const rules = typeof ahead === "object" ? settingsOf(ahead, settings) : undefined;
			await engine.settle(rules ?? settings, recorded.at, "host");
			ruledUpTo = next === -1 ? entries.length : next;
		}
		const node = nodes[index];
		if (typeof node === "object" && settingsOf(node, settings)) {
			const met = await engine.meet(recorded, node);
			if (met === "refused") onRefused(`the entries before ${entry.id} do not give the window it proves`);
		} else {
			await engine.record(recorded);
			if (node) onRefused(`${entry.id} was written by another release`);
		}
	}
}
