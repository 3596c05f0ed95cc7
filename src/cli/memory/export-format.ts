import type { RawEvent } from "../../store/event-codec.ts";
import { sha256Node } from "../../store/hash.ts";
import type { Store } from "../../store/store.ts";
import { storedText } from "../../store/stored-text.ts";
import { recordMadeBy } from "./new-record.ts";

/** What the header of an export says it is. */
export const EXPORT_FORMAT = "palimpsest-memory";
/** The version of the format that this release writes and reads. */
export const EXPORT_VERSION = 1;

/** The first line of an export. */
interface ExportHeader {
	readonly format: typeof EXPORT_FORMAT;
	readonly v: number;
	/** the stream the events stand in */
	readonly stream: string;
	/** hash of the last event, hex SHA-256 */
	readonly head: string;
	readonly events: number;
	readonly texts: number;
	/** records whose text is not in it: it was destroyed, or the store has lost it */
	readonly shredded: number;
	readonly missing: number;
	/** of the lines behind it: see {@link digestOf} */
	readonly digest: string;
}

/** Hex SHA-256 over the lines behind a header, as JSON without blanks, a line feed behind each: however they were written. */
export function digestOf(lines: readonly unknown[]): string {
	return sha256Node(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
}

/** An event as a line of an export: what people read first, what proves it last. */
interface ExportLine {
	readonly position: number;
	/** ISO 8601; ms since the epoch where that cannot say it */
	readonly at: string | number;
	readonly actor: string;
	readonly type: string;
	/** the text of the record it makes */
	readonly text?: string;
	/** why there is no text of that record */
	readonly gone?: "shredded" | "missing";
	/** schema version of `data` */
	readonly v: number;
	readonly data: unknown;
	readonly cause?: string;
	readonly proof: ExportProof;
}

/** What proves an event. */
interface ExportProof {
	readonly stream: string;
	/** SHA-256 of the bytes, hex */
	readonly hash: string;
	/** the event's bytes as they are stored, base64 */
	readonly stored: string;
	/** id of the key its seal was made with, and the seal: base64 */
	readonly key?: string;
	readonly tag?: string;
}

/** An export as lines, the header first, and its counts. */
export interface Export {
	readonly header: ExportHeader;
	readonly lines: readonly ExportLine[];
}

/** Everything in a stream of memory. The same stream gives the same export. Throws as `Store.readRuns` does. */
export async function exportOf(store: Store, stream: string): Promise<Export> {
	const events: RawEvent[] = [];
	for await (const run of store.readRuns(stream, { onUnreadable: (raw) => void events.push(raw) }))
		events.push(...run);
	events.sort((a, b) => a.position - b.position);
	const shredded = new Set(
		events.flatMap(({ type, data }) =>
			type === "payload/shredded" ? (data as { readonly contents: readonly string[] }).contents : [],
		),
	);
	const lines = events.map((event) => lineOf(event, store, shredded));
	const header: ExportHeader = {
		format: EXPORT_FORMAT,
		v: EXPORT_VERSION,
		stream,
		head: store.head(stream).hash,
		events: lines.length,
		texts: lines.filter(({ text }) => text !== undefined).length,
		shredded: lines.filter(({ gone }) => gone === "shredded").length,
		missing: lines.filter(({ gone }) => gone === "missing").length,
		digest: digestOf(lines),
	};
	return { header, lines };
}

function lineOf(event: RawEvent, store: Store, shredded: ReadonlySet<string>): ExportLine {
	const { stream, position, at, actor, type, v, data, cause, hash } = event;
	const { stored = new Uint8Array(), seal } = store.sealed(stream, position) ?? {};
	return {
		position,
		at: Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : at,
		actor,
		type,
		...textPart(event, store, shredded),
		v,
		data,
		...(cause !== undefined && { cause }),
		proof: {
			stream,
			hash,
			stored: Buffer.from(stored).toString("base64"),
			...(seal && { key: seal.key, tag: Buffer.from(seal.tag).toString("base64") }),
		},
	};
}

function textPart(
	event: RawEvent,
	store: Store,
	shredded: ReadonlySet<string>,
): Pick<ExportLine, "text" | "gone"> {
	const body = recordMadeBy(event)?.body;
	if (body === undefined) return {};
	if (shredded.has(body)) return { gone: "shredded" };
	const text = storedText(store, body);
	return text === undefined ? { gone: "missing" } : { text };
}
