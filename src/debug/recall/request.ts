import {
	parseQuery,
	type QueryToken,
	type RecallQuery,
	tokensOf,
} from "../../../projections/recall/query.ts";
import { wholeIn } from "./whole-in.ts";

/** What recall does; `search` unless asked for another. */
export const RECALL_ACTIONS = ["search", "list", "read", "summary", "summary_search"] as const;

/** One of {@link RECALL_ACTIONS}. */
type RecallAction = (typeof RECALL_ACTIONS)[number];

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
}

/** Entries on a page unless asked otherwise, and at most. */
const LIMIT = { otherwise: 8, least: 1, most: 30 };

/** What a field may hold that says nothing. */
type Fields = { readonly [field: string]: unknown };

/**
 * A request from the fields of a call, whatever they hold: numbers that are none or out of reach are the defaults, what is
 * not known is passed over, quotes around a file and lists of ids in one text are taken apart. Ids make it a `read`. Filters stand in fields of their own or in `query`; a field wins.
 */
export function requestOf(fields: Fields): RecallRequest {
	const { entryIds, file, kind, sourceClass, action, scope } = fields;
	const ids = unique((Array.isArray(entryIds) ? entryIds : [entryIds]).flatMap(textIn).flatMap(idsIn));
	const typed = parseQuery(textIn(fields.query)[0] ?? "");
	const given = RECALL_ACTIONS.find((known) => known === action) ?? "search";
	const slice = sliceOf(fields);
	const all = sourceClass === "all" ? withoutClass(typed) : typed;
	return {
		action: ids.length > 0 && (given === "search" || given === "list") ? "read" : given,
		query: {
			...all,
			...named("file", typeof file === "string" ? unquoted(file) : file),
			...named("kind", kind),
			...((sourceClass === "primary" || sourceClass === "derived") && { sourceClass }),
		},
		ids,
		page: wholeIn(fields.page, { otherwise: 1, least: 1 }),
		limit: wholeIn(fields.limit, { ...LIMIT, otherwise: ids.length > 0 ? LIMIT.most : LIMIT.otherwise }),
		raw: fields.raw === true || fields.raw === "true",
		...(slice && { slice }),
		scope: scope === "all" ? "all" : "active-lineage",
	};
}

/**
 * A request as it is typed: the grammar of queries and `ids:a,b`, `page:`, `limit:`, `raw`, `offset:`, `rawLimit:`,
 * `action:`, `scope:`. `list` alone is the action, and so is `read` before ids. What is not known is looked for.
 */
export function typedRequest(typed: string): RecallRequest {
	const fields: { [field: string]: unknown } = {};
	const rest: QueryToken[] = [];
	for (const token of tokensOf(typed)) {
		const field = fieldOf(token);
		if (field) Object.assign(fields, field);
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
	switch (key) {
		case undefined:
			return typed === "raw" ? { raw: true } : undefined;
		case "ids":
			return { entryIds: value.split(",") };
		case "page":
		case "limit":
		case "offset":
			return { [key]: value };
		case "rawlimit":
			return { rawLimit: value };
		case "raw":
			return /^(?:true|1|false|0)$/.test(value) ? { raw: value === "true" || value === "1" } : undefined;
		case "action":
			return RECALL_ACTIONS.some((known) => known === value) ? { action: value } : undefined;
		case "scope":
			return value === "all" || value === "active-lineage" ? { scope: value } : undefined;
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

function named(field: "file" | "kind", value: unknown): Partial<RecallQuery> {
	const [text] = textIn(value);
	return text === undefined ? {} : { [field]: text };
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
