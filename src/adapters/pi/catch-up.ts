import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { Valuation } from "../../../events/valuation.ts";
import type { Settings } from "../../../projections/rules.ts";
import { settingsCutting } from "../../engine/cutting-rules.ts";
import { settingsOf } from "../../engine/decision-node.ts";
import type { Engine } from "../../engine/engine.ts";
import { liveEntry, nodeIn } from "./live-entry.ts";

/** Entries recorded at a stretch, a few tens of ms: a store in memory never waits for anything by itself. */
const STRETCH = 50;

/** What a recording of many entries goes by. */
export interface CatchUp {
	/** the rules in force from here on */
	readonly settings: Settings;
	/** the prices in force, at which decisions made again are quoted; `undefined` where no model is chosen */
	readonly valuation?: Valuation | undefined;
	/** told, in words, of a decision that stands in the session and cannot be had */
	readonly onRefused: (why: string) => void;
}

/**
 * Records entries in their order and takes up the decisions whose nodes are among them. Cuts are made by the rules that
 * the next decision below says they were made by, so that its window can come out as it was; where there is none, by
 * those in force. The host goes on in between, however many there are.
 */
export async function catchUp(
	engine: Engine,
	entries: readonly SessionEntry[],
	{ settings, valuation, onRefused }: CatchUp,
): Promise<void> {
	const ruled = rulesByEntry(entries, settings);
	let inForce: Settings | undefined;
	for (const [index, entry] of entries.entries()) {
		if (index % STRETCH === STRETCH - 1) await turnOfOthers();
		const recorded = liveEntry(entry);
		const rules = ruled.get(entry.id) ?? settings;
		if (rules !== inForce) await engine.settle(rules, recorded.at, "host");
		inForce = rules;
		const node = nodeIn(entry);
		if (typeof node === "object" && settingsOf(node, settings)) {
			// a log that begins here knows no prices yet
			if (valuation && !engine.states.rules.valuation) await engine.value(valuation, recorded.at);
			const met = await engine.meet(recorded, node);
			if (met === "refused") onRefused(`the entries before ${entry.id} do not give the window it proves`);
		} else {
			await engine.record(recorded);
			if (node) onRefused(`${entry.id} was written by another release`);
		}
	}
}

/** The settings by which each entry above a decision's node is to be recorded, and the node itself. O(entries). */
function rulesByEntry(entries: readonly SessionEntry[], others: Settings): Map<string, Settings> {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const ruled = new Map<string, Settings>();
	for (const entry of entries) {
		const node = nodeIn(entry);
		let rules = typeof node === "object" ? settingsOf(node, others) : undefined;
		if (!rules || typeof node !== "object") continue;
		const earlier = new Map(node.earlier?.map(({ through, rules }) => [through, rules]));
		let above: SessionEntry | undefined = entry;
		while (above && !ruled.has(above.id)) {
			const cutting = earlier.get(above.id);
			rules = (cutting && settingsCutting(cutting, rules)) ?? rules;
			ruled.set(above.id, rules);
			above = byId.get(above.parentId ?? "");
		}
	}
	return ruled;
}
