import type { DomainEvent } from "../../events/catalogue.ts";
import type { EntryEvent } from "../../events/entry.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { recordEntry } from "../commands/record-entry.ts";
import { rewriteTexts } from "./rewriting.ts";
import type { Scribe } from "./scribe.ts";
import type { Stream } from "./stream.ts";

/**
 * Takes an entry into a stream, with the marks it sets, the texts that may come to stand for what they mark, and those
 * that an edit has written anew. Gives the events, which are still to be handed over; none for an entry already known.
 */
export function takeInEntry(stream: Stream, scribe: Scribe, entry: EntryEvent["data"]): DomainEvent[] {
	const taken: DomainEvent[] = [];
	const take = (event: DomainEvent) => {
		stream.absorb([event], entry.at);
		taken.push(event);
	};
	for (const event of recordEntry(stream.states, entry)) {
		take(event);
		if (event.type !== "mark/set") continue;
		for (const text of scribe.textsOf(() => stream.states, event.data.id, entry.id)) take(text);
	}
	const edit = entry.target === undefined ? undefined : nodeOf(stream.states.tree, entry.id);
	const rewriting = edit && rewriteTexts(scribe.desk(stream.states, entry.id), edit);
	if (rewriting) take(rewriting);
	return taken;
}
