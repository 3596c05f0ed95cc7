import { RECALL_ACTIONS } from "../../../projections/recall/actions.ts";
import { kindIn } from "../../../projections/recall/query.ts";
import { unheededSentence } from "../../../projections/recall/unheeded.ts";
import { wholeIn } from "./whole-in.ts";

type Check = (value: unknown) => boolean;

const oneOf =
	(...words: readonly unknown[]): Check =>
	(value) =>
		words.includes(value);

const wholeFrom =
	(least: number): Check =>
	(value) =>
		wholeIn(value, { otherwise: -1, least }) !== -1;

/** What fields of a request may hold. */
const MAY_HOLD: readonly (readonly [field: string, key: Parameters<typeof unheededSentence>[0], Check])[] = [
	["action", "action", oneOf(...RECALL_ACTIONS)],
	["file", "file", (value) => typeof value === "string"],
	["kind", "kind", (value) => kindIn(value) !== undefined],
	["sourceClass", "sourceclass", oneOf("primary", "derived", "all")],
	["page", "page", wholeFrom(1)],
	["limit", "limit", wholeFrom(1)],
	["raw", "raw", oneOf(true, false, "true", "false")],
	["offset", "offset", wholeFrom(0)],
	["rawLimit", "rawlimit", wholeFrom(1)],
	["scope", "scope", oneOf("active-lineage", "all")],
];

/** A sentence on each field of a request that has a value it cannot have; one that is empty says nothing. */
export function unheededIn(fields: { readonly [field: string]: unknown }): string[] {
	return MAY_HOLD.flatMap(([field, key, mayBe]) => {
		const value = fields[field];
		if (value === undefined || value === null || value === "" || mayBe(value)) return [];
		const told = typeof value === "object" ? JSON.stringify(value) : String(value);
		return unheededSentence(key, `${field}:${told}`);
	});
}
