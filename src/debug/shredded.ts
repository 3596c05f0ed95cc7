import type { PayloadEvent } from "../../events/payload.ts";
import { isShredded } from "../../projections/memory/positions.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { Store } from "../store/store.ts";

/** What is shown in the place of a text that was destroyed. */
export const SHREDDED = "[what stood here was destroyed on purpose, with what was remembered: /forget shred]";

/** What is shown in the place of content, by its digest: nothing for what was not destroyed. */
export function shreddedWords(states: Pick<SessionStates, "memory">, digest: string): string | undefined {
	return isShredded(states, digest) ? SHREDDED : undefined;
}

/** Digests of all that a stream says was destroyed, up to its head. Throws as `Store.read` does. O(events). */
export async function shreddedIn(store: Store, stream: string): Promise<ReadonlySet<string>> {
	const gone = new Set<string>();
	for await (const run of store.readRuns(stream, { onUnreadable: () => {} })) {
		for (const { type, data } of run) {
			if (type !== "payload/shredded") continue;
			for (const digest of (data as PayloadEvent["data"]).contents) gone.add(digest);
		}
	}
	return gone;
}
