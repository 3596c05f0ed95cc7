import type { WindowCommand } from "../../src/commands/window-command.ts";
import { heldWithin } from "./reference-candidates.ts";
import { foldOf, type Outcome, Refused, unitOf } from "./reference-folds.ts";
import type { RefPlan } from "./reference-path.ts";
import { decided, NOTHING, type Path, type RefCut, type RefText, type Step } from "./reference-path.ts";
import { recut } from "./reference-recut.ts";
import { budgetOf, scaleOf, sum, type World } from "./reference-sizes.ts";
import { regrouped, standing, supplied } from "./reference-texts.ts";
import { compactionOf } from "./reference-window.ts";

/** What a command comes to at a leaf. `names` are the folds of all branches; `mark` what a recut calls its cuts by. */
export function outcomeOf(
	path: Path,
	world: World,
	asked: WindowCommand,
	{ names, mark }: { names: ReadonlyMap<string, string>; mark: string },
): Outcome {
	const now = (name: string) => calledNow(path, names, name);
	const ids = "ids" in asked && asked.do !== "undo" ? { ids: asked.ids.map(now) } : {};
	const command: WindowCommand = { ...asked, ...("fold" in asked ? { fold: now(asked.fold) } : ids) };
	try {
		switch (command.do) {
			case "expand":
				return expand(path, world, command.fold);
			case "refold":
				return refold(path, world, command.fold);
			case "pin":
				return pin(path, world, command.ids, names);
			case "unpin":
				return unpin(path, command.ids, names);
			case "unmark":
			case "toRaw":
				return withdraw(path, world, command.do, command.ids);
			case "recut":
				return recut(path, world.settings, command.ids, { names, mark });
			case "brief":
				return brief(path, command.fold, command.text);
			case "undo":
				return undo(path, command.ids);
			default:
				return command satisfies never;
		}
	} catch (error) {
		if (error instanceof Refused) return { refused: error.message };
		throw error;
	}
}

/** What the stretch of a name is called on a path, where it stands there. */
function calledNow({ cuts, steps }: Path, names: ReadonlyMap<string, string>, name: string): string {
	const stretch = names.get(name);
	if (!stretch) return name;
	return cuts.find(({ from, to }) => stretch === `${steps[from]?.id} ${steps[to]?.id}`)?.id ?? name;
}

function inside(outer: RefText, inner: RefText): boolean {
	return inner.first >= outer.first && inner.last <= outer.last;
}

/** Whether the host's own compaction took what ends at a place out of the window. */
function isCompacted(path: Path, { heeds }: World, at: number): boolean {
	return at < (compactionOf(path, heeds)?.from ?? 0);
}

function lastOf(path: Path, { last }: RefText): number {
	return path.cuts[last - 1]?.to ?? 0;
}

function expand(path: Path, world: World, fold: string): Outcome {
	const { plan } = path;
	const text = foldOf(path, fold);
	if (plan.expanded.has(fold)) return "nothing";
	if (text.last > plan.through) return { refused: "FOLD_PENDING" };
	if (isCompacted(path, world, lastOf(path, text))) return { refused: "COMPACTED" };
	const parts = standing(path.cuts, plan.through, plan);
	if (parts.some((part) => !part.open && part.text.fold === fold))
		return decided(path, "expand", { expanded: new Map(plan.expanded).set(fold, world.requests) });
	const isCovered = parts.some(
		(part) => part.text.fold !== fold && inside(part.text, text) && part.text.level > text.level,
	);
	// what is shown by its parts already, for one of them is open, is as was asked
	return isCovered ? { refused: "FOLD_NESTED" } : "nothing";
}

function refold(path: Path, world: World, fold: string): Outcome {
	const text = foldOf(path, fold);
	if (isCompacted(path, world, lastOf(path, text))) return { refused: "COMPACTED" };
	const expanded = new Map(path.plan.expanded);
	for (const other of expanded.keys()) {
		const part = foldOf(path, other);
		if (other === fold || (inside(text, part) && part.level < text.level)) expanded.delete(other);
	}
	if (expanded.size === path.plan.expanded.size) return { refused: "FOLD_NOT_OPEN" };
	return decided(path, "refold", { expanded });
}

function named(path: Path, ids: readonly string[], names: ReadonlyMap<string, string>): Step[] {
	const found = new Set<Step>();
	for (const id of ids) {
		const step =
			path.steps.find((one) => one.id === id) ?? path.steps.findLast(({ entry }) => entry.answers === id);
		if (step?.foldable) for (const part of unitOf(path, step)) found.add(part);
		else if (names.has(id)) {
			const text = foldOf(path, id);
			const from = path.cuts[text.first - 1]?.from ?? 0;
			const to = path.cuts[text.last - 1]?.to ?? -1;
			for (const one of path.steps.slice(from, to + 1))
				if (one.foldable && one.fate === "sent") for (const part of unitOf(path, one)) found.add(part);
		} else throw new Refused("ENTRY_UNKNOWN");
	}
	return [...found];
}

function pin(path: Path, world: World, ids: readonly string[], names: ReadonlyMap<string, string>): Outcome {
	const { plan } = path;
	const entries = named(path, ids, names).filter(({ id }) => !plan.pins.has(id));
	if (entries.length === 0) return "nothing";
	if (isCompacted(path, world, Math.max(...entries.map(({ at }) => at)))) return { refused: "COMPACTED" };
	const pins = new Set([...plan.pins, ...entries.map(({ id }) => id)]);
	const size = sum(path.steps.filter(({ id, fate }) => fate === "sent" && pins.has(id)));
	if (scaleOf(world.told).tokens(size) > budgetOf(world) * 0.25) return { refused: "PIN_OVER_SHARE" };
	const held = new Set([...plan.held, ...heldWithin(path, world, plan.through, pins)]);
	const clips = new Map([...plan.clips].filter(([id]) => !pins.has(id)));
	return decided(path, "pin", { pins, held, clips });
}

function unpin(path: Path, ids: readonly string[], names: ReadonlyMap<string, string>): Outcome {
	const pins = new Set(path.plan.pins);
	for (const { id } of named(path, ids, names)) pins.delete(id);
	return pins.size === path.plan.pins.size ? "nothing" : decided(path, "unpin", { pins });
}

function withdraw(path: Path, world: World, kind: "unmark" | "toRaw", ids: readonly string[]): Outcome {
	const withdrawn = new Set(path.plan.withdrawn);
	for (const id of ids) {
		const text = foldOf(path, id);
		if (kind === "unmark" && text.last <= path.plan.through) return { refused: "FOLD_STANDING" };
	}
	for (const id of ids) {
		const text = foldOf(path, id);
		for (const cut of path.cuts.slice(text.first - 1, text.last)) withdrawn.add(cut.id);
	}
	const raw = path.cuts.flatMap(({ id, from, to }) =>
		withdrawn.has(id) ? path.steps.slice(from, to + 1).filter(({ foldable }) => foldable) : [],
	);
	const isOver = scaleOf(world.told).tokens(sum(raw)) > budgetOf(world) * 0.25;
	if (withdrawn.size > path.plan.withdrawn.size && isOver) return { refused: "RAW_OVER_SHARE" };
	return withdrawn.size === path.plan.withdrawn.size ? "nothing" : decided(path, "unmark", { withdrawn });
}

function brief(path: Path, fold: string, text: string): Outcome {
	const { plan } = path;
	const written = foldOf(path, fold);
	if (written.last <= plan.through) return { refused: "FOLD_STANDING" };
	if (written.level > 0) return { refused: "FOLD_UNKNOWN" };
	if (text.length > 600 || !/[\p{L}\p{N}]{3}/u.test(text)) return { refused: "BRIEF_INVALID" };
	const texts = supplied(path, written, text, plan.texts);
	const isSame = [...texts].every(([id, one]) => plan.texts.get(id)?.text === one.text);
	return isSame ? "nothing" : decided(path, "brief", { texts });
}

function undo(path: Path, ids: readonly string[]): Outcome {
	const { chain } = path.plan;
	if (ids.length === 0 || ids.some((id) => !chain.some(({ name }) => name === id)))
		return { refused: "DECISION_UNKNOWN" };
	const earliest = chain.findIndex(({ name }) => ids.includes(name));
	const taken = chain.slice(earliest).reverse();
	if (taken.some(({ name }) => !ids.includes(name))) return { refused: "UNDO_HAS_DEPENDENTS" };
	const drawn = (plan: RefPlan) => plan.chain.filter(({ kind }) => kind === "recut");
	const then = drawn(chain[earliest]?.before ?? NOTHING);
	const isThen = (plan: RefPlan) => {
		const now = drawn(plan);
		return now.length === then.length && now.every((made, n) => made === then[n]);
	};
	// whatever was drawn since the cuts were drawn as then is undone, newest first
	let { cuts } = path;
	let plan: RefPlan = path.plan;
	for (const { made } of path.steps.toReversed()) {
		if (isThen(plan)) break;
		if (!made) continue;
		if (made.cuts) {
			if (!isSameList(made.cuts.after, cuts)) return { refused: "UNDO_HAS_DEPENDENTS" };
			cuts = made.cuts.before;
		}
		plan = made.before;
	}
	const before = chain[earliest]?.before ?? NOTHING;
	const texts = regrouped(cuts, before);
	const made = decided({ ...path, plan: before }, "undo", { texts }, cuts === path.cuts ? undefined : cuts);
	return Object.assign(made, {
		before: path.plan,
		takes: taken.length,
		...(made.cuts && { cuts: { before: path.cuts, after: cuts } }),
	});
}

function isSameList(one: readonly RefCut[], other: readonly RefCut[]): boolean {
	return one.length === other.length && one.every(({ id }, n) => id === other[n]?.id);
}
