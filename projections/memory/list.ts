import type { MemoryKind } from "../../events/memory.ts";
import { hasAuthority, type Memory, type MemoryRecord, type MemoryStatus } from "./record.ts";

/** How long a provisional record by a model or a rule stays in the lists after its last change, ms: 30 days. */
export const PROVISIONAL_MS = 30 * 86_400_000;

/** Whose eyes and what time a list is for. */
export interface Viewing {
	/** the session that looks; records of other sessions are not there for it */
	readonly session: string | undefined;
	/** ms since the epoch */
	readonly now: number;
}

/** Which records are asked for. */
export interface MemoryFilter {
	readonly status?: MemoryStatus;
	readonly kind?: MemoryKind;
}

const STATUS_ORDER: readonly MemoryStatus[] = ["pinned", "active", "provisional", "superseded", "resolved"];
const PRIORITY_ORDER: readonly MemoryRecord["priority"][] = ["high", "normal", "low"];
const AUTHOR_ORDER: readonly MemoryRecord["author"][] = ["user", "model", "rule"];

/** A record by its id, where the session that looks may see it. */
export function recordFor(
	memories: readonly Memory[],
	id: string,
	session: string | undefined,
): MemoryRecord | undefined {
	for (const { records } of memories) {
		const record = records.get(id);
		if (record && isVisible(record, session)) return record;
	}
	return undefined;
}

/**
 * The records of some memories, in the usual order: by status, priority, author, newest change, id. Without a status
 * those that are pinned, active or provisional and not expired; with one all of that status.
 */
export function listed(
	memories: readonly Memory[],
	{ session, now }: Viewing,
	{ status, kind }: MemoryFilter = {},
): MemoryRecord[] {
	const found: MemoryRecord[] = [];
	for (const { records } of memories) {
		for (const record of records.values()) {
			if (!isVisible(record, session)) continue;
			if (kind !== undefined && record.kind !== kind) continue;
			if (status === undefined ? isCurrent(record, now) : record.status === status) found.push(record);
		}
	}
	return found.sort(inUsualOrder);
}

/** Whether a record has left the lists because nobody confirmed it in time. */
export function isExpired({ status, author, updatedAt }: MemoryRecord, now: number): boolean {
	return status === "provisional" && author !== "user" && now - updatedAt > PROVISIONAL_MS;
}

/**
 * The records that reach the model by themselves, in the order they are told: pinned ones first, then by priority, the
 * newest change first.
 */
export function authoritative(memories: readonly Memory[], session: string | undefined): MemoryRecord[] {
	return memories
		.flatMap(({ records }) => [...records.values()])
		.filter((record) => hasAuthority(record) && isVisible(record, session))
		.sort(
			(a, b) =>
				STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) ||
				PRIORITY_ORDER.indexOf(a.priority) - PRIORITY_ORDER.indexOf(b.priority) ||
				b.updatedAt - a.updatedAt ||
				b.position - a.position ||
				byCodeUnit(a.id, b.id),
		);
}

/** Whether a session may see a record. */
export function isVisible({ scope, session }: MemoryRecord, viewer: string | undefined): boolean {
	return scope === "workspace" || (session !== undefined && session !== "" && session === viewer);
}

function isCurrent(record: MemoryRecord, now: number): boolean {
	const { status } = record;
	if (record.isShredded || status === "superseded" || status === "resolved") return false;
	return !isExpired(record, now);
}

function inUsualOrder(a: MemoryRecord, b: MemoryRecord): number {
	return (
		STATUS_ORDER.indexOf(a.status) - STATUS_ORDER.indexOf(b.status) ||
		PRIORITY_ORDER.indexOf(a.priority) - PRIORITY_ORDER.indexOf(b.priority) ||
		AUTHOR_ORDER.indexOf(a.author) - AUTHOR_ORDER.indexOf(b.author) ||
		b.updatedAt - a.updatedAt ||
		byCodeUnit(a.id, b.id)
	);
}

function byCodeUnit(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}
