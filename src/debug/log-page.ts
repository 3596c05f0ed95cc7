import type { DomainEvent } from "../../events/catalogue.ts";
import type { RawEvent } from "../store/event-codec.ts";
import type { Store } from "../store/store.ts";
import type { History } from "./history.ts";
import { logLine } from "./log-lines.ts";
import { scanFor } from "./log-scan.ts";
import { isOfTypes } from "./naming.ts";
import { shownLine } from "./screen-text.ts";

/** An event in a line. */
export interface LogRow {
	/** place in the stream */
	readonly position: number;
	/** ms since the epoch */
	readonly time: number;
	readonly actor: string;
	readonly type: string;
	/** what happened, control characters spelt out */
	readonly line: string;
	/** the first request that was sent with it; of what tells of a request, that one; the last one behind all, 0 for none */
	readonly request: number;
	/** whether this release knows its type and version */
	readonly known: boolean;
	/** the tool call or command behind it */
	readonly cause?: string;
}

/** A page of the events that pass a filter, oldest first. */
export interface LogPage {
	/** events that pass; of those that name something or are by someone, as many as were found so far */
	readonly total: number;
	/** index of the first row among those */
	readonly from: number;
	readonly rows: readonly LogRow[];
	/** events of the whole stream by type */
	readonly types: { readonly [type: string]: number };
	/** events looked at so far for those that name something or are by someone, of `events`; absent where neither is asked */
	readonly scanned?: number;
	/** events of the stream */
	readonly events: number;
}

/** Which page of which events. */
export interface LogQuery {
	/** types or nouns; all unless given */
	readonly types?: readonly string[] | undefined;
	/** index of the first row; the last page unless `from` or `around` is given */
	readonly from?: number | undefined;
	/** rows at most */
	readonly limit: number;
	/** the position of an event that is to stand in the middle of the page, or what comes behind its place */
	readonly around?: number | undefined;
	/** only events that name this entry, fold, commit or digest */
	readonly entry?: string | undefined;
	/** only events by this actor */
	readonly actor?: string | undefined;
}

/**
 * A page of a log. What passes a filter by type is known without reading any event, and only those of the page are read.
 * Which events name an entry or are by an actor is not: they are looked for from the beginning, 20,000 events a call, and a later
 * call of the same goes on from there. Throws as `Store.event` and `Store.read` do.
 */
export async function logPage(
	history: History,
	store: Pick<Store, "event" | "readRuns">,
	{ types, from, limit, around, entry, actor }: LogQuery,
): Promise<LogPage> {
	const { events } = history;
	const room = Math.max(0, Math.floor(limit));
	const wanted = types === undefined || types.length === 0 ? undefined : types;
	const enough = (from ?? 0) + room;
	const scan =
		entry === undefined && actor === undefined
			? undefined
			: await scanFor(history, store, { entry, actor, types: wanted, enough });
	const places = scan?.found ?? (wanted && events.positionsOf((type) => isOfTypes(type, wanted)));
	const total = places ? places.length : events.length;
	const first = Math.max(0, Math.min(pageStart(places, { total, from, around, room }), total));
	const rows: LogRow[] = [];
	for (let index = first; index < Math.min(total, first + room); index++) {
		const row = rowAt(history, store, places ? (places[index] as number) : index);
		if (row) rows.push(row);
	}
	const counts = Object.fromEntries(events.counts());
	return {
		total,
		from: first,
		rows,
		types: counts,
		events: events.length,
		...(scan && { scanned: scan.scanned }),
	};
}

function pageStart(
	places: readonly number[] | undefined,
	{
		total,
		from,
		around,
		room,
	}: { total: number; from: number | undefined; around: number | undefined; room: number },
): number {
	if (around === undefined) return from ?? total - room;
	const index = places ? firstAtOrBehind(places, around) : around;
	return Math.min(index - Math.floor(room / 2), total - room);
}

/** Index of the first place at or behind one; their number where none is. */
function firstAtOrBehind(places: readonly number[], place: number): number {
	let [low, high] = [0, places.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((places[middle] as number) < place) low = middle + 1;
		else high = middle;
	}
	return low;
}

function rowAt(history: History, store: Pick<Store, "event">, position: number): LogRow | undefined {
	const unread = history.unreadable.get(position);
	const event = unread ?? store.event(history.stream, position);
	if (!event) return undefined;
	const { at, actor, type, cause } = event;
	const line = unread
		? `(version ${unread.v}, unknown to this release)`
		: logLine({ type, data: (event as RawEvent).data } as DomainEvent);
	const request = unread ? requestAt(history, position) : requestOf(history, event as RawEvent);
	return {
		position,
		time: at,
		actor,
		type,
		line: shownLine(line),
		request,
		known: !unread,
		...(cause !== undefined && { cause }),
	};
}

function requestOf(history: History, { type, data, position }: RawEvent): number {
	if (type.startsWith("request/")) return (data as { request: number }).request;
	return requestAt(history, position);
}

/** The first request that was sent behind a place; the last one where none was. */
function requestAt({ requests }: History, position: number): number {
	let [low, high] = [0, requests.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((requests[middle]?.position as number) < position) low = middle + 1;
		else high = middle;
	}
	return (requests[low] ?? requests.at(-1))?.prepared.request ?? 0;
}
