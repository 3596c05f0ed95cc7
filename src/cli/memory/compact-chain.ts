import { sha256Node } from "../../store/hash.ts";
import { isFields, type JsonLine, type Refused } from "./brought.ts";

/** An event of pi-compact's log of memory. */
export interface CompactEvent {
	readonly seq: number;
	/** ISO 8601 */
	readonly ts: string;
	readonly type: string;
	readonly recordId: string;
	readonly prevHash: string;
	readonly hash: string;
	readonly author: "user" | "model" | "rule";
	readonly sessionId?: string;
	readonly payload: { readonly [key: string]: unknown };
}

/** An event with its line. */
export interface CompactLine {
	readonly line: number;
	readonly event: CompactEvent;
}

/** The part of a log that its chain vouches for, and the lines behind it. */
export interface CompactChain {
	readonly trusted: readonly CompactLine[];
	readonly refused: readonly Refused[];
}

const TEXTS = ["ts", "type", "recordId", "prevHash", "hash"] as const;

/** Whether a line is an event of pi-compact's log of memory. */
export function isOfCompact(value: unknown): value is CompactEvent {
	if (!isFields(value) || !isFields(value.payload)) return false;
	const { seq, author, recordId, sessionId } = value;
	return (
		typeof seq === "number" &&
		TEXTS.every((field) => typeof value[field] === "string") &&
		recordId !== "" &&
		(author === "user" || author === "model" || author === "rule") &&
		(sessionId === undefined || typeof sessionId === "string")
	);
}

/**
 * The events up to the first that does not follow the one before it: counted from 1 without a gap, each with the hash of
 * the one before it and its own. Nothing vouches for what stands behind. Lines that are no JSON were left out before.
 */
export function compactChain(lines: readonly JsonLine[]): CompactChain {
	const trusted: CompactLine[] = [];
	const refused: Refused[] = [];
	let previous = "";
	let end: number | undefined;
	for (const { line, value } of lines) {
		const fault = end === undefined ? faultOf(value, trusted.length + 1, previous) : undefined;
		if (fault === undefined && end === undefined) {
			const event = value as CompactEvent;
			previous = event.hash;
			trusted.push({ line, event });
			continue;
		}
		refused.push({ line, why: fault ?? `it stands behind line ${end}, at which the chain is broken` });
		end ??= line;
	}
	return { trusted, refused };
}

function faultOf(value: unknown, seq: number, previous: string): string | undefined {
	if (!isOfCompact(value)) return "it is no event of pi-compact's memory";
	if (value.seq !== seq) return `the chain is broken: event ${value.seq} stands where ${seq} should`;
	if (value.prevHash !== previous) return "the chain is broken: it does not follow the event before it";
	return hashOf(value) === value.hash ? undefined : "the chain is broken: it is not what was written";
}

/** The hash pi-compact gives an event: SHA-256 over its JSON with keys in order. */
export function hashOf({
	seq,
	ts,
	type,
	recordId,
	prevHash,
	author,
	sessionId = "",
	payload,
}: Omit<CompactEvent, "hash">): string {
	const fields = { seq, ts, type, recordId, prevHash, author, sessionId, payload };
	return sha256Node(Buffer.from(JSON.stringify(inOrder(fields))));
}

function inOrder(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(inOrder);
	if (!isFields(value)) return value;
	return Object.fromEntries(
		Object.keys(value)
			.sort()
			.map((key) => [key, inOrder(value[key])]),
	);
}
