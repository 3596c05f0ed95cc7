import type { Path, RefPlan, Step } from "./reference-path.ts";
import type { Size } from "./reference-sizes.ts";
import { budgetOf, isTakenOut, reasoningOf, scaleOf, sizeOf, sum, type World } from "./reference-sizes.ts";
import { standing } from "./reference-texts.ts";
import { compactionOf, hides, type Laid, lay, shows } from "./reference-window.ts";

/** A commit that could be made. */
export interface Candidate {
	readonly through: number;
	readonly held: ReadonlySet<string>;
	readonly expanded: ReadonlyMap<string, number>;
	readonly refused: readonly string[];
}

function floorOf(world: World): number {
	const { floorTokens, floorFactor = 1, minTarget, maxTarget } = world.settings;
	if (floorTokens !== undefined) return floorTokens;
	const budget = budgetOf(world);
	const floor = Math.max(
		Math.min(16_000, Math.floor(budget / 2)),
		Math.min(54_400, Math.floor(budget * minTarget)),
	);
	return Math.max(floor, Math.min(Math.floor(floor * floorFactor), Math.floor(budget * maxTarget * 0.625)));
}

/** The deepest commit that leaves the floor raw, or less of it where the window would still be over the ceiling. */
export function candidateAt(path: Path, world: World, ceiling?: number): Candidate | undefined {
	const most = ceiling ?? budgetOf(world) * world.settings.maxTarget;
	let floor = floorOf(world);
	let found = candidateAbove(path, world, floor, path.plan);
	const closed = { ...path.plan, expanded: new Map(), withdrawn: new Set<string>() };
	if (tokensUnder(path, world, found) > most && found && found.expanded.size > 0)
		found = candidateAbove(path, world, floor, closed);
	while (floor > 1 && tokensUnder(path, world, found) > most) {
		floor = Math.max(1, Math.floor(floor / 2));
		found = candidateAbove(path, world, floor, closed);
	}
	return found;
}

/** Tokens behind a cut; what an emergency clipped there stays so. */
function rawBehind(path: Path, world: World, through: number): number {
	const to = path.cuts[through - 1]?.to ?? -1;
	const isShown = shows(path, world.heeds);
	const { isEmergency, clips } = path.plan;
	const edits = new Map<string, Step>();
	for (const step of path.steps) if (step.entry.target) edits.set(step.entry.target, step);
	const raw = path.steps.filter((step) => step.at > to && step.fate === "sent" && isShown(step));
	const left = raw.map((step) => {
		const clip =
			isEmergency && !edits.has(step.id) && !isTakenOut(step, edits) ? clips.get(step.id) : undefined;
		return clip === undefined ? step : { chars: clip.length, images: 0 };
	});
	return scaleOf(world.told).tokens(sum(left));
}

function candidateAbove(path: Path, world: World, floor: number, plan: RefPlan): Candidate | undefined {
	const from = compactionOf(path, world.heeds)?.from ?? 0;
	const refused: string[] = [];
	for (let through = path.cuts.length; through > 0; through--) {
		const cut = path.cuts[through - 1];
		if (!cut || cut.to < from) return undefined;
		if (rawBehind(path, world, through) < floor) refused.push(cut.id);
		else return { ...candidateThrough(path, world, through, staysOpen(path, world, through, plan)), refused };
	}
	return undefined;
}

/** What a commit through a cut leaves open. */
export function staysOpen(
	path: Path,
	{ requests }: World,
	through: number,
	plan: RefPlan,
): Map<string, number> {
	const open = new Map([...plan.expanded].filter(([, since]) => requests - since < 8));
	for (const [n, { id }] of path.cuts.entries())
		if (n < through && plan.withdrawn.has(id)) open.set(id, requests);
	return open;
}

/** A commit through one cut. */
export function candidateThrough(
	path: Path,
	world: World,
	through: number,
	expanded: ReadonlyMap<string, number>,
): Candidate {
	return { through, held: heldWithin(path, world, through, path.plan.pins), expanded, refused: [] };
}

/** What stays raw inside the first cuts. */
export function heldWithin(
	path: Path,
	world: World,
	through: number,
	pins: ReadonlySet<string>,
): Set<string> {
	const to = path.cuts[through - 1]?.to ?? -1;
	const isShown = shows(path, world.heeds);
	const asked = path.steps.findLast(({ fate, entry }) => fate === "sent" && entry.role === "user");
	const held = path.steps.filter(
		(step) =>
			step.at <= to &&
			isShown(step) &&
			(step === asked ||
				(step.fate === "sent" && step.entry.role === "system") ||
				step.isKept ||
				pins.has(step.id) ||
				(step.asker && pins.has(step.asker.id))),
	);
	return new Set(held.map(({ id }) => id));
}

function tokensUnder(path: Path, world: World, candidate: Candidate | undefined): number {
	const scale = scaleOf(world.told);
	if (!candidate) {
		const isShown = shows(path, world.heeds);
		const raw = path.steps.filter((step) => step.fate === "sent" && isShown(step));
		return (
			scale.base + scale.tokens(sizeOf(path, [...raw.map(asItem), ...summary(path, world)], world.heeds))
		);
	}
	const head = headSize(path, world, candidate);
	return scale.base + scale.tokens(head) + rawBehind(path, world, candidate.through);
}

function asItem(step: Step): Laid {
	return { key: "", proof: "", chars: step.chars, images: step.images };
}

function summary(path: Path, { heeds }: World): Laid[] {
	const compaction = compactionOf(path, heeds);
	return compaction ? [asItem(compaction.step)] : [];
}

/** Size of what stands before the raw tail. */
function headSize(path: Path, world: World, { through, held, expanded }: Candidate): Size {
	const to = path.cuts[through - 1]?.to ?? -1;
	const plan = { ...path.plan, through, held, expanded, clips: new Map(), receipt: undefined };
	const stripping = { ...plan, reasoning: reasoningOf(world), commitLeaf: path.leaf };
	const laid = lay(path, stripping, { ...world, without: "edits" });
	const head = laid.filter(
		({ step, text }) => text || (step && (step.at <= to || step.entry.kind === "compaction")),
	);
	return sizeOf(path, head, world.heeds);
}

/** Results the settings have a commit clip, oldest first. */
export function usuallyClipped(path: Path, world: World, through: number): Step[] {
	const to = path.cuts[through - 1]?.to ?? -1;
	const isShown = shows(path, world.heeds);
	const from = compactionOf(path, world.heeds)?.from ?? 0;
	const tail = path.steps.filter((step) => step.at > to && step.at >= from && isShown(step));
	const sizeOfStep = (step: Step) => (step.fate === "sent" ? step.chars : 0);
	const reach = sum(tail.map((step) => ({ chars: sizeOfStep(step), images: 0 }))).chars;
	const answered =
		tail.findLast(({ entry, fate }) => entry.role === "assistant" && fate === "sent")?.at ?? -1;
	const strips = reasoningOf(world) === "strip";
	const turnOf = (step: Step) =>
		path.steps.slice(0, step.at + 1).findLast(({ entry, fate }) => entry.role === "user" && fate === "sent")
			?.id;
	const thinking = new Set(
		strips ? [] : tail.flatMap((step) => (step.fate === "sent" && step.thinking > 0 ? [turnOf(step)] : [])),
	);
	const edits = new Map<string, Step>();
	for (const step of path.steps) if (step.entry.target) edits.set(step.entry.target, step);
	const isWithdrawn = ({ at }: Step) =>
		path.cuts.some(({ id, from, to }) => path.plan.withdrawn.has(id) && at >= from && at <= to);
	const found: Step[] = [];
	let passed = 0;
	for (const step of tail) {
		if (step.at >= answered) break;
		const isOld = passed < reach * world.settings.toolFoldThreshold && sizeOfStep(step) > 2_000;
		passed += sizeOfStep(step);
		if (!isOld && !step.isPeek) continue;
		if (step.entry.role !== "result" || step.fate !== "sent" || step.isKept) continue;
		if (isWithdrawn(step) || edits.has(step.id) || isTakenOut(step, edits)) continue;
		if (!path.plan.pins.has(step.id) && (strips || !thinking.has(turnOf(step)))) found.push(step);
	}
	return found;
}

/** What a commit clips beside: what an emergency clipped before and is raw still. */
export function clippable(path: Path, world: World, through: number): Step[] {
	const usual = usuallyClipped(path, world, through);
	const { plan, steps } = path;
	if (!plan.isEmergency) return usual;
	const to = path.cuts[through - 1]?.to ?? -1;
	const asked = steps.findLast(({ fate, entry }) => fate === "sent" && entry.role === "user");
	return steps.filter(
		(step) => usual.includes(step) || (plan.clips.has(step.id) && (step.at > to || step === asked)),
	);
}

/** Texts that would be shown, for a receipt. */
export function standingCount(
	path: Path,
	through: number,
	{ expanded, held }: Pick<RefPlan, "expanded" | "held">,
): number {
	const parts = standing(path.cuts, through, { expanded, texts: path.plan.texts });
	return parts.filter(({ text, open }) => !open && hides(path, { held }, text)).length;
}
