import type { MemoryKind } from "../../../events/memory.ts";
import { isRecordId, type MemoryStatus } from "../../../projections/memory/record.ts";
import { wholeIn } from "../../debug/recall/whole-in.ts";
import { among, idsIn, KINDS, misreadIn, type Piece, piecesOf, STATUSES } from "./memory-words.ts";

/** What `/memories` was told. */
export type TypedListing =
	| { readonly asks: "trust"; readonly ids: readonly string[]; readonly isAll: boolean }
	| { readonly asks: "record"; readonly id: string }
	| {
			readonly asks: "list";
			readonly status?: MemoryStatus;
			readonly kind?: MemoryKind;
			readonly words: string;
			/** from 1 */
			readonly page: number;
			/** words that look like options and have a value these cannot have */
			readonly misread: readonly string[];
	  };

/** What `/forget` was told. */
export interface TypedForget {
	readonly does: "forget" | "undo" | "shred";
	readonly ids: readonly string[];
	/** whether `yes` was said beforehand */
	readonly isSure: boolean;
	/** what means nothing here */
	readonly unknown: readonly string[];
}

/** `trust` with ids or `all`; or one id; or `status:`, `kind:`, `page:` and words. What an option cannot hold is a word. */
export function typedListing(typed: string): TypedListing {
	const pieces = piecesOf(typed);
	const [first, ...others] = pieces;
	const words = others.flatMap(({ typed }) => idsIn(typed));
	if (first?.typed === "trust" && words.every((word) => word === "all" || isRecordId(word)))
		return { asks: "trust", ids: words.filter(isRecordId), isAll: words.includes("all") };
	const id = first && others.length === 0 ? idIn(first) : undefined;
	return id === undefined ? listing(pieces) : { asks: "record", id };
}

function listing(pieces: readonly Piece[]): TypedListing {
	const fields: { status?: MemoryStatus; kind?: MemoryKind; page?: number } = {};
	const words = pieces.filter(({ key, value }) => {
		const status = key === "status" ? among(STATUSES, value) : undefined;
		const kind = key === "kind" ? among(KINDS, value) : undefined;
		const page = key === "page" ? wholeIn(value, { otherwise: 0, least: 1 }) : 0;
		if (status) fields.status = status;
		if (kind) fields.kind = kind;
		if (page > 0) fields.page = page;
		return !status && !kind && page === 0;
	});
	const misread = misreadIn(words, ["status", "kind", "page"]);
	return { asks: "list", page: 1, ...fields, words: words.map(({ typed }) => typed).join(" "), misread };
}

function idIn({ key, value, typed, isQuoted }: Piece): string | undefined {
	if (key === "id" || key === "recordid") return value;
	return key === undefined && !isQuoted && isRecordId(typed) ? typed : undefined;
}

/** An id or several, or `undo:ID` or `shred:ID`; a space will do for the colon, and commas between ids. */
export function typedForget(typed: string): TypedForget {
	let does: TypedForget["does"] = "forget";
	let isSure = false;
	const ids: string[] = [];
	const unknown: string[] = [];
	for (const { key, value, typed: word } of piecesOf(typed)) {
		if (word === "undo" || word === "shred") does = word;
		else if (word === "yes") isSure = true;
		else if (key === "undo" || key === "shred") {
			does = key;
			ids.push(...idsIn(value));
		} else if (key === "id" || key === "recordid") ids.push(...idsIn(value));
		else if (idsIn(word).every(isRecordId)) ids.push(...idsIn(word));
		else unknown.push(word);
	}
	return { does, ids: [...new Set(ids)], isSure, unknown };
}
