import type { History, PastStep, PastTurn } from "./history.ts";
import { count } from "./numbers.ts";

/** What a mark of a timeline tells of. */
export type MarkKind =
	| "commit"
	| "undo"
	| "expand"
	| "refold"
	| "pin"
	| "unpin"
	| "mark"
	| "brief"
	| "compaction"
	| "leaf"
	| "fork"
	| "pause"
	| "model"
	| "observed";

/** Something that befell the window, as a timeline shows it. */
export interface TimelineMark {
	readonly kind: MarkKind;
	/** first request that shows it; one beyond the last where none was made since */
	readonly request: number;
	readonly position: number;
	/** of a decision, or of the host's compaction entry */
	readonly id?: string;
	readonly label: string;
	readonly actor: string;
	/** tokens it freed, as quoted */
	readonly freed?: number;
	/** what it was quoted to cost, in the unit of its quote */
	readonly cost?: number;
}

type Decision = History["decisions"][number];

/**
 * Everything that befell the window while requests `from` to `to` were made, in the order it happened; of the last of all
 * also what came behind it. O(marks).
 */
export function marksOf(history: History, from: number, to: number): TimelineMark[] {
	const inRange = ({ after }: PastStep) =>
		after + 1 >= from && (after + 1 <= to || (after >= history.requests.length && to >= after));
	const marks = [
		...history.decisions.filter(inRange).map(decisionMark),
		...history.turns.filter(inRange).flatMap((turn) => turnMark(turn) ?? []),
		...branchMarks(history, from, to),
		...modelMarks(history, from, to),
	];
	return marks.sort((a, b) => a.position - b.position);
}

/** What befell the window behind one request and before another, what came behind the last of all left out. */
export function marksBetween(history: History, before: number, request: number): TimelineMark[] {
	return marksOf(history, before + 1, request).filter((mark) => mark.request <= request);
}

function decisionMark({ event, position, actor, after }: Decision): TimelineMark {
	const placed = { request: after + 1, position, id: event.data.id, actor };
	switch (event.type) {
		case "commit/applied": {
			const { trigger, cut, quote } = event.data;
			return {
				...placed,
				kind: "commit",
				label: `${trigger}, through cut ${cut}`,
				freed: quote.freed,
				cost: quote.cost,
			};
		}
		case "commit/undone": {
			const label = `takes back ${count(event.data.decisions.length, "decision")}`;
			return { ...placed, kind: "undo", label, ...quoted(event.data) };
		}
		case "fold/expanded":
			return { ...placed, kind: "expand", label: event.data.fold, ...quoted(event.data) };
		case "fold/refolded":
			return { ...placed, kind: "refold", label: event.data.fold, ...quoted(event.data) };
		case "pin/placed": {
			const label = count(event.data.entries.length, "entry");
			return { ...placed, kind: "pin", label, ...quoted(event.data) };
		}
		case "pin/lifted":
			return { ...placed, kind: "unpin", label: count(event.data.entries.length, "entry") };
		case "mark/withdrawn":
			return { ...placed, kind: "mark", label: `${count(event.data.cuts.length, "cut")} to stay raw` };
		case "mark/recut":
			return { ...placed, kind: "mark", label: `${count(event.data.cuts.length, "cut")} drawn anew` };
		case "brief/supplied":
			return { ...placed, kind: "brief", label: event.data.fold };
		default:
			return event satisfies never;
	}
}

function quoted({ quote }: { readonly quote: { readonly freed: number; readonly cost: number } }) {
	return { freed: quote.freed, cost: quote.cost };
}

function turnMark({ event, position, actor, after }: PastTurn): TimelineMark | undefined {
	const placed = { request: after + 1, position, actor };
	switch (event.type) {
		// what comes of it is told when it comes
		case "compaction/intercepted":
			return undefined;
		case "compaction/checkpointed": {
			const { entry, reason, manifest } = event.data;
			const label = `checkpoint, ${count(manifest.entries, "entry")} out of the window (${reason})`;
			return { ...placed, kind: "compaction", id: entry, label };
		}
		case "compaction/summarised": {
			const { entry, by } = event.data;
			const label = `summary by ${by === "host" ? "the host" : "another extension"}`;
			return { ...placed, kind: "compaction", id: entry, label };
		}
		case "compaction/failed":
			return { ...placed, kind: "compaction", label: event.data.aborted ? "stopped" : "failed" };
		case "engine/suspended":
			return { ...placed, kind: "pause", label: `${event.data.mode}: ${event.data.why}` };
		case "engine/resumed":
			return { ...placed, kind: "pause", label: "folding goes on" };
		case "session/leafMoved":
			return { ...placed, kind: "leaf", label: `to ${event.data.leaf ?? "the root"}` };
		case "session/forked":
			return { ...placed, kind: "fork", label: `from ${event.data.from}` };
		case "commit/observed": {
			const { trigger, cut, quote } = event.data;
			const label = `${trigger} would fold through cut ${cut}`;
			return { ...placed, kind: "observed", label, freed: quote.freed, cost: quote.cost };
		}
		default:
			return event satisfies never;
	}
}

/** Where a window goes on from another entry and no event says that the leaf moved: a session file tells it by its entries. */
function branchMarks({ requests, turns }: History, from: number, to: number): TimelineMark[] {
	const told = new Set(
		turns.flatMap(({ event, after }) => (event.type === "session/leafMoved" ? after : [])),
	);
	return requests.slice(Math.max(0, from - 1), to).flatMap(({ prepared, position }): TimelineMark[] => {
		const { request, leaf, change } = prepared;
		if (change?.cause !== "leaf" || told.has(request - 1)) return [];
		return [{ kind: "leaf", request, position, label: `to ${leaf ?? "the root"}`, actor: "host" }];
	});
}

/** Where another model answers than before; the first one is no change. */
function modelMarks({ requests }: History, from: number, to: number): TimelineMark[] {
	const marks: TimelineMark[] = [];
	for (let index = Math.max(1, from - 1); index < Math.min(to, requests.length); index++) {
		const { prepared, position } = requests[index] as History["requests"][number];
		const before = requests[index - 1]?.prepared.model;
		if (prepared.model === before) continue;
		const label = `${before} → ${prepared.model}`;
		marks.push({ kind: "model", request: prepared.request, position, label, actor: "host" });
	}
	return marks;
}

/** Kinds of which very many may come. */
const MANY = new Set<MarkKind>(["leaf", "mark"]);

/**
 * Marks with neighbours of a kind of which very many may come made one, which says how many it is, as far as it takes
 * to leave no more than `most` of them; no other is touched.
 */
export function fewerMarks(marks: readonly TimelineMark[], most: number): readonly TimelineMark[] {
	const many = marks.filter(({ kind }) => MANY.has(kind)).length;
	if (many <= most) return marks;
	const run = Math.ceil(many / most);
	const fewer: TimelineMark[] = [];
	let open: TimelineMark[] = [];
	const close = () => {
		const [first] = open;
		if (first) fewer.push(open.length === 1 ? first : { ...first, label: `${open.length} × ${first.kind}` });
		open = [];
	};
	for (const mark of marks) {
		const joins = MANY.has(mark.kind) && mark.kind === open[0]?.kind && open.length < run;
		if (!joins) close();
		if (MANY.has(mark.kind)) open.push(mark);
		else fewer.push(mark);
	}
	close();
	return fewer;
}
