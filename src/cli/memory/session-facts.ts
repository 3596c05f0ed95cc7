import { statSync } from "node:fs";
import type { MemoryFact } from "../../../projections/memory/record.ts";
import { liveDirectory } from "../../adapters/sessions/replay-places.ts";
import { factOf, isOfMemory } from "../../engine/memory/facts.ts";
import type { Keys } from "../../engine/memory/keys.ts";
import { homeDirectory } from "../../store/identity.ts";
import { storedText } from "../../store/stored-text.ts";
import { CliError } from "../cli-error.ts";
import { isStore } from "../is-store.ts";
import { withStore } from "../place.ts";
import { searchedSessions } from "../recall-sessions.ts";
import { recordMadeBy } from "./new-record.ts";

/** What a session remembers for itself. */
export interface SessionFacts {
	/** id of the session */
	readonly session: string;
	readonly facts: readonly MemoryFact[];
	/** a text by its digest; `undefined` where it is gone */
	readonly texts: ReadonlyMap<string, string>;
}

/**
 * What stands of memory in the stream of a session, named by its file or id. A session without a store remembers nothing
 * for itself. Throws `CLI_USAGE`, and what session files and stores throw.
 */
export async function sessionFacts(named: string, cwd: string, keys: Keys): Promise<SessionFacts> {
	if (named === "") throw new CliError("CLI_USAGE", "--session is an empty text");
	const isFile = statSync(named, { throwIfNoEntry: false })?.isFile() ?? false;
	const live = liveDirectory(homeDirectory(), named);
	if (!isFile && isStore(live)) return factsIn(live, named, keys);
	const [session] = await searchedSessions(named, false, cwd);
	if (session?.store === undefined) return { session: session?.id ?? named, facts: [], texts: new Map() };
	return factsIn(session.store, session.id, keys);
}

function factsIn(directory: string, session: string, keys: Keys): Promise<SessionFacts> {
	return withStore(directory, async ({ store, stream }) => {
		const facts: MemoryFact[] = [];
		for await (const run of store.readRuns(stream, { onUnreadable: () => {} })) {
			for (const event of run.filter(({ type }) => isOfMemory(type))) {
				const fact = factOf(event, store.sealed(stream, event.position), keys);
				if (fact) facts.push(fact);
			}
		}
		const texts = new Map<string, string>();
		for (const { event } of facts) {
			const body = recordMadeBy(event)?.body;
			const text = body === undefined ? undefined : storedText(store, body);
			if (body !== undefined && text !== undefined) texts.set(body, text);
		}
		return { session, facts, texts };
	});
}
