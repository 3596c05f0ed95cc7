import { isErrorLine } from "./error-lines.ts";
import type { Category, Evidence } from "./evidence.ts";
import { kept } from "./keep.ts";
import { fileRun } from "./runs.ts";

/**
 * Evidence of stretches of one path, oldest first, as one: what came again stands once, where it came last; a run tells
 * of errors of earlier runs of the same whether they went away; a list written anew takes the place of the old one. At
 * most so many pieces are kept. A pure function of its arguments.
 */
export function accumulated(parts: readonly (readonly Evidence[])[], most: number): Evidence[] {
	const sum = new Accumulated();
	for (const part of parts) for (const evidence of part) sum.take(evidence);
	return kept(sum.all(), { most });
}

class Accumulated {
	/** by what makes a piece the same as another, oldest first */
	readonly pieces = new Map<string, Evidence>();
	/** how many were left out before pieces that stand elsewhere by now */
	readonly #adrift = new Map<Category, number>();
	/** names of errors, by the digest of the run they came from */
	readonly #errors = new Map<string, Set<string>>();

	take(evidence: Evidence): void {
		const { category, text } = evidence;
		const name = nameOf(evidence);
		if (category === "read" && this.pieces.has(`changed\n${text}`)) {
			this.#setAdrift(evidence);
			this.#judge(evidence, fileRun("read", text));
			return;
		}
		if (category === "changed") this.#remove(`read\n${text}`);
		if (category === "tests") this.#remove(`command\n${evidence.digest}`);
		this.#remove(name);
		const left = (this.#adrift.get(category) ?? 0) + (evidence.left ?? 0);
		this.#adrift.delete(category);
		this.pieces.set(name, left > 0 ? { ...evidence, left } : evidence);
		if (category === "error") this.#remember(evidence.of ?? "", name);
		else if (category === "changed" || category === "read") this.#judge(evidence, fileRun(category, text));
		else if (category === "command" || category === "tests") this.#judge(evidence, evidence.digest ?? "");
	}

	/** All pieces, oldest first. */
	all(): Evidence[] {
		const pieces = [...this.pieces.values()];
		for (const [category, adrift] of this.#adrift) {
			const at = pieces.findLastIndex((piece) => piece.category === category);
			const last = pieces[at];
			if (last) pieces[at] = { ...last, left: (last.left ?? 0) + adrift };
		}
		return pieces;
	}

	#remove(name: string): void {
		const piece = this.pieces.get(name);
		if (piece) this.#setAdrift(piece);
		this.pieces.delete(name);
	}

	#setAdrift({ category, left = 0 }: Evidence): void {
		if (left > 0) this.#adrift.set(category, (this.#adrift.get(category) ?? 0) + left);
	}

	#remember(run: string, name: string): void {
		const names = this.#errors.get(run) ?? new Set();
		this.#errors.set(run, names.add(name));
	}

	/** Notes of the errors of earlier runs whether a later one shows them. */
	#judge(run: Evidence, of: string): void {
		for (const name of this.#errors.get(of) ?? []) {
			const error = this.pieces.get(name);
			if (!error || error.entry === run.entry) continue;
			const left = judged(error, run);
			if (left !== error) this.pieces.set(name, left);
		}
	}
}

/** An error after a later run of what it came from. */
function judged(error: Evidence, run: Evidence): Evidence {
	if (run.category === "changed" || run.category === "read") return { ...error, gone: run.entry };
	if (run.failed === undefined) return error;
	if (run.shows?.includes(error.digest ?? "")) {
		const { gone: _, ...still } = error;
		return still;
	}
	const { passed = 0, failed = 0 } = run.counts ?? {};
	const isPassed = run.failed === false && (run.piped !== true || (passed > 0 && failed === 0));
	const isUnseen = run.as === error.as && run.showsMore !== true && isErrorLine(error.text);
	return isPassed || isUnseen ? { ...error, gone: run.entry } : error;
}

/** What makes a piece the same as another. */
function nameOf({ category, entry, text, digest, of }: Evidence): string {
	switch (category) {
		case "goal":
			return `goal\n${entry}`;
		case "error":
			return `error\n${of}\n${digest}`;
		case "command":
		case "tests":
			return `${category}\n${digest}`;
		case "open":
			return of === undefined ? `open\n${text.toLowerCase()}` : `list\n${of}`;
		case "decision":
			return `decision\n${text.toLowerCase()}`;
		case "changed":
		case "read":
			return `${category}\n${text}`;
		default:
			return category satisfies never;
	}
}
