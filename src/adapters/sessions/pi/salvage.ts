import { asRawEntry, kindOfType, looksLikeEntry, type RawEntry } from "./raw-entry.ts";

/** A whole entry that stands in a broken piece. */
export interface Salvaged {
	readonly raw: RawEntry;
	/** index of its first byte in the piece */
	readonly start: number;
	/** index behind its last byte */
	readonly end: number;
}

/** Knows what an entry of this session looks like. */
export interface Judge {
	/** whether entries have ids */
	readonly withIds: boolean;
	/**
	 * Whether an object is an entry of this session although it stands where one nested in a cut entry could: behind
	 * `prefix` and the entries already found in the same piece.
	 */
	owns(raw: RawEntry, found: readonly RawEntry[], prefix: Buffer): boolean;
}

/** Every entry and header starts with its type, as the host writes them. */
const ENTRY_HEAD = new RegExp(`\\{\\s*"type"\\s*:\\s*"(?:session|${[...kindOfType.keys()].join("|")})"`, "g");

/** Times a piece may be walked through before the rest of it is given up: keeps hostile nesting linear. */
const MAX_PASSES = 16;

/**
 * Finds the entries that stand whole in a piece that is not JSON: `{…}{…}`, or a cut prefix glued to a whole object.
 *
 * An object nested in a broken one is no entry. What follows an object decides: inside JSON a value is followed by a
 * comma or a closing bracket, while a fused entry is followed by the piece's end or by another opening brace. Only at
 * the beginning of a line, or right behind another entry, may anything follow. That leaves a line cut exactly behind a
 * nested object, against one cut exactly where a value was to come and fused there: `judge` decides.
 */
export function salvage(bytes: Buffer, opensLine: boolean, judge: Judge): Salvaged[] {
	const text = bytes.toString("latin1");
	const found: Salvaged[] = [];
	let walk = MAX_PASSES * text.length;
	let top = opensLine ? skipSpace(text, 0) : -1;
	let behind = 0;
	for (const head of text.matchAll(ENTRY_HEAD)) {
		const start = head.index;
		if (start < behind) continue;
		const end = closeOf(text, start);
		walk -= (end ?? text.length) - start;
		if (walk < 0) break;
		if (end === undefined) continue;
		const follows = skipSpace(text, end);
		if (start !== top && follows < text.length && text[follows] !== "{") continue;
		const raw = parseEntry(bytes, start, end, judge.withIds);
		if (raw === undefined) continue;
		if (start !== top && awaitsValue(text, behind, start)) {
			const earlier = found.map((entry) => entry.raw);
			if (!judge.owns(raw, earlier, bytes.subarray(behind, start))) continue;
		}
		found.push({ raw, start, end });
		behind = end;
		top = follows;
	}
	return found;
}

function parseEntry(bytes: Buffer, start: number, end: number, withIds: boolean): RawEntry | undefined {
	try {
		const raw = asRawEntry(JSON.parse(bytes.toString("utf8", start, end)));
		return raw !== undefined && looksLikeEntry(raw, withIds) ? raw : undefined;
	} catch {
		return undefined;
	}
}

/** Index behind the brace that closes the one at `start`, strings respected; `undefined` where none does. */
function closeOf(text: string, start: number): number | undefined {
	let depth = 0;
	let quoted = false;
	for (let i = start; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (quoted) {
			if (code === 92) i++;
			else if (code === 34) quoted = false;
		} else if (code === 34) quoted = true;
		else if (code === 123) depth++;
		else if (code === 125 && --depth === 0) return i + 1;
	}
	return undefined;
}

/** Whether JSON that began at `from` could go on with a value at `to`. */
function awaitsValue(text: string, from: number, to: number): boolean {
	let quoted = false;
	let last = "";
	for (let i = from; i < to; i++) {
		const char = text.charAt(i);
		if (quoted && char === "\\") i++;
		else if (char === '"') quoted = !quoted;
		if (char !== " ") last = char;
	}
	return !quoted && (last === ":" || last === "," || last === "[");
}

function skipSpace(text: string, from: number): number {
	let i = from;
	while (i < text.length && " \t\r".includes(text.charAt(i))) i++;
	return i;
}

/** Why a piece is not JSON: an escape that JSON does not know, an end that came too soon, or neither. */
export function flawOf(bytes: Buffer): "bad-escape" | "truncated" | "malformed" {
	const text = bytes.toString("latin1");
	if (/(?<!\\)(?:\\\\)*\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})[\s\S]/.test(text)) return "bad-escape";
	const start = text.indexOf("{");
	return start !== -1 && closeOf(text, start) === undefined ? "truncated" : "malformed";
}
