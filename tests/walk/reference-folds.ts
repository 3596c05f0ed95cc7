import type { Made, Path, RefText, Step } from "./reference-path.ts";

/** What a command comes to: a refusal by its code, nothing, or a decision. */
export type Outcome = { readonly refused: string } | "nothing" | Made;

/** A command that may not happen, by its code. */
export class Refused extends Error {}

export function foldOf(path: Path, fold: string): RefText {
	const text = path.cuts.flatMap(({ texts }) => texts).find((one) => one.fold === fold);
	if (!text) throw new Refused("FOLD_UNKNOWN");
	return text;
}

/** Entries that go together with one. */
export function unitOf({ steps }: Path, step: Step): Step[] {
	const head = step.asker ?? step;
	return steps.filter((other) => other === step || other === head || other.asker === head);
}
