import { receiptText } from "../../src/engine/receipt.ts";
import { rendererOf } from "../../src/engine/renderer.ts";
import { clipText, releasedText } from "../../src/engine/texts.ts";
import {
	type Candidate,
	candidateAt,
	candidateThrough,
	clippable,
	standingCount,
	staysOpen,
	usuallyClipped,
} from "./reference-candidates.ts";
import { decided, type Made, type Path } from "./reference-path.ts";
import { reasoningOf, type World } from "./reference-sizes.ts";

/** A commit to a candidate that clips what the settings say, or what is given. */
export function commit(
	path: Path,
	world: World,
	{ through, held, expanded }: Candidate,
	clipped = clippable(path, world, through),
): Made {
	const clips = new Map<string, string>();
	let released = 0;
	for (const step of clipped) {
		const text = step.isPeek ? releasedText(step.entry) : clipText(step.entry);
		if (step.images === 0 && text.length >= step.chars) continue;
		clips.set(step.id, text);
		if (step.isPeek) released++;
	}
	const { plan } = path;
	const renderer = rendererOf(world.settings.briefs);
	const waiting = world.settings.postFoldNotice ? path.cuts.slice(through) : [];
	const told = new Map(waiting.map(({ id, texts }) => [id, renderer.brief(texts[0]?.brief)]));
	const facts = {
		folded: Math.max(0, through - plan.through),
		standing: standingCount(path, through, { expanded, held }),
		clipped: clips.size - released,
		released,
		unbriefed: waiting.flatMap(({ id }) => (plan.texts.has(id) ? [] : [{ fold: id, brief: id }])),
	};
	const text = receiptText(facts, (id) => told.get(id) ?? "");
	const plain = receiptText({ ...facts, unbriefed: [] }, () => "");
	const usual = usuallyClipped(path, world, through);
	const made = decided(path, "commit", {
		commitLeaf: path.leaf,
		through,
		held,
		expanded,
		clips,
		isEmergency: usual.length !== clipped.length || usual.some((step) => !clipped.includes(step)),
		reasoning: reasoningOf(world),
		receipt: through > 0 ? { text, plain: plain === text ? undefined : plain } : undefined,
		withdrawn: new Set(path.cuts.slice(through).flatMap(({ id }) => (plan.withdrawn.has(id) ? [id] : []))),
	});
	return Object.assign(made, { after: { ...made.after, commit: made } });
}

/** A commit because one was asked for; nothing where nothing new can be folded. */
export function commitNow(path: Path, world: World): Made | undefined {
	const candidate = candidateAt(path, world);
	return candidate && candidate.through > path.plan.through ? commit(path, world, candidate) : undefined;
}

/** A commit through one cut, with what usually stays open. */
export function commitThrough(path: Path, world: World, through: number): Made {
	const open = staysOpen(path, world, through, path.plan);
	return commit(path, world, candidateThrough(path, world, through, open));
}
