import { RECALL_ACTIONS, type RecallAction } from "../../../projections/recall/actions.ts";
import {
	kindIn,
	parseQuery,
	type QueryToken,
	type RecallQuery,
	tokensOf,
} from "../../../projections/recall/query.ts";
import { unheededIn } from "./unheeded.ts";
import { wholeIn } from "./whole-in.ts";

/** A part of one entry's JSON, in UTF-16 code units. */
export interface RawSlice {
	/** from 0 */
	readonly offset: number;
	/** at most so many; as many as there is room for unless given */
	readonly limit?: number;
}

/** What someone asks of recall. */
export interface RecallRequest {
	readonly action: RecallAction;
	readonly query: RecallQuery;
	/** `read`: entries by their ids */
	readonly ids: readonly string[];
	/** from 1 */
	readonly page: number;
	/** entries on a page */
	readonly limit: number;
	/** entries as JSON, exact */
	readonly raw: boolean;
	/** absent where an entry is wanted whole */
	readonly slice?: RawSlice;
	/** `all`: every branch, for who may look there */
	readonly scope: "active-lineage" | "all";
	/** sentences on fields and filters that have a value they cannot have: they do not count */
	readonly unheeded: readonly string[];
}

/** Entries on a page unless asked otherwise, and at most. */
const LIMIT = { otherwise: 8, least: 1, most: 30 };

/** Fields of a call, whatever they hold. */
type Fields = { readonly [field: string]: unknown };

/**
 * A request from the fields of a call, whatever they hold: what has a value it cannot have is the default, which is told;
 * what is not known is passed over, quotes around a file and lists of ids in one text are taken apart. Ids make it a `read`. Filters stand in fields of their own or in `query`; a field wins.
 */
export function requestOf(fields: Fields): RecallRequest {
	const { entryIds, file, kind, sourceClass, action, scope } = fields;
	const ids = unique((Array.isArray(entryIds) ? entryIds : [entryIds]).flatMap(textIn).flatMap(idsIn));
	const { unheeded = [], ...typed } = parseQuery(textIn(fields.query)[0] ?? "");
	const given = RECALL_ACTIONS.find((known) => known === action) ?? "search";
	const slice = sliceOf(fields);
	const all = sourceClass === "all" ? withoutClass(typed) : typed;
	return {
		action: ids.length > 0 && (given === "search" || given === "list") ? "read" : given,
		query: {
			...all,
			...fileIn(file),
			...kindIn(kind),
			...((sourceClass === "primary" || sourceClass === "derived") && { sourceClass }),
		},
		ids,
		page: wholeIn(fields.page, { otherwise: 1, least: 1 }),
		limit: wholeIn(fields.limit, { ...LIMIT, otherwise: ids.length > 0 ? LIMIT.most : LIMIT.otherwise }),
		raw: fields.raw === true || fields.raw === "true",
		...(slice && { slice }),
		scope: scope === "all" ? "all" : "active-lineage",
		unheeded: [...unheededIn(fields), ...unheeded],
	};
}

/** Tells of a piece of what was typed whether it may steer the request. */
type IsRead = (token: QueryToken) => boolean;

/**
 * A request as it is typed: the grammar of queries and `ids:a,b`, `page:`, `limit:`, `raw`, `offset:`, `rawLimit:`,
 * `action:`, `scope:`. `list` alone is the action, and so is `read` before ids. What is not known, or is a key without a
 * value, is looked for, and so is of these what `isRead` says no to.
 */
export function typedRequest(typed: string, isRead: IsRead = () => true): RecallRequest {
	const fields: { [field: string]: unknown } = {};
	const rest: QueryToken[] = [];
	for (const token of tokensOf(typed)) {
		const field = fieldOf(token);
		if (field && isRead(token)) Object.assign(fields, field);
		else rest.push(token);
	}
	const [first] = rest;
	const words = rest.filter(({ key, isQuoted }) => key === undefined && !isQuoted);
	const isAction =
		first !== undefined &&
		words.length === 1 &&
		words[0] === first &&
		(first.typed === "list" || (first.typed === "read" && fields.entryIds !== undefined));
	if (isAction) fields.action ??= rest.shift()?.typed;
	return requestOf({ ...fields, query: rest.map(({ typed }) => typed).join(" ") });
}

function fieldOf({ key, value, typed }: QueryToken): Fields | undefined {
	if (key !== undefined && value === "") return undefined;
	switch (key) {
		case undefined:
			return typed === "raw" ? { raw: true } : undefined;
		case "ids":
			return { entryIds: value.split(",") };
		case "page":
		case "limit":
		case "offset":
		case "action":
		case "scope":
			return { [key]: value };
		case "rawlimit":
			return { rawLimit: value };
		case "raw":
			return { raw: { 1: true, 0: false }[value] ?? value };
		default:
			return undefined;
	}
}

/** A slice, where a field asks for one. */
function sliceOf({ offset, rawLimit }: Fields): RawSlice | undefined {
	const from = wholeIn(offset, { otherwise: -1, least: 0 });
	const limit = wholeIn(rawLimit, { otherwise: 0, least: 1 });
	if (from === -1 && limit === 0) return undefined;
	return { offset: Math.max(0, from), ...(limit > 0 && { limit }) };
}

/** Whether there is nothing to search for: filters alone but for a path do for a list. */
export function saysNothing({ words, phrases, file }: RecallQuery): boolean {
	return words.length + phrases.length === 0 && file === undefined;
}

function fileIn(value: unknown): Partial<RecallQuery> {
	const [file] = textIn(typeof value === "string" ? unquoted(value) : value);
	return file === undefined ? {} : { file };
}

/** A value that was put in quotes as in a typed query, though a field needs none. */
function unquoted(value: string): string {
	return value.trim().replace(/^(["'`])(.*)\1$/s, "$2");
}

/** The ids in a text, which may be a list as JSON or with commas. */
function idsIn(text: string): string[] {
	return text.split(/[\s,"'[\]]+/).filter((id) => id !== "");
}

function withoutClass({ sourceClass: _, ...query }: RecallQuery): RecallQuery {
	return query;
}

function textIn(value: unknown): string[] {
	return typeof value === "string" && value.trim() !== "" ? [value.trim()] : [];
}

function unique(ids: readonly string[]): string[] {
	return [...new Set(ids)];
}
