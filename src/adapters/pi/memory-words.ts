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
