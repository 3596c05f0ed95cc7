import type { SeenEntry, SeenLog, SeenText } from "./window-check-log.ts";
import type { SeenPlan } from "./window-check-plans.ts";

/** What the edits on one path do to it, by reading the path itself. */
export class SeenEdits {
	private readonly log: SeenLog;
	private readonly path: readonly SeenEntry[];
	/** oldest first */
	private readonly all: readonly SeenEntry[];
	private readonly newest = new Map<string, SeenEntry>();

	/** `path` leads from the root to the leaf; what it grows by edits nothing. */
	constructor(log: SeenLog, path: readonly SeenEntry[]) {
		this.log = log;
		this.path = path;
		const all: SeenEntry[] = [];
		for (let edit = path.at(-1)?.lastEdit; edit; edit = edit.parent?.lastEdit) {
			all.push(edit);
			if (edit.target !== undefined && !this.newest.has(edit.target)) this.newest.set(edit.target, edit);
		}
		this.all = all.reverse();
	}

	/** The edit that holds for an entry. */
	of(id: string): SeenEntry | undefined {
		return this.newest.get(id);
	}

	/** A text as edits put others in its place. */
	leaving(written: SeenText): SeenText {
		let left = written;
		for (const { id } of this.all) left = this.log.rewrittenBy(id)?.get(left.text) ?? left;
		return left;
	}

	/** The newest edit below a stretch of the path, by depths, of a message in it. */
	newestOf(from: number, to: number): SeenEntry | undefined {
		return this.all.findLast(({ depth, target = null }) => {
			const edited = this.log.of(target);
			if (!edited || depth <= to || this.path[edited.depth] !== edited) return false;
			return isToldOf(edited) && edited.depth >= from && edited.depth <= to;
		});
	}

	/** The receipt there is to be: plain where something that was said before it, which it may quote, was edited since. */
	receiptOf(plan: SeenPlan | undefined): string | undefined {
		const { receipt, parent = null } = plan ?? {};
		const isEdited = this.newestOf(0, this.log.of(parent)?.depth ?? -1) !== undefined;
		return (isEdited ? receipt?.plain : undefined) ?? receipt?.text;
	}

	/** Whether edits took out every message of a stretch of the path but some. */
	tookAllBut(some: ReadonlySet<string>, from: number, to: number): boolean {
		for (let at = from; at <= to; at++) {
			const entry = this.path[at];
			if (entry && isToldOf(entry) && !some.has(entry.id) && !this.newest.get(entry.id)?.omits) return false;
		}
		return true;
	}
}

/** Whether a fold's text tells of an entry: a message a model would be sent, whose call was made if it is a result. */
function isToldOf({ speaks, role, asker }: SeenEntry): boolean {
	return speaks && role !== "system" && (role !== "result" || asker !== undefined);
}
