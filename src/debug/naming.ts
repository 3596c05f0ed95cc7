import { isDigestOf, isShortDigest } from "./digests.ts";

/** Whether a value holds an id, at any depth; a digest also by its first twelve digits, as they are printed. */
function names(value: unknown, id: string): boolean {
	if (typeof value === "string") return value === id || (isShortDigest(id) && isDigestOf(value, id));
	if (typeof value !== "object" || value === null) return false;
	return Object.values(value).some((part) => names(part, id));
}

/** Whether an event names an entry, a fold, a commit or a digest: in what it says, or by the node that carries it. */
export function eventNames(event: { readonly node?: string; readonly data: unknown }, id: string): boolean {
	return event.node === id || names(event.data, id);
}

/** Whether an event is of a type, or of a noun, that is asked for; every one is where none is named. */
export function isOfTypes(type: string, asked: readonly string[] | undefined): boolean {
	return asked === undefined || asked.some((name) => type === name || type.startsWith(`${name}/`));
}
