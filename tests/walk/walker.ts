import { initialStates, replayStates } from "../../projections/states.ts";
import { ask } from "./asking.ts";
import { compareAt, compareOriginals, same } from "./compare.ts";
import { pick } from "./picking.ts";
import { fromNodes, restart } from "./rebuilding.ts";
import { grow } from "./requests.ts";
import type { Step, Turn, Walk } from "./steps.ts";
import { type Tally, type WalkOptions, WalkState } from "./walk-state.ts";

/** Walks to the end, and compares everything behind every step, unless told otherwise. */
export async function walkThrough(
	walk: Walk,
	tally: Tally = {},
	{ compares = true, ...options }: WalkOptions & { readonly compares?: boolean } = {},
): Promise<WalkState> {
	const w = new WalkState(walk, tally, options);
	w.begin();
	await w.engine.settle(w.settings, w.host.at, "host");
	await w.engine.value(w.valuation, w.host.at);
	for (const step of w.walk.steps) {
		if (step.does === "edit" && !w.walk.edits) continue;
		w.host.at += step.wait;
		await take(w, step);
		w.count(step.does);
		if (compares) compare(w, step);
	}
	if (compares) await compareStates(w);
	return w;
}

async function take(w: WalkState, step: Step): Promise<void> {
	switch (step.does) {
		case "restart":
		case "fork":
		case "suspend":
		case "resume":
		case "rules":
		case "cutting":
			return turn(w, step);
		case "commit":
		case "due":
		case "tighter":
		case "reasoning":
		case "expand":
		case "refold":
		case "pin":
		case "unpin":
		case "unmark":
		case "toRaw":
		case "recut":
		case "brief":
		case "undo":
			return ask(w, step);
		default:
			return grow(w, step);
	}
}

async function turn(w: WalkState, step: Turn): Promise<void> {
	const { at } = w.host;
	switch (step.does) {
		case "suspend":
			return w.engine.note([{ type: "engine/suspended", data: { mode: "pause", why: "" } }], at, "user");
		case "resume":
			return w.engine.note([{ type: "engine/resumed", data: {} }], at, "user");
		case "rules":
		case "cutting":
			if (step.does === "cutting" && !w.walk.changesCutting) return;
			w.settings = pick.settings(w.settings, step);
			// what a receipt quotes of texts that were written anew is not worked out
			if (w.walk.edits) w.settings = { ...w.settings, postFoldNotice: false };
			if (step.does === "cutting") w.mixed = true;
			return w.engine.settle(w.settings, at, "host");
		case "fork":
			w.host = w.host.forkAt(pick.leaf(w.host, step.which));
			return fromNodes(w);
		case "restart":
			w.driver = step.driver;
			return step.from === "nodes" ? fromNodes(w) : restart(w, step.from === "checkpoint");
		default:
			return step satisfies never;
	}
}

function compare(w: WalkState, step: Step): void {
	const { states } = w.engine;
	const path = w.reference.path(w.host.leaf);
	const laid = compareAt(states, path, w.world);
	if ("lost" in step || step.does === "restart" || step.does === "fork")
		compareOriginals(states, (digest) => w.engine.content(digest), path, laid);
	if (w.checker) same(w.checker.faults, [], "faults");
}

/** The log means the same however it is read. */
async function compareStates(w: WalkState): Promise<void> {
	const events = await w.events();
	const bulk = initialStates();
	replayStates(bulk, events);
	same(w.engine.states, bulk, "states read in bulk");
}
