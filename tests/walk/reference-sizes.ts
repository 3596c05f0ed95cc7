import type { RequestEvent } from "../../events/request.ts";
import type { Valuation } from "../../events/valuation.ts";
import type { Settings } from "../../projections/rules.ts";
import type { Path, RefPlan, Step } from "./reference-path.ts";
import { contentSize } from "./reference-path.ts";
import { compactionOf, type Laid, lay, shows } from "./reference-window.ts";

type Measured = Extract<RequestEvent, { type: "request/measured" }>["data"];

/** What the world told of prices and of what requests took, in the order it came. */
export type Told = { readonly valued: Valuation } | { readonly measured: Measured };

/** What the reference knows beside the path. */
export interface World {
	readonly heeds: boolean;
	readonly settings: Settings;
	readonly told: readonly Told[];
	/** what providers refused, by model */
	readonly refused: ReadonlyMap<string, "keep" | "strip">;
	readonly requests: number;
}

/** Characters and images. */
export interface Size {
	readonly chars: number;
	readonly images: number;
}

/** How many tokens things take, as far as what was measured tells. */
export interface Scale {
	readonly base: number;
	tokens(size: Size): number;
}

/** The scale after everything that was told. */
export function scaleOf(told: readonly Told[]): Scale {
	let [chars, tokens, base] = [0, 0, 0];
	let model: string | undefined;
	let last: { prompt: number; size: Size } | undefined;
	const first = () => (/glm/.test(model ?? "") ? 3.2 : /kimi|gpt/.test(model ?? "") ? 3.5 : 3);
	const rate = () => Math.min(8, Math.max(1.2, (20_000 + chars) / (20_000 / first() + tokens)));
	const count = (size: Size) => size.chars / rate() + size.images * 1_600;
	const turn = (to: string) => {
		if (model === to) return;
		[model, chars, tokens, last] = [to, 0, 0, undefined];
	};
	for (const one of told) {
		if ("valued" in one) {
			turn(one.valued.model);
			continue;
		}
		const { measured } = one;
		const prompt = measured.input + measured.cacheRead + measured.cacheWrite;
		if (prompt === 0) continue;
		turn(measured.model);
		const size = { chars: measured.chars, images: measured.images };
		if (measured.appended && last && size.images === last.size.images) {
			const [grown, growth] = [size.chars - last.size.chars, prompt - last.prompt];
			if (grown >= 400 && growth > 0 && grown / growth >= 1 && grown / growth <= 12) {
				chars += grown;
				tokens += growth;
			}
		}
		last = { prompt, size };
		base = Math.max(0, prompt - count(size));
	}
	return { base, tokens: count };
}

function valuationOf({ told }: World): Valuation | undefined {
	return told.flatMap((one) => ("valued" in one ? [one.valued] : [])).at(-1);
}

/** Tokens a request may hold. */
export function budgetOf(world: World): number {
	const window = valuationOf(world)?.window ?? 200_000;
	return world.settings.inputBudget ?? window - Math.min(16_384, Math.floor(window * 0.1));
}

export function reasoningOf(world: World): "keep" | "strip" {
	const valuation = valuationOf(world);
	return world.refused.get(valuation?.model ?? "") ?? valuation?.reasoning ?? "keep";
}

export function sum(sizes: readonly Size[]): Size {
	let [chars, images] = [0, 0];
	for (const size of sizes) {
		chars += size.chars;
		images += size.images;
	}
	return { chars, images };
}

/** Size of a window by its items, with nothing edited; what the host states again with a summary included. */
export function sizeOf(path: Path, laid: readonly Laid[], heeds: boolean): Size {
	const compaction = compactionOf(path, heeds);
	const patches = path.steps.filter(
		({ at, entry }) => compaction && entry.role === "system" && at < compaction.step.at,
	);
	return sum([...laid, ...patches]);
}

/**
 * Size of the window of a plan: of its items; and of results behind the folds whose call the host hid, which are counted
 * though they are left out.
 */
export function planSize(path: Path, plan: RefPlan, world: World, laid = lay(path, plan, world)): Size {
	const folded = path.cuts[plan.through - 1]?.to ?? -1;
	const isShown = shows(path, world.heeds);
	const edits = new Map<string, Step>();
	for (const step of path.steps) if (step.entry.target) edits.set(step.entry.target, step);
	const orphaned = path.steps
		.filter((step) => step.at > folded && isShown(step) && step.asker && !isShown(step.asker))
		.filter((step) => !isTakenOut(step, edits))
		.map((step) => {
			const clip = plan.clips.get(step.id);
			const edit = edits.get(step.id);
			if (edit) return contentSize(edit.entry.blocks);
			return clip === undefined ? step : { chars: clip.length, images: 0 };
		});
	return sum([sizeOf(path, laid, world.heeds), sum(orphaned)]);
}

/**
 * Whether sizes are told to the character: not where a result came once its call was edited, or stands where the host
 * hid its call, or may be taken to answer another message with a call of the same id.
 */
export function isWeighed({ steps }: Path): boolean {
	const calls = steps.flatMap((step) => [...new Set(step.calls)]);
	if (new Set(calls).size < calls.length && steps.some(({ entry }) => entry.target)) return false;
	return steps.every(({ at, asker }) => {
		const edited = steps.findIndex(({ entry }) => entry.target !== undefined && entry.target === asker?.id);
		if (edited < 0) return true;
		return edited > at && !steps.some(({ entry }) => entry.kind === "compaction");
	});
}

/** Whether edits take a step out, or the call it answers. */
export function isTakenOut(step: Step, edits: ReadonlyMap<string, Step>): boolean {
	if (edits.get(step.id)?.entry.omits) return true;
	const edit = step.asker && edits.get(step.asker.id);
	if (!edit) return false;
	const calls = edit.entry.blocks.flatMap((block) => (block.type === "call" ? [block.callId] : []));
	return edit.entry.omits === true || !calls.includes(step.entry.answers ?? "");
}
