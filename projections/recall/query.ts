import { DOCUMENT_ROLES, RECALL_KINDS, type RecallKind, type SourceClass } from "./document.ts";
import { timeIn } from "./time.ts";
import { unheededSentence } from "./unheeded.ts";

/** What is looked for. All filters must hold; words and phrases are searched. */
export interface RecallQuery {
	/** words as they were typed, not all of them required */
	readonly words: readonly string[];
	/** texts that must stand in the document as they are, but for capitals and spacing */
	readonly phrases: readonly string[];
	/** part of a path, capitals and all */
	readonly file?: string;
	readonly kind?: RecallKind;
	readonly tool?: string;
	readonly role?: string;
	/** ms since the epoch, both ends included */
	readonly since?: number;
	readonly until?: number;
	/** primary and derived unless given */
	readonly sourceClass?: SourceClass;
	/** whether what the model thought is searched too */
	readonly thinking: boolean;
	/** sentences on filters that have a value they cannot have, and so do not count; absent where there are none */
	readonly unheeded?: readonly string[];
}

/** A piece of a typed query: `key:value`, `"quoted"` or a word. */
export interface QueryToken {
	/** what stands before the colon, in lower case; absent for words and quotations */
	readonly key?: string;
	/** without its quotes */
	readonly value: string;
	readonly isQuoted: boolean;
	/** as it was typed */
	readonly typed: string;
}

/** The pieces of a typed query. A value with spaces in it stands in double quotes, as does a phrase. */
export function tokensOf(typed: string): QueryToken[] {
	return [...typed.matchAll(TOKEN)].map(([whole, key, quoted, bare]) => ({
		...(key !== undefined && { key: key.toLowerCase() }),
		value: quoted ?? bare ?? "",
		isQuoted: quoted !== undefined,
		typed: whole,
	}));
}

/**
 * Reads a typed query: words, `"phrases"`, `file:`, `kind:`, `tool:`, `role:`, `since:` and `until:` (ISO 8601, UTC unless
 * it says otherwise; a day as `until:` is meant whole), `sourceClass:primary|derived|all`, `thinking:true`. Of a repeated
 * key the last counts. A key that is not known or has no value is text; one with a value it cannot have is not heeded, which
 * is told.
 */
export function parseQuery(typed: string): RecallQuery {
	return queryOf(tokensOf(typed));
}

/** The query that pieces make; see {@link parseQuery}. */
function queryOf(tokens: readonly QueryToken[]): RecallQuery {
	const words: string[] = [];
	const phrases: string[] = [];
	const unheeded: string[] = [];
	let filters: Partial<RecallQuery> = {};
	for (const token of tokens) {
		const filter = token.key === undefined ? undefined : filterOf(token.key, token.value, token.typed);
		if (typeof filter === "string") unheeded.push(filter);
		else if (filter) filters = { ...filters, ...filter };
		else if (token.key === undefined && token.isQuoted) {
			if (token.value.trim() !== "") phrases.push(token.value);
		} else words.push(token.typed);
	}
	return { words, phrases, thinking: false, ...filters, ...(unheeded.length > 0 && { unheeded }) };
}

/** `key:"value"`, `"phrase"` or anything up to a space; a quote that is never closed is a letter. */
const TOKEN = /(?:([A-Za-z]+):)?(?:"([^"]*)"(?!\S)|(\S+))/g;

/** What a key and its value filter by, or the sentence on why they do not; `undefined` where they are text. */
function filterOf(key: string, value: string, typed: string): Partial<RecallQuery> | string | undefined {
	if (value === "") return undefined;
	switch (key) {
		case "file":
			return { file: value };
		case "kind":
			return kindIn(value) ?? unheededSentence(key, typed);
		case "tool":
			return { tool: value };
		case "role":
			return DOCUMENT_ROLES.some((role) => role === value) ? { role: value } : unheededSentence(key, typed);
		case "since":
		case "until": {
			const at = timeIn(value, key === "until");
			return at === undefined ? unheededSentence(key, typed) : { [key]: at };
		}
		case "sourceclass":
			if (value === "primary" || value === "derived") return { sourceClass: value };
			return value === "all" ? {} : unheededSentence(key, typed);
		case "thinking":
			if (!/^(?:true|1|yes|false|0|no)$/.test(value)) return unheededSentence(key, typed);
			return { thinking: /^[t1y]/.test(value) };
		default:
			return undefined;
	}
}

/** The filter for one of the kinds; `undefined` where a value is none. */
export function kindIn(value: unknown): Pick<RecallQuery, "kind"> | undefined {
	const kind = RECALL_KINDS.find((known) => known === value);
	return kind && { kind };
}
