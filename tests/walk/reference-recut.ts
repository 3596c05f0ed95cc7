import type { Settings } from "../../projections/rules.ts";
import { rendererFor } from "../../src/engine/renderer.ts";
import { foldOf, type Outcome, unitOf } from "./reference-folds.ts";
import { decided, type Path, type Step } from "./reference-path.ts";
import { sum } from "./reference-sizes.ts";
import { supplied, textsOf } from "./reference-texts.ts";

/** Draws the cuts that wait anew, so that one reaches from the first to the last thing named. */
export function recut(
	path: Path,
	rules: Settings,
	ids: readonly string[],
	{ names, mark }: { names: ReadonlyMap<string, string>; mark: string },
): Outcome {
	const { plan, steps } = path;
	const pending = path.cuts.slice(plan.through);
	const ends: number[] = [];
	for (const id of ids) {
		const step = steps.find((one) => one.id === id);
		if (step?.foldable) ends.push(...unitOf(path, step).map(({ at }) => at));
		else {
			const text = foldOf(path, id);
			ends.push(path.cuts[text.first - 1]?.from ?? 0, path.cuts[text.last - 1]?.to ?? 0);
		}
	}
	let [first, last] = [Math.min(...ends), Math.max(...ends)];
	const [from, to] = [pending[0]?.from ?? Number.POSITIVE_INFINITY, pending.at(-1)?.to ?? -1];
	if (ids.length === 0 || !(first >= from && last <= to)) return { refused: "SPAN_INVALID" };
	// what is left of the cuts at its ends goes with it where that would make no cut
	for (const cut of pending) {
		if (cut.from < first && cut.to >= first && isShort(steps, cut.from, first - 1)) first = cut.from;
		if (cut.from <= last && cut.to > last && isShort(steps, last + 1, cut.to)) last = cut.to;
	}
	// every stretch there was, broken where the new one begins and behind where it ends, with nothing left inside it
	const spans: { from: number; to: number }[] = [];
	for (const cut of pending) {
		const stretches = [
			{ from: cut.from, to: Math.min(cut.to, first - 1) },
			...(cut.from <= first && first <= cut.to ? [{ from: first, to: last }] : []),
			{ from: Math.max(cut.from, last + 1), to: cut.to },
		];
		for (const span of stretches) {
			const inIt = steps.slice(span.from, span.to + 1).filter(({ foldable }) => foldable);
			const [begin, end] = [inIt[0], inIt.at(-1)];
			if (span.from <= span.to && begin && end) spans.push({ from: begin.at, to: end.at });
		}
	}
	let number = Number(mark.slice(1));
	const isTaken = () =>
		spans.some(({ to }, n) => names.has(`f${plan.through + n + 1}-${steps[to]?.id}~r${number}`));
	while (isTaken()) number++;
	return draw(path, rules, spans, `r${number}`);
}

/** Draws the cuts that wait as these spans say, which begin with one of them. */
export function draw(
	{ plan, steps, cuts: all, ...path }: Path,
	rules: Settings,
	spans: readonly { from: number; to: number }[],
	mark: string,
): Outcome {
	const begins = all.findIndex(({ from }, n) => n >= plan.through && from === spans[0]?.from);
	if (begins < 0 || all.at(-1)?.to !== spans.at(-1)?.to) return "nothing";
	const folded = all.slice(0, begins);
	const pending = all.slice(begins);
	const same = spans.findIndex(({ from, to }, n) => pending[n]?.from !== from || pending[n]?.to !== to);
	if (same < 0) return "nothing";
	const isNew = ({ from, to }: { from: number; to: number }) =>
		!pending.some((cut) => cut.from === from && cut.to === to);
	if (spans.some((span) => isNew(span) && isShort(steps, span.from, span.to)))
		return { refused: "SPAN_INVALID" };
	let cuts = [...folded, ...pending.slice(0, same)];
	for (const span of spans.slice(same)) {
		const cut = { id: `f${cuts.length + 1}-${steps[span.to]?.id}~${mark}`, ...span };
		cuts = [...cuts, { ...cut, texts: textsOf(steps, cuts, cut, plan, rules) }];
	}
	const gone = new Set(pending.slice(same).map(({ id }) => id));
	const withdrawn = new Set([...plan.withdrawn].filter((id) => !gone.has(id)));
	let { texts } = plan;
	// what was said of a stretch that stays the same holds under its new name
	for (const cut of cuts.slice(folded.length + same)) {
		const was = pending.slice(same).find(({ from, to }) => from === cut.from && to === cut.to);
		const [written] = cut.texts;
		if (!was || !written) continue;
		if (plan.withdrawn.has(was.id)) withdrawn.add(cut.id);
		const told = plan.texts.get(was.id);
		const said = told && rendererFor(told.brief).suppliedIn(told.brief);
		if (said !== undefined) texts = supplied({ steps, cuts, plan }, written, said, texts);
	}
	return decided({ ...path, plan, steps, cuts: all }, "recut", { withdrawn, texts }, cuts);
}

function isShort(steps: readonly Step[], from: number, to: number): boolean {
	const size = sum(steps.slice(from, to + 1).filter(({ fate, foldable }) => fate === "sent" && foldable));
	return size.chars < 2_000 && size.images === 0;
}
