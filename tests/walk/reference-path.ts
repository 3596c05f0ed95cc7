import { createHash } from "node:crypto";
import type { Settings } from "../../projections/rules.ts";
import type { Block, TranscriptEntry } from "../../projections/transcript.ts";
import { textsOf } from "./reference-texts.ts";

/** An entry as it was recorded: with the rules of that moment, and the decision whose node it is. */
export interface Known {
	readonly entry: TranscriptEntry;
	readonly digest: string;
	readonly rules: Settings;
	readonly made: Made | undefined;
}

/** A decision as the reference understands it: what it leaves in force, and the cuts where it draws them. */
export interface Made {
	readonly kind: string;
	/** its name in the log; taken from there */
	name: string;
	readonly before: RefPlan;
	readonly after: RefPlan;
	/** all cuts of the path before and after it, where it changes them */
	readonly cuts: { readonly before: readonly RefCut[]; readonly after: readonly RefCut[] } | undefined;
	/** how many taken back: an undo */
	readonly takes?: number;
}

/** What is in force: everything spelled out. */
export interface RefPlan {
	/** decisions in force, oldest first */
	readonly chain: readonly Made[];
	readonly commit: Made | undefined;
	/** leaf at which that commit was decided */
	readonly commitLeaf: string | null;
	/** how many cuts are folded */
	readonly through: number;
	readonly held: ReadonlySet<string>;
	/** opened folds, and after how many requests they were */
	readonly expanded: ReadonlyMap<string, number>;
	readonly clips: ReadonlyMap<string, string>;
	readonly reasoning: "keep" | "strip";
	/** whether it clips otherwise than the settings say */
	readonly isEmergency: boolean;
	readonly receipt: { readonly text: string; readonly plain: string | undefined } | undefined;
	readonly pins: ReadonlySet<string>;
	readonly withdrawn: ReadonlySet<string>;
	readonly texts: ReadonlyMap<string, RefText>;
}

export const NOTHING: RefPlan = {
	chain: [],
	commit: undefined,
	commitLeaf: null,
	through: 0,
	held: new Set(),
	expanded: new Map(),
	clips: new Map(),
	reasoning: "keep",
	isEmergency: false,
	receipt: undefined,
	pins: new Set(),
	withdrawn: new Set(),
	texts: new Map(),
};

/** A text written for the cuts from one number to another. */
export interface RefText {
	readonly fold: string;
	readonly level: number;
	readonly first: number;
	readonly last: number;
	readonly text: string;
	/** whether that is so: edits had it written anew in a way that is not worked out here */
	readonly isKnown: boolean;
	readonly entries: number;
	readonly brief: unknown;
}

/** A cut: from one place of the path to another. Its number is its place in the list, from 1. */
export interface RefCut {
	readonly id: string;
	readonly from: number;
	readonly to: number;
	readonly texts: readonly RefText[];
}

/** An entry on a path. */
export interface Step {
	readonly at: number;
	readonly id: string;
	readonly entry: TranscriptEntry;
	readonly digest: string;
	readonly fate: "sent" | "silent" | "failed" | "orphan";
	/** speaks, and is no system message and no summary of the host's: part of a stretch */
	readonly foldable: boolean;
	readonly chars: number;
	readonly thinking: number;
	readonly images: number;
	readonly calls: readonly string[];
	/** a result that was waited for: the message that made the call */
	readonly asker: Step | undefined;
	readonly isPeek: boolean;
	readonly isKept: boolean;
	/** the decision whose node it is */
	readonly made: Made | undefined;
}

/** Everything there is to know at a leaf. */
export interface Path {
	readonly leaf: string | null;
	readonly steps: readonly Step[];
	readonly cuts: readonly RefCut[];
	readonly plan: RefPlan;
	/** calls that wait at the leaf */
	readonly open: readonly string[];
}

export function sha(text: string | Uint8Array): string {
	return createHash("sha256").update(text).digest("hex");
}

/** Texts by the cut they were written for: once, on whichever branch it closed first. */
export type Rendered = Map<string, readonly RefText[]>;

/** Walks a path from its root, and says what it comes to. */
export function walk(known: readonly Known[], rendered: Rendered): Path {
	const steps: Step[] = [];
	let cuts: RefCut[] = [];
	let plan = NOTHING;
	let open: string[] = [];
	let opener: Step | undefined;
	let from: number | undefined;
	let chars = 0;
	/** the cuts and briefs there are at each entry */
	const passed: string[] = [];
	for (const [at, { entry, digest, rules, made }] of known.entries()) {
		const step = stepOf({ entry, digest, rules, made, at }, open, opener);
		steps.push(step);
		const close = (to: number) => {
			// where other cuts or briefs stand before it than at its end, it has another name than elsewhere
			const apart =
				passed[to] !== undefined && passed[to] !== standingBefore(cuts, plan) ? `~${step.id}` : "";
			const id = `f${cuts.length + 1}-${steps[to]?.id}${apart}`;
			const cut = { id, from: from ?? to, to };
			const texts = rendered.get(id) ?? textsOf(steps, cuts, cut, plan, rules);
			rendered.set(id, texts);
			cuts = [...cuts, { ...cut, texts }];
			from = undefined;
			chars = 0;
		};
		if (step.fate === "sent" && step.entry.role !== "result" && open.length > 0 && from !== undefined) {
			const last = steps.slice(0, at).findLast(({ foldable }) => foldable);
			if (chars >= rules.minFoldChars && last) close(last.at);
		}
		if (step.fate === "sent") {
			if (entry.role === "result") open = open.filter((call) => call !== entry.answers);
			else {
				open = [...step.calls];
				opener = step;
			}
		}
		if (step.foldable) {
			from ??= at;
			chars += step.chars;
			if (step.fate === "sent" && open.length === 0 && chars >= rules.minFoldChars) close(at);
		}
		if (made) {
			plan = made.after;
			if (made.cuts) cuts = [...made.cuts.after];
		}
		passed.push(standingBefore(cuts, plan));
	}
	return { leaf: steps.at(-1)?.id ?? null, steps, cuts, plan, open };
}

function standingBefore(cuts: readonly RefCut[], { texts }: RefPlan): string {
	return JSON.stringify([
		cuts.map(({ id }) => id),
		[...texts].map(([fold, { text }]) => [fold, text]).sort(),
	]);
}

function stepOf(
	{ entry, digest, rules, made, at }: Known & { at: number },
	open: readonly string[],
	opener: Step | undefined,
): Step {
	const { role, kind } = entry;
	const calls = entry.blocks.filter((block) => block.type === "call");
	let fate: Step["fate"] = "sent";
	if (role === undefined || entry.hidden || kind === "compaction") fate = "silent";
	else if (entry.stop === "aborted" || entry.stop === "error") fate = "failed";
	else if (role === "result" && !open.includes(entry.answers ?? "\n")) fate = "orphan";
	const asker = fate === "sent" && role === "result" ? opener : undefined;
	const named = rules.keepRaw ?? [];
	const peeks = (asker?.entry.blocks ?? []).filter(
		(block) => block.type === "call" && block.tool === "pi_fold_context" && block.callId === entry.answers,
	);
	return {
		at,
		made,
		id: entry.id,
		entry,
		digest,
		fate,
		foldable: role !== undefined && role !== "system" && kind !== "compaction",
		...contentSize(fate === "sent" || kind === "compaction" ? entry.blocks : []),
		calls: fate === "sent" ? calls.map(({ callId }) => callId) : [],
		asker,
		isPeek: peeks.length > 0,
		isKept: fate === "sent" && (asker?.isKept ?? calls.some(({ tool }) => named.includes(tool))),
	};
}

/** Size of content: characters, those of thinking among them, and images. */
export function contentSize(blocks: readonly Block[]): { chars: number; thinking: number; images: number } {
	let [chars, thinking, images] = [0, 0, 0];
	for (const block of blocks) {
		if (block.type === "image") images++;
		else if (block.type === "call") chars += block.tool.length + JSON.stringify(block.args).length;
		else chars += block.text.length;
		if (block.type === "thinking") thinking += block.text.length;
	}
	return { chars, thinking, images };
}

/** A decision that changes what is in force on a path, and the cuts where `cuts` are given. */
export function decided(path: Path, kind: string, change: Partial<RefPlan>, cuts?: readonly RefCut[]): Made {
	const before = path.plan;
	const made = {
		kind,
		name: "",
		before,
		after: before,
		cuts: cuts && { before: path.cuts, after: cuts },
	};
	return Object.assign(made, { after: { ...before, ...change, chain: [...before.chain, made] } });
}
