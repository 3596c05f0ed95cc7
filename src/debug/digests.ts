/** Digits of a digest that are printed at least, and may stand for it. */
const FEWEST = 12;

/** Whether an id may be the beginning of a SHA-256. */
export function isShortDigest(id: string): boolean {
	return id.length >= FEWEST && id.length < 64 && /^[0-9a-f]+$/.test(id);
}

/** Whether a text is a SHA-256 that begins so. */
export function isDigestOf(text: string, short: string): boolean {
	return text.length === 64 && text.startsWith(short) && /^[0-9a-f]+$/.test(text);
}
