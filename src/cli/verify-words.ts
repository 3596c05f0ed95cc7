import { whole } from "../debug/numbers.ts";
import type { KnownShredding } from "../store/losses.ts";
import type { Unproved } from "../store/store.ts";

/** Digests named of a loss at most. */
export const NAMED = 3;

/** What was destroyed on purpose, in a line. */
export function shreddingLine({ stream, position, contents }: KnownShredding): string {
	const named = contents.slice(0, NAMED).join(", ");
	const more = contents.length > NAMED ? ` and ${whole(contents.length - NAMED)} more` : "";
	return `shredded: the content ${named}${more} of ${stream}, on purpose, at ${position}`;
}

/** What nothing proves to be a user's, in a line. */
export function unprovedLine({ stream, position, type, proof }: Unproved): string {
	return proof === "forged"
		? `FORGED ${type} at ${position} of ${stream}: its seal is not that of what stands there`
		: `unverified: ${type} at ${position} of ${stream}, which no key of this machine proves to be a user's`;
}
