import type { SessionStates } from "../../projections/states.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import { planAt, proofKey, windowItems } from "../../projections/window-plan.ts";
import type { PortableCommand } from "../../src/commands/window-command.ts";
import { commandIn, type DecisionNode, settingsOf } from "../../src/engine/decision-node.ts";
import { loadFromStore } from "../../src/engine/store-journal.ts";
import { same } from "./compare.ts";
import { MODELS } from "./models.ts";
import { candidateThrough, usuallyClipped } from "./reference-candidates.ts";
import { commit } from "./reference-commits.ts";
import { outcomeOf } from "./reference-decisions.ts";
import type { Outcome } from "./reference-folds.ts";
import type { Path } from "./reference-path.ts";
import { draw } from "./reference-recut.ts";

import { proofOf, STREAM, type WalkState } from "./walk-state.ts";

/** The process ends, and another goes on with the log. */
export async function restart(w: WalkState, fromCheckpoint: boolean): Promise<void> {
	const before = w.engine;
	w.open();
	if (fromCheckpoint) await loadFromStore(w.engine, w.store, STREAM);
	else w.engine.load(await w.events());
	same(w.engine.version, before.version, "events loaded");
	same(w.engine.states, before.states, "states loaded");
}

/** Another log begins, and takes up the session from its entries and nodes alone. */
export async function fromNodes(w: WalkState): Promise<void> {
	const before = w.engine.states;
	const { leaf } = w.host;
	w.begin();
	const { entries } = w.host;
	let ruledUpTo = -1;
	for (const [index, entry] of entries.entries()) {
		if (index > ruledUpTo) {
			const next = entries.findIndex(({ id }, n) => n >= index && w.host.nodes.has(id));
			const ahead = w.host.nodes.get(entries[next]?.id ?? "\n");
			const rules = ahead && settingsOf(ahead, w.settings);
			await w.engine.settle(rules ?? w.settings, entry.at, "host");
			ruledUpTo = next === -1 ? entries.length : next;
		}
		const node = w.host.nodes.get(entry.id);
		if (node) await meet(w, entry, node);
		else await w.record(entry);
	}
	await w.engine.settle(w.settings, w.host.at, "host");
	await w.engine.value(w.valuation, w.host.at);
	await w.engine.note([{ type: "session/leafMoved", data: { leaf } }], w.host.at, "user");
	if (w.mixed || w.refused.size > 0) return;
	for (const at of new Set([leaf, ...w.host.nodes.keys()])) {
		const proofs = (states: SessionStates) => windowItems(states, at, planAt(states, at)).map(proofKey);
		same(proofs(w.engine.states), proofs(before), `window again at ${at}`);
	}
}

async function meet(w: WalkState, entry: TranscriptEntry, node: DecisionNode): Promise<void> {
	const path = w.reference.path(entry.parent);
	const outcome = again(w, path, node);
	const made = outcome !== "nothing" && "kind" in outcome ? outcome : undefined;
	const position = w.engine.version;
	const met = await w.engine.meet(entry, node);
	const laid = made ? w.layUnder(path, made) : [];
	const isKnown = laid.every(({ key }) => !key.endsWith(" ?"));
	const isProven = made && (isKnown ? proofOf(laid) === node.window : met === "rebuilt");
	same(met, isProven ? "rebuilt" : "refused", `${node.command?.do ?? "commit"} again`);
	const name = (w.store.event(STREAM, position)?.data as { id?: string })?.id;
	if (made && isProven) made.name = name ?? "";
	else w.refused.add(entry.id);
	w.count(`met: ${met}`);
	w.reference.record(entry, isProven ? made : undefined);
	if (!w.mixed) same(met, "rebuilt", `${JSON.stringify(node.command ?? "commit")} again`);
}

/** What a node's decision comes to on this path. */
function again(w: WalkState, path: Path, node: DecisionNode): Outcome {
	const command = commandIn(node);
	const { names } = w.reference;
	if (!command) {
		const { toolFoldThreshold, reasoning } = node.rules;
		const settings = {
			...w.reference.settings,
			toolFoldThreshold,
			postFoldNotice: node.notice === true,
		};
		const asked = {
			...w.world,
			settings,
			refused: new Map(MODELS.map(({ model }) => [model, reasoning] as const)).set("", reasoning),
		};
		if (node.cut > path.cuts.length || path.leaf === null) return "nothing";
		const { plan } = path;
		const since = (fold: string) => (plan.withdrawn.has(fold) ? undefined : plan.expanded.get(fold));
		const expanded = new Map((node.expanded ?? []).map((fold) => [fold, since(fold) ?? asked.requests]));
		const clipped = node.clipped && path.steps.filter(({ id }) => node.clipped?.includes(id));
		const candidate = candidateThrough(path, asked, node.cut, expanded);
		return commit(path, asked, candidate, clipped ?? usuallyClipped(path, asked, node.cut));
	}
	return againCommand(w, path, command, names);
}

function againCommand(
	w: WalkState,
	path: Path,
	command: PortableCommand,
	names: ReadonlyMap<string, string>,
): Outcome {
	const world = {
		...w.world,
		settings: { ...w.world.settings, inputBudget: Number.POSITIVE_INFINITY },
	};
	switch (command.do) {
		case "recutTo": {
			const at = (id: string) => path.steps.findIndex((step) => step.id === id);
			const spans = command.spans.map(({ from, to }) => ({ from: at(from), to: at(to) }));
			return draw(path, world.settings, spans, command.mark);
		}
		case "undoLast": {
			const ids = path.plan.chain.slice(-command.count).map(({ name }) => name);
			return outcomeOf(path, world, { do: "undo", ids }, { names, mark: "" });
		}
		default:
			return outcomeOf(path, world, command, { names, mark: "" });
	}
}
