import { planAfter } from "../../projections/plans.ts";
import { CommandError } from "../../src/commands/command-error.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import type { Decision } from "../../src/engine/decision.ts";
import { readNode } from "../../src/engine/decision-node.ts";
import { same } from "./compare.ts";
import { MODELS } from "./models.ts";
import { pick, wanted } from "./picking.ts";
import { candidateThrough, staysOpen } from "./reference-candidates.ts";
import { commit, commitNow, commitThrough } from "./reference-commits.ts";
import { outcomeOf } from "./reference-decisions.ts";
import type { Made, Path, Step as PathStep } from "./reference-path.ts";
import { reasoningOf } from "./reference-sizes.ts";
import { digestOf } from "./reference-window.ts";
import type { Asked } from "./steps.ts";

import { hasEdits, proofOf, STREAM, type WalkState } from "./walk-state.ts";

/** A decision asked for, how its node comes, and which model answers from then on. */
export type Ask = Asked & { readonly late: number; readonly lost: boolean; readonly model: number };

/** Something is asked of the window; what comes of it must be as the reference has it. */
export async function ask(w: WalkState, step: Ask): Promise<void> {
	w.valuation = MODELS[step.model] ?? w.valuation;
	await w.engine.value(w.valuation, w.host.at);
	const path = w.reference.path(w.host.leaf);
	switch (step.does) {
		case "commit":
			return askCommit(w, step, path);
		case "tighter":
			return askTighter(w, step, path);
		case "due":
			return askIfDue(w, step, path);
		case "reasoning":
			return askReasoning(w, step, path);
		default:
			return askCommand(w, step, wanted(step, path, w.reference), path);
	}
}

async function askCommit(w: WalkState, step: Extract<Ask, { does: "commit" }>, path: Path): Promise<void> {
	const through = step.through === undefined ? undefined : pick.cut(path, w.reference, step.through);
	const decision = await w.engine.commitNow(w.request(), through);
	if (through === undefined) return placeCommit(w, step, path, decision, commitNow(path, w.world));
	const number = path.cuts.findIndex(({ id }) => id === through) + 1;
	const isNew = number > path.plan.through;
	return placeCommit(w, step, path, decision, isNew ? commitThrough(path, w.world, number) : undefined);
}

async function placeCommit(
	w: WalkState,
	step: Ask,
	path: Path,
	decision: Decision | undefined,
	made: Made | undefined,
): Promise<void> {
	const expected = decision && hasEdits(path) ? madeBy(w, path, decision) : made;
	if (!hasEdits(path)) same(decision !== undefined, expected !== undefined, "whether a commit is made");
	if (decision && expected) await place(w, step, decision, expected);
}

/** Which way is taken to make a window smaller is not worked out, only what it comes to. */
async function askTighter(w: WalkState, step: Ask, path: Path): Promise<void> {
	const decision = await w.engine.commitTighter(w.request(), step.model % 2 ? "tokens" : "bytes");
	if (!decision) return;
	const clipped = clippedBy(w, path, decision);
	for (const { id, entry, isKept, images, fate } of clipped) {
		const isRaw = !isKept && !path.plan.pins.has(id) && fate === "sent";
		same(isRaw && (entry.role === "result" || images > 0), true, `${id} may be clipped`);
	}
	await place(w, step, decision, madeBy(w, path, decision, clipped));
}

function clippedBy(w: WalkState, path: Path, { id: commit, position }: Decision): PathStep[] {
	const ids = new Set<string>();
	for (let at = position + 1; at < w.engine.version; at++) {
		const { type, data } = w.store.event(STREAM, at) ?? {};
		const clip = data as { entry: string; commit: string };
		if ((type === "fold/clipped" || type === "fold/released") && clip.commit === commit) ids.add(clip.entry);
	}
	return path.steps.filter(({ id }) => ids.has(id));
}

/** A commit through the cut and with the folds open that it says itself. */
function madeBy(w: WalkState, path: Path, { event }: Decision, clipped?: PathStep[]): Made {
	if (event.type !== "commit/applied") throw new Error(`${event.type} is no commit`);
	const { cut, expanded } = event.data;
	const open = new Map(expanded.map(({ fold, request }) => [fold, request]));
	const stays = commitThrough(path, w.world, cut).after.expanded;
	for (const [fold, since] of open) same(stays.get(fold), since, `${fold} stays open`);
	const made = commit(path, w.world, candidateThrough(path, w.world, cut, open), clipped);
	return Object.assign(made, { after: { ...made.after, isEmergency: event.data.emergency === true } });
}

async function askIfDue(w: WalkState, step: Ask, path: Path): Promise<void> {
	const { settings } = w.reference;
	const expected = commitNow(path, w.world);
	const observed = await w.engine.observeIfDue(w.request());
	if (observed) {
		same(settings.observe && !w.reference.suspended, true, "whether it only watches");
		if (!hasEdits(path)) same(observed.data.cut, expected?.after.through, "what it would fold");
	}
	const decision = await w.engine.commitIfDue(w.request());
	if (!decision) return;
	const isOff = settings.policy === "off" || settings.observe || w.reference.suspended;
	same(isOff, false, "whether nothing is folded by itself");
	await placeCommit(w, step, path, decision, expected);
}

const NONE: ReadonlyMap<string, number> = new Map();

async function askReasoning(
	w: WalkState,
	step: Extract<Ask, { does: "reasoning" }>,
	path: Path,
): Promise<void> {
	const request = w.request();
	const refused = new Map(w.world.refused);
	if (reasoningOf(w.world) !== step.mode) refused.set(request.model, step.mode);
	const world = { ...w.world, refused };
	const { plan, steps } = path;
	const decided = steps.findIndex(({ id }) => id === plan.commitLeaf);
	const thinks = steps.slice(decided + 1).some(({ fate, thinking }) => fate === "sent" && thinking > 0);
	const isOther = plan.commit && (plan.reasoning !== step.mode || (step.mode === "strip" && thinks));
	const open = new Map([
		...plan.expanded,
		...staysOpen(path, world, plan.through, { ...plan, expanded: NONE }),
	]);
	const again = candidateThrough(path, world, plan.through, open);
	const decision = await w.engine.changeReasoning(request, step.mode, "refused");
	const expected = isOther ? commit(path, world, again) : undefined;
	same(decision !== undefined, expected !== undefined, "whether a commit is made again");
	if (decision && expected) await place(w, step, decision, expected);
}

async function askCommand(w: WalkState, step: Ask, command: WindowCommand, path: Path): Promise<void> {
	const { names } = w.reference;
	const expected = outcomeOf(path, w.world, command, { names, mark: `r${w.engine.version}` });
	const before = w.engine.version;
	const outcome = await outcomeOrCode(w, () =>
		w.engine.decideCommand(command, w.request(), { actor: "user" }),
	);
	// whether a brief says something new is not known where texts were written anew
	if (step.does === "brief" && hasEdits(path) && !outcome && expected !== "nothing" && "kind" in expected)
		return;
	if (typeof outcome === "string" || !outcome) {
		const said = typeof outcome === "string" ? { refused: outcome } : "nothing";
		same(
			said,
			typeof expected === "object" && "kind" in expected ? expected.kind : expected,
			`${JSON.stringify(command)} comes to`,
		);
		same(w.engine.version, before, "events behind a refusal");
		w.count(`${step.does}: ${typeof outcome === "string" ? outcome : "nothing"}`);
		return;
	}
	const made = typeof expected === "object" && "kind" in expected ? expected.kind : expected;
	same(outcome.event.data.id.split("-")[0], made, `${JSON.stringify(command)} comes to`);
	if (typeof expected === "object" && "kind" in expected) await place(w, step, outcome, expected);
}

async function outcomeOrCode(
	_w: WalkState,
	decide: () => Promise<Decision | undefined>,
): Promise<Decision | string | undefined> {
	try {
		return await decide();
	} catch (error) {
		if (error instanceof CommandError) return error.code;
		throw error;
	}
}

/** A decision was made as expected: its window is so, and its node comes, late or never. */
async function place(w: WalkState, step: Ask, decision: Decision, made: Made): Promise<void> {
	made.name = decision.id;
	w.count(`${step.does}: made`);
	const path = w.reference.path(w.host.leaf);
	const plan = planAfter(w.engine.states.plans, decision.position);
	const laid = w.filled(path, w.layUnder(path, made), plan);
	same(decision.event.data.window, digestOf(laid), "digest of what is decided");
	same(decision.event.data.parent, path.leaf, "leaf");
	const node = w.engine.nodeFor(decision);
	same(readNode(JSON.parse(JSON.stringify(node))), node, "node read back");
	same(node.window, proofOf(laid), "proof");
	if (step.lost) return;
	for (let n = 0; n < step.late; n++) await w.record(w.host.add("label", { blocks: [] }));
	const entry = w.host.addNode(node);
	await w.record(entry, made, decision.position);
}
