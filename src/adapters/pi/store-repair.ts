import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { count } from "../../debug/numbers.ts";
import { referencesOf } from "../../debug/references.ts";
import { sessionStream } from "../../engine/store-journal.ts";
import { type Repair, repair } from "../../store/repair.ts";
import type { LiveSession } from "./live-session.ts";
import { say, wordsOf } from "./say.ts";
import { storeTrouble } from "./store-trouble.ts";

/** Repairs the store of a session in a folder; `undefined` where nothing is wrong with it. Throws an `Error` in words. */
export async function repaired(directory: string, sessionId: string): Promise<Repair | undefined> {
	try {
		const streams = [sessionStream(sessionId)];
		return await repair({ directory, at: Date.now(), streams, references: referencesOf });
	} catch (error) {
		throw new Error(`nothing was repaired: ${storeTrouble(error)?.words ?? wordsOf(error)}`, {
			cause: error,
		});
	}
}

/** Does what `/fold repair` asks for, and tells what came of it. */
export async function repairByHand(ctx: ExtensionContext, session: LiveSession): Promise<void> {
	const done = await session.repair(ctx.sessionManager);
	if (done) return say(ctx, repairSentence(done), "info");
	const { trouble } = session;
	if (trouble === undefined) say(ctx, "the store of this session needs no repair", "info");
	else say(ctx, `nothing was repaired: ${trouble}`, "warning");
}

function repairSentence({ streams, keptAs }: Repair): string {
	const kept = streams.reduce((sum, stream) => sum + stream.kept, 0);
	return `the store was started anew with ${count(kept, "event")} that still verified; what the session's own entries tell came back from them, and the damaged database is kept as ${keptAs}`;
}
