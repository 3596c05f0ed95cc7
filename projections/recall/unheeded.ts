import { RECALL_ACTIONS } from "./actions.ts";
import { DOCUMENT_ROLES, RECALL_KINDS } from "./document.ts";

/** What the value of a filter or field must be: `no time` is told of others, and what there is. */
const VALUES = {
	file: ["path", "a path is a text"],
	kind: ["kind", `the kinds are ${RECALL_KINDS.join(", ")}`],
	role: ["role", `the roles are ${DOCUMENT_ROLES.join(", ")}`],
	since: ["time", "times are ISO 8601, such as 2026, 2026-01-31 or 2026-01-31T12:00Z"],
	until: ["time", "times are ISO 8601, such as 2026, 2026-01-31 or 2026-01-31T12:00Z"],
	sourceclass: ["class", "the classes are primary, derived, all"],
	thinking: ["switch", "it is true or false"],
	raw: ["switch", "it is true or false"],
	scope: ["scope", "the scopes are active-lineage, all"],
	action: ["action", `the actions are ${RECALL_ACTIONS.join(", ")}`],
	page: ["page", "pages are whole numbers from 1 on"],
	limit: ["limit", "limits are whole numbers from 1 on"],
	offset: ["offset", "offsets are whole numbers from 0 on"],
	rawlimit: ["limit", "limits are whole numbers from 1 on"],
} as const;

/** Characters of a value that are told again. */
const TOLD_CHARS = 60;

/**
 * The sentence on a filter or field that has a value it cannot have. `typed` is both of them, as they came; `key` is in
 * lower case.
 */
export function unheededSentence(key: keyof typeof VALUES, typed: string): string {
	const [noun, valid] = VALUES[key];
	const shown = typed.length > TOLD_CHARS ? `${typed.slice(0, TOLD_CHARS).toWellFormed()}…` : typed;
	return `${shown} is no ${noun} and was not heeded; ${valid}`;
}
