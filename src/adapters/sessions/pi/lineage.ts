import { IdSet } from "./id-set.ts";
import { asString, type RawEntry } from "./raw-entry.ts";
import { list, type SessionReport } from "./report.ts";
import type { Judge } from "./salvage.ts";

/** Where an entry stands among the others. */
export interface Place {
	readonly id: string;
	readonly parent: string | null;
	/** `compaction`: the first entry kept raw */
	readonly firstKept?: string;
}

/** Gives each entry its id and its parent. Objects are to be shown to it in file order, each once. */
export interface Lineage extends Judge {
	/** Places an entry: the `nth` object of its line, both from 1. */
	place(raw: RawEntry, line: number, nth: number): Place;
	/** Takes note of a whole JSON value that is no entry: a header, or something else. */
	pass(): void;
	/** Takes note of bytes that gave no entry. */
	lose(bytes: Buffer): void;
}

/**
 * Version 1 has no ids and no branches: an entry is called after its line (`line-12`, further objects of that line
 * `line-12.2`) and follows the entry before it. `firstKeptEntryIndex` counts the JSON values of the file from 0, the
 * header included and broken lines left out, as the host's migration does. It differs from the host in one point:
 * the host drops fused lines, while here their objects count, as they did for the process that wrote them. An index at
 * or behind the compaction itself keeps nothing.
 */
export function lineLineage(): Lineage {
	let ordinal = 0;
	let previous: string | null = null;
	const none = new Set<number>();
	// Ordinals are lines shifted by a constant, but for where lines are empty, broken or fused: one run per shift.
	const runs: { ordinal: number; line: number; nth: number }[] = [];
	function idAt(index: number): string | undefined {
		if (none.has(index)) return undefined;
		const run = runs.findLast((candidate) => candidate.ordinal <= index);
		return run && lineId(run.line + index - run.ordinal, run.nth);
	}
	return {
		withIds: false,
		owns: () => false,
		place(raw, line, nth) {
			const last = runs.at(-1);
			if (last === undefined || nth > 1 || last.nth > 1 || line - ordinal !== last.line - last.ordinal) {
				runs.push({ ordinal, line, nth });
			}
			const id = lineId(line, nth);
			const parent = previous;
			const index = raw.type === "compaction" ? raw.firstKeptEntryIndex : undefined;
			const firstKept = typeof index === "number" && index < ordinal ? idAt(index) : undefined;
			ordinal++;
			previous = id;
			return { id, parent, ...(firstKept !== undefined && { firstKept }) };
		},
		pass() {
			none.add(ordinal++);
		},
		lose() {},
	};
}

/** What the host writes first of an entry, so that it is there even where the entry is cut off or broken further on. */
const NAMES = /^\s*\{"type":"[a-z_]+","id":"([^"\\]{1,128})","parentId":(?:"([^"\\]{1,128})"|null),/;

/**
 * Versions 2 and 3 carry ids and parents. The host cuts the path at a parent that it does not know and shows nothing
 * of what came before; here such an entry is put behind the parent of the quarantined entry it names, where that can
 * still be read, else behind the entry before it in the file. So every parent is `null` or an entry that came out
 * earlier, and no path runs in a circle. A second entry of the same id is called `<id>~line-<number>`.
 */
export function treeLineage(report: SessionReport): Lineage {
	const known = new IdSet();
	const lost = new Map<string, string | null>();
	let previous: string | null = null;
	function parentOf(raw: RawEntry, id: string, line: number): string | null {
		const named = asString(raw.parentId);
		if (raw.parentId === null || named === "") return null;
		if (named !== undefined && known.has(named)) return named;
		const heir = named === undefined ? undefined : lost.get(named);
		const parent = heir === undefined ? previous : heir;
		const by = heir === undefined ? "previous" : "quarantined";
		list(report, report.reparented, { line, id, ...(named !== undefined && { named }), parent, by });
		return parent;
	}
	return {
		withIds: true,
		// A nested copy of some other session's entry has its parent elsewhere.
		owns({ parentId }, found, prefix) {
			const parent = asString(parentId);
			if (parent === undefined) return false;
			return known.has(parent) || found.some(({ id }) => id === parent) || namesOf(prefix)?.id === parent;
		},
		place(raw, line, nth) {
			const own = asString(raw.id) || lineId(line, nth);
			const isKnown = known.has(own);
			const id = isKnown ? `${own}~${lineId(line, nth)}` : own;
			if (isKnown) list(report, report.repeated, { line, id: own, renamed: id });
			const parent = raw.parentId === previous ? previous : parentOf(raw, id, line);
			known.add(id);
			previous = id;
			const firstKept = raw.type === "compaction" ? asString(raw.firstKeptEntryId) : undefined;
			return { id, parent, ...(firstKept !== undefined && { firstKept }) };
		},
		pass() {},
		lose(bytes) {
			const names = namesOf(bytes);
			if (names === undefined || known.has(names.id)) return;
			const { id, parent } = names;
			if (parent === null || known.has(parent)) lost.set(id, parent);
			else lost.set(id, lost.get(parent) ?? previous);
		},
	};
}

function namesOf(bytes: Buffer): { id: string; parent: string | null } | undefined {
	const [, id, parent] = NAMES.exec(bytes.toString("utf8", 0, 1024)) ?? [];
	return id === undefined ? undefined : { id, parent: parent ?? null };
}

function lineId(line: number, nth: number): string {
	return nth === 1 ? `line-${line}` : `line-${line}.${nth}`;
}
