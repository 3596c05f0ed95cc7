import { deepStrictEqual } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import { foldedHead } from "../../projections/folded-head.ts";
import { cutOf } from "../../projections/forest.ts";
import { type Plan, planAfter } from "../../projections/plans.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { type Item, planAt, windowItems, windowWeight } from "../../projections/window-plan.ts";
import { decisionsInForce } from "../../src/commands/undo.ts";
import { readBack } from "../../src/debug/read-back.ts";
import { type Path, type Step, sha } from "./reference-path.ts";
import { isWeighed, planSize, type World } from "./reference-sizes.ts";
import { coverOf, filled, type Laid, lay, spanOf } from "./reference-window.ts";

/** Fails where two things differ; `what` says which. */
export function same(actual: unknown, expected: unknown, what: string): void {
	if (isDeepStrictEqual(actual, expected)) return;
	try {
		deepStrictEqual(actual, expected);
	} catch (error) {
		throw new Error(`${what}: ${error instanceof Error ? error.message : error}`);
	}
}

/** The names of items in a window's digest, from what they hold. */
function keyOf(item: Item): string {
	switch (item.kind) {
		case "entry":
			return `${item.form === "whole" ? "e" : "u"} ${item.node.id} ${item.node.digest}`;
		case "clipped":
			return `c ${item.node.id} ${item.clip.text}`;
		case "edited":
			return `r ${item.node.id} ${item.edit.digest}`;
		case "fold":
			return `f ${item.fold} ${item.text}`;
		case "shown":
			return `s receipt ${item.text}`;
		case "answer":
			return `a ${item.call}`;
		default:
			return item satisfies never;
	}
}

/** An item by its name, and its characters. */
export function named(item: Item): { key: string; chars: number } {
	return { key: keyOf(item), chars: "chars" in item ? item.chars : 0 };
}

/** Compares everything the states say of a leaf with what the reference makes of its path. Gives the window. */
export function compareAt(states: SessionStates, path: Path, world: World): Laid[] {
	same(
		cutsAt(states, path),
		path.cuts.map(({ id, from, to, texts }) => ({
			id,
			from: path.steps[from]?.id,
			to: path.steps[to]?.id,
			texts: texts.map(({ fold, level, text, isKnown }) => ({
				fold,
				level,
				text: isKnown ? sha(text) : "?",
			})),
		})),
		"cuts",
	);
	const plan = planAt(states, path.leaf);
	same(seen(states, plan, path), told(path), "plan");
	same(
		decisionsInForce(states, path.leaf).map(({ id }) => id),
		path.plan.chain.map(({ name }) => name).reverse(),
		"decisions in force",
	);
	const items = windowItems(states, path.leaf, plan);
	const laid = filled(lay(path, path.plan, world), items.map(named));
	same(
		items.map(keyOf),
		laid.map(({ key }) => key),
		"window",
	);
	same(
		items.flatMap((item) => ("chars" in item ? [item.chars] : [])),
		laid.flatMap(({ step, chars, key }) => (step || key.startsWith("a") ? [] : [chars])),
		"characters of texts",
	);
	comparePairs(items, path);
	if (isWeighed(path))
		same(windowWeight(states, path.leaf, plan), planSize(path, path.plan, world, laid), "size of the window");
	if (plan && !path.steps.some(({ entry }) => entry.target)) comparePlaces(states, plan, path);
	return laid;
}

/** What is read back of everything that stands for entries, byte for byte. */
export function compareOriginals(
	states: SessionStates,
	content: (digest: string) => Uint8Array | undefined,
	path: Path,
	laid: readonly Laid[],
): void {
	const edits = new Map<string, Step>();
	for (const step of path.steps) if (step.entry.target) edits.set(step.entry.target, step);
	const back = (id: string, steps: readonly Step[]) => {
		for (const { id, digest, entry } of steps)
			same(Buffer.compare(content(digest) ?? NONE, entry.bytes), 0, `bytes of ${id}`);
		const told = steps.map((step) => decode((edits.get(step.id) ?? step).entry.bytes)).join("\n");
		const read = readBack(states, content, id, { offset: 0, bytes: 10_000_000 });
		if (read?.text !== told) same(read?.text, told, `originals of ${id}`);
	};
	for (const { text, step, key } of laid) {
		if (step && !key.startsWith("e")) back(step.id, [step]);
		if (!text) continue;
		const { from, to } = spanOf(path, text);
		back(
			text.fold,
			path.steps.slice(from, to + 1).filter(({ foldable }) => foldable),
		);
	}
}

const NONE = new Uint8Array();

function decode(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes);
}

function cutsAt(states: SessionStates, path: Path) {
	const cuts: unknown[] = [];
	let cut = cutOf(states.forest, nodeOf(states.tree, path.leaf)?.cut ?? null);
	for (let number = cut?.number ?? 0; cut; cut = cutOf(states.forest, cut.before), number--) {
		same(cut.number, number, "number of a cut");
		const known = new Map(path.cuts[cut.number - 1]?.texts.map((text) => [text.level, text.isKnown]));
		const texts = cut.texts.map(({ fold, level, text }) => ({
			fold,
			level,
			text: known.get(level) === false ? "?" : text,
		}));
		cuts.push({ id: cut.id, from: cut.from, to: cut.to, texts });
	}
	return cuts.reverse();
}

function seen(states: SessionStates, plan: Plan | undefined, path: Path) {
	const isKnown = (fold: string) => path.plan.texts.get(fold)?.isKnown !== false;
	return {
		name: plan?.id,
		commit: plan?.commit ?? undefined,
		through: plan?.through ?? undefined,
		cut: plan?.cut ?? 0,
		held: plan?.held ?? [],
		expanded: plan?.expanded ?? new Map(),
		clips: new Map([...(plan?.clips ?? [])].map(([id, { text }]) => [id, text])),
		reasoning: plan?.reasoning ?? "keep",
		receipt: plan?.receipt && [plan.receipt.text, plan.receipt.plain?.text],
		isEmergency: plan?.emergency ?? false,
		pins: plan?.pins ?? new Set(),
		withdrawn: plan?.withdrawn ?? new Set(),
		texts: new Map([...(plan?.texts ?? [])].map(([id, { text }]) => [id, isKnown(id) ? text : "?"])),
		under: planAfter(states.plans, plan?.under ?? null)?.id,
	};
}

function told({ plan, steps, cuts }: Path) {
	return {
		name: plan.chain.at(-1)?.name,
		commit: plan.commit?.name,
		through: cuts[plan.through - 1]?.id,
		cut: plan.through,
		held: steps.flatMap(({ id }) => (plan.held.has(id) ? [id] : [])),
		expanded: plan.expanded,
		clips: new Map([...plan.clips].map(([id, text]) => [id, sha(text)])),
		reasoning: plan.reasoning,
		isEmergency: plan.isEmergency,
		receipt: plan.receipt && [plan.receipt.text, plan.receipt.plain].map((text) => text && sha(text)),
		pins: plan.pins,
		withdrawn: plan.withdrawn,
		texts: new Map([...plan.texts].map(([id, { text, isKnown }]) => [id, isKnown ? sha(text) : "?"])),
		under: plan.chain.at(-2)?.name,
	};
}

/** Each result stands behind the call that waits for it, and each call is answered before anything else is said. */
function comparePairs(items: readonly Item[], { steps }: Path): void {
	const entries = new Map(steps.map((step) => [step.id, step.entry]));
	let waiting: string[] = [];
	for (const item of items) {
		const entry = "node" in item ? entries.get(item.node.id) : undefined;
		const call = item.kind === "answer" ? item.call : entry?.role === "result" ? entry.answers : undefined;
		if (call !== undefined) {
			same(waiting.includes(call), true, `${call} is waited for`);
			waiting = waiting.filter((other) => other !== call);
			continue;
		}
		same(waiting, [], "calls without an answer");
		const said = item.kind === "edited" ? entries.get(item.edit.id) : entry;
		waiting = (said?.blocks ?? []).flatMap((block) => (block.type === "call" ? [block.callId] : []));
	}
	same(waiting, [], "calls without an answer");
}

/** What stands for each entry that was folded, where nothing was edited or compacted. */
function comparePlaces(states: SessionStates, plan: Plan, path: Path): void {
	const { places, parts } = foldedHead(states, plan, path.leaf);
	const covers = coverOf(path, path.plan);
	const laid = lay(path, path.plan, { heeds: false, without: "both" });
	const to = path.cuts[path.plan.through - 1]?.to ?? -1;
	const head = laid.filter(({ step, key }) => !key.startsWith("a") && (!step || step.at <= to));
	same(
		parts.map((part) => (part.kind === "entry" ? part.id : part.kind === "gone" ? part.kind : part.text)),
		head.map(({ step, key }) => step?.id ?? key.split(" ").at(-1)),
		"parts of the head",
	);
	const shown = new Map(head.map(({ step, text }, n) => [step?.id ?? text?.fold, n]));
	const expected = new Map<string, number | undefined>();
	for (const { step } of head) if (step) expected.set(step.id, shown.get(step.id));
	for (const [id, fold] of covers) if (!expected.has(id)) expected.set(id, shown.get(fold));
	same(places, expected, "what stands for entries");
}
