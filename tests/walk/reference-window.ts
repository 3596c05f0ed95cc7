import { contentSize, type Path, type RefPlan, type RefText, type Step, sha } from "./reference-path.ts";
import { standing } from "./reference-texts.ts";

/** One thing in a window, by the name it has in the window's digest and the one it has in a proof. */
export interface Laid {
	readonly key: string;
	readonly proof: string;
	readonly chars: number;
	readonly images: number;
	/** the entry it is */
	readonly step?: Step;
	/** the text it is */
	readonly text?: RefText;
}

/** How a window is laid out. */
export interface LayOptions {
	readonly heeds: boolean;
	/** without what the host compacted and edited, or with the latter as it was */
	readonly without?: "both" | "edits";
}

/** What the host's last compaction on a path leaves: from which place on it shows entries. */
export function compactionOf({ steps }: Path, heeds: boolean): { step: Step; from: number } | undefined {
	const step = heeds ? steps.findLast(({ entry }) => entry.kind === "compaction") : undefined;
	if (!step) return undefined;
	const first = steps.slice(0, step.at).find(({ id }) => id === step.entry.firstKept);
	return { step, from: first?.at ?? step.at };
}

/** Whether the host shows an entry. */
export function shows(path: Path, heeds: boolean): (step: Step) => boolean {
	const compaction = compactionOf(path, heeds);
	return ({ at, entry }) =>
		!compaction || (entry.role === "system" ? at > compaction.step.at : at >= compaction.from);
}

/** The window at a leaf, entry by entry. */
export function lay(path: Path, plan: RefPlan, { heeds, without }: LayOptions): Laid[] {
	const bare = without === "both";
	const compaction = bare ? undefined : compactionOf(path, heeds);
	const isShown = bare ? () => true : shows(path, heeds);
	const edits = new Map<string, Step>();
	if (!without) for (const step of path.steps) if (step.entry.target) edits.set(step.entry.target, step);
	const laid: Laid[] = [];
	if (compaction) laid.push(entryItem(compaction.step, "e"));

	/** which text covers an entry, by its place */
	const cover = new Map<number, { text: RefText; open: boolean }>();
	const parts = standing(path.cuts, plan.through, plan);
	for (const part of parts) {
		const from = path.cuts[part.text.first - 1]?.from ?? 0;
		const to = path.cuts[part.text.last - 1]?.to ?? 0;
		for (let at = from; at <= to; at++) cover.set(at, part);
	}
	const folded = path.cuts[plan.through - 1]?.to ?? -1;
	const first = path.cuts[0]?.from ?? 0;
	const stripped = plan.reasoning === "strip" ? path.steps.findIndex(({ id }) => id === plan.commitLeaf) : -1;

	const waiting: string[] = [];
	const answer = () => {
		for (const call of new Set(waiting.splice(0)))
			laid.push({ key: `a ${call}`, proof: `a ${call}`, chars: 0, images: 0 });
	};
	const raw = (step: Step) => {
		const edit = edits.get(step.id);
		if (step.fate !== "sent" || !isShown(step) || edit?.entry.omits) return;
		if (step.entry.role === "result") {
			const at = waiting.indexOf(step.entry.answers ?? "");
			if (at < 0) return;
			for (let n = at; n >= 0; n = waiting.indexOf(step.entry.answers ?? "")) waiting.splice(n, 1);
		} else {
			answer();
			waiting.push(...(edit ? callsOf(edit) : step.calls));
		}
		const clip = plan.clips.get(step.id);
		if (edit)
			laid.push({
				...entryItem(step, "r"),
				...contentSize(edit.entry.blocks),
				key: `r ${step.id} ${edit.digest}`,
				proof: `r ${step.id} ${edit.id}`,
			});
		else if (clip !== undefined) {
			const key = `c ${step.id} ${sha(clip)}`;
			laid.push({ key, proof: key, chars: clip.length, images: 0, step });
		} else laid.push(entryItem(step, step.at <= stripped && step.thinking > 0 ? "u" : "e"));
	};
	const covered = compaction ? parts.filter((part) => isCovering(path, part.text, compaction.from)) : parts;
	const lastText = covered.findLast(({ text, open }) => !open && hides(path, plan, text));
	const held = path.steps.filter(({ id, at }) => at <= folded && plan.held.has(id));

	for (const step of held) if (step.at < first) raw(step);
	answer();
	let done = first - 1;
	for (const part of covered) {
		const from = path.cuts[part.text.first - 1]?.from ?? 0;
		const to = path.cuts[part.text.last - 1]?.to ?? 0;
		if (part.open) {
			for (const step of held) if (step.at > done && step.at < from) raw(step);
			answer();
			for (const step of path.steps.slice(from, to + 1))
				if (step.entry.role !== "system" || plan.held.has(step.id)) raw(step);
		} else {
			if (hides(path, plan, part.text)) {
				const { fold, text } = part.text;
				const key = `f ${fold} ${isKnownAt(path, part.text) ? sha(text) : "?"}`;
				laid.push({ key, proof: key, chars: text.length, images: 0, text: part.text });
				if (part === lastText && plan.receipt !== undefined) {
					const said = receiptAt(path, plan) ?? "";
					const shown = `s receipt ${sha(said)}`;
					laid.push({ key: shown, proof: shown, chars: said.length, images: 0 });
				}
			}
			for (const step of held) if (step.at > done && step.at <= to) raw(step);
		}
		answer();
		done = to;
	}
	for (const step of path.steps) if (step.at > folded) raw(step);
	answer();
	return laid;
}

/** Which text of a plan stands for an entry of the stretches it folds; where its cut is open, none. */
export function coverOf(path: Path, plan: RefPlan): Map<string, string> {
	const covers = new Map<string, string>();
	for (const { text, open } of standing(path.cuts, plan.through, plan)) {
		const from = path.cuts[text.first - 1]?.from ?? 0;
		const to = path.cuts[text.last - 1]?.to ?? 0;
		for (const { id, foldable } of path.steps.slice(from, to + 1))
			if (foldable && !open && hides(path, plan, text)) covers.set(id, text.fold);
	}
	return covers;
}

/** A window with the texts that edits had written anew, as another tells of them. */
export function filled(laid: readonly Laid[], others: readonly { key: string; chars: number }[]): Laid[] {
	return laid.map((one, n) => {
		const other = others[n];
		if (!one.key.endsWith(" ?") || !other?.key.startsWith(one.key.slice(0, -1))) return one;
		return { ...one, key: other.key, proof: other.key, chars: other.chars };
	});
}

/** The digest of a window. */
export function digestOf(laid: readonly Laid[]): string {
	let digest = sha("palimpsest window 1");
	for (const { key } of laid) digest = sha(`${digest} ${key}`);
	return digest;
}

function isCovering(path: Path, text: RefText, from: number): boolean {
	return (path.cuts[text.last - 1]?.to ?? -1) >= from;
}

/** The places of what a text stands for. */
export function spanOf({ cuts }: Path, { first, last }: RefText): { from: number; to: number } {
	return { from: cuts[first - 1]?.from ?? 0, to: cuts[last - 1]?.to ?? -1 };
}

/** Whether a text is as it was written: nothing it stands for was edited behind it. */
function isKnownAt(path: Path, text: RefText): boolean {
	const { from, to } = spanOf(path, text);
	const told = new Set(path.steps.slice(from, to + 1).map(({ id }) => id));
	return (
		text.isKnown && !path.steps.slice(to + 1).some(({ entry }) => entry.target && told.has(entry.target))
	);
}

/** Whether a text stands for something that is left and not raw all the same. */
export function hides(path: Path, { held }: Pick<RefPlan, "held">, text: RefText): boolean {
	const { from, to } = spanOf(path, text);
	const edits = new Map<string, boolean>();
	for (const { entry } of path.steps) if (entry.target) edits.set(entry.target, entry.omits === true);
	return path.steps
		.slice(from, to + 1)
		.some(({ id, fate, foldable }) => fate === "sent" && foldable && !edits.get(id) && !held.has(id));
}

/** What a commit tells: plainly, once something that was raw at it was edited. */
function receiptAt({ steps, cuts }: Path, { receipt, commitLeaf, commit }: RefPlan): string | undefined {
	const decided = steps.findIndex(({ id }) => id === commitLeaf);
	const folded = cuts[(commit?.after.through ?? 0) - 1]?.to ?? -1;
	const raw = new Set(
		steps
			.slice(folded + 1, decided + 1)
			.flatMap(({ id, fate, entry }) => (fate === "sent" && entry.role !== "system" ? [id] : [])),
	);
	const isEdited = steps.slice(decided + 1).some(({ entry }) => entry.target && raw.has(entry.target));
	return isEdited && receipt?.plain !== undefined ? receipt.plain : receipt?.text;
}

function callsOf({ entry }: Step): string[] {
	return entry.blocks.flatMap((block) => (block.type === "call" ? [block.callId] : []));
}

function entryItem(step: Step, form: "e" | "u" | "r"): Laid {
	const { id, digest, chars, thinking, images } = step;
	const rest = { chars: form === "u" ? chars - thinking : chars, images, step };
	return { key: `${form} ${id} ${digest}`, proof: `${form} ${id}`, ...rest };
}
