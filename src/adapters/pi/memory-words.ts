import { type QueryToken, tokensOf } from "../../../projections/recall/query.ts";

/** What a record may be, and how it may stand, as words of commands and tools. */
export const KINDS = ["fact", "preference", "constraint", "decision", "working", "derived"] as const;
export const STATUSES = ["pinned", "active", "provisional", "superseded", "resolved"] as const;
export const SCOPES = ["workspace", "session"] as const;
export const PRIORITIES = ["low", "normal", "high"] as const;

/** A piece of what was typed, and where it stands there. */
export interface Piece extends QueryToken {
	readonly at: number;
	readonly end: number;
}

/** The pieces of what was typed, as queries have them. */
export function piecesOf(typed: string): Piece[] {
	let end = 0;
	return tokensOf(typed).map((token) => {
		const at = typed.indexOf(token.typed, end);
		end = at + token.typed.length;
		return { ...token, at, end };
	});
}

/** What options of one word of several may hold, and a page. */
const TAKES: { readonly [key: string]: string } = {
	kind: KINDS.join(", "),
	status: STATUSES.join(", "),
	scope: SCOPES.join(", "),
	priority: PRIORITIES.join(", "),
	page: "a number from 1",
};

/** The pieces that give such an option a value it cannot have, among some options. */
export function misreadIn(pieces: readonly Piece[], keys: readonly string[]): string[] {
	const wrong = pieces.filter(({ key, value, isQuoted }) => {
		return key !== undefined && value !== "" && !isQuoted && keys.includes(key);
	});
	return wrong.map(({ typed }) => typed);
}

/** What such a piece should have been. */
export function takesWords(typed: string): string {
	const key = typed.slice(0, typed.indexOf(":")).toLowerCase();
	return `${key}: takes ${TAKES[key]}`;
}

/** The word among others that a value is. */
export function among<const Words extends readonly string[]>(
	words: Words,
	value: unknown,
): Words[number] | undefined {
	return words.find((word) => word === value);
}

/** The ids between commas. */
export function idsIn(listed: string): string[] {
	return listed.split(",").filter((id) => id !== "");
}
