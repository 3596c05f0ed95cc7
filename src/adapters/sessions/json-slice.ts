/**
 * The bytes of a field's value in a JSON object, exactly as they stand there; `undefined` where the object has no such
 * field. Of a repeated field the last counts, as with `JSON.parse`. The bytes must be a whole JSON object.
 */
export function fieldBytes(json: Uint8Array, field: string): Uint8Array | undefined {
	let found: Uint8Array | undefined;
	let at = skipSpace(json, 0) + 1;
	for (;;) {
		at = skipSpace(json, at);
		if (json[at] !== QUOTE) return found;
		const keyEnd = endOfString(json, at);
		const key: unknown = JSON.parse(textOf(json.subarray(at, keyEnd)));
		const start = skipSpace(json, skipSpace(json, keyEnd) + 1);
		const end = endOfValue(json, start);
		if (key === field) found = json.subarray(start, end);
		at = skipSpace(json, end);
		if (json[at] !== COMMA) return found;
		at += 1;
	}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);

function endOfValue(json: Uint8Array, start: number): number {
	let depth = 0;
	for (let at = start; at < json.length; at++) {
		const byte = json[at] as number;
		if (byte === QUOTE) {
			at = endOfString(json, at) - 1;
			if (depth === 0) return at + 1;
		} else if (OPENING.has(byte)) depth += 1;
		else if (CLOSING.has(byte)) {
			if (depth === 0) return at;
			depth -= 1;
			if (depth === 0) return at + 1;
		} else if (depth === 0 && (byte === COMMA || SPACE.has(byte))) return at;
	}
	return json.length;
}

function endOfString(json: Uint8Array, start: number): number {
	for (let at = start + 1; at < json.length; at++) {
		if (json[at] === BACKSLASH) at += 1;
		else if (json[at] === QUOTE) return at + 1;
	}
	return json.length;
}

function skipSpace(json: Uint8Array, from: number): number {
	let at = from;
	while (at < json.length && SPACE.has(json[at] as number)) at += 1;
	return at;
}

function textOf(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}
