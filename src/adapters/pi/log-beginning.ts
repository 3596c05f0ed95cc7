import { basename } from "node:path";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { DomainEvent } from "../../../events/catalogue.ts";
import type { Settings } from "../../../projections/rules.ts";
import { openSession } from "../sessions/pi/session.ts";
import { type HostSession, nodeIn } from "./live-entry.ts";

/** What a new log begins with: which session it is of, from which other it was forked, and the rules in force. */
export async function beginning(
	session: HostSession,
	entries: readonly SessionEntry[],
	settings: Settings,
): Promise<DomainEvent[]> {
	const opened = {
		session: session.getSessionId(),
		root: entries[0]?.id ?? null,
		format: "live",
		cwd: session.getCwd(),
	};
	const events: DomainEvent[] = [{ type: "session/opened", data: opened }];
	const parent = session.getHeader()?.parentSession;
	if (parent !== undefined) {
		const from = await openSession(parent).then(
			({ id }) => id,
			() => basename(parent, ".jsonl"),
		);
		events.push({
			type: "session/forked",
			data: { from, decisions: entries.filter((entry) => nodeIn(entry)).length },
		});
	}
	events.push({ type: "session/settingsChanged", data: settings });
	return events;
}
