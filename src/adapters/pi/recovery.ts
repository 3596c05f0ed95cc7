import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { HostSession } from "./live-entry.ts";
import { modelInUse } from "./model-in-use.ts";
import { receiptSentence } from "./receipt-words.ts";
import { type Refusal, refusalIn } from "./refusals.ts";
import { say } from "./say.ts";
import type { SessionIn } from "./status-command.ts";

/** How often requests are made smaller until one goes through or the user speaks. */
const MOST = 4;

/** A reply that was an error. */
interface Failed {
	readonly entry: string;
	readonly words: string;
}

/**
 * Meets requests that were refused: for their size by a tighter commit, over thinking by one that treats it the other
 * way. The request is sent again then, and no compaction is written. Where that does not help it is the host's to act,
 * as without us.
 */
export function registerRecovery(pi: ExtensionAPI, sessionIn: SessionIn): void {
	/** commits made over refusals since a request went through or the user spoke */
	let made = 0;
	const turned = new Set<string>();
	let failed: Failed | undefined;
	/** the host gave up over the size of the last request */
	let isGivenUp = false;
	/** the failed attempt is left out already, and the request is to be sent again */
	let isMet = false;
	let isSaid = false;

	const met = async (ctx: ExtensionContext, refusal: Refusal): Promise<boolean> => {
		const session = await sessionIn(ctx);
		if (refusal.of === "reasoning" && turned.has(refusal.wants)) {
			say(ctx, "the provider still refuses thinking, kept or taken away; that is left as it is", "warning");
			return false;
		}
		const done =
			made < MOST
				? await session?.meet(ctx.sessionManager, modelInUse(ctx), refusal)
				: { receipt: undefined };
		if (done?.receipt) {
			made++;
			if (refusal.of === "reasoning") turned.add(refusal.wants);
			say(ctx, `${whyOf(refusal)}, and it is sent again: ${receiptSentence(done.receipt, "then")}`, "info");
			return true;
		}
		if (done && refusal.of === "size" && !isSaid) {
			isSaid = true;
			say(
				ctx,
				"the provider refused the request as too large, and no folding helps, so that the window is compacted",
				"warning",
			);
		}
		return false;
	};

	pi.on("message_start", ({ message }) => {
		if (message.role === "user") isSaid = false;
		if (message.role === "user") made = 0;
	});
	pi.on("turn_end", ({ message, messageEntryId, outcome }) => {
		isMet = false;
		isGivenUp = false;
		failed = undefined;
		if (message.role !== "assistant") return;
		if (outcome === "error") failed = { entry: messageEntryId, words: message.errorMessage ?? "" };
		else if (message.stopReason !== "length" && outcome === "completed") {
			made = 0;
			turned.clear();
		}
	});
	pi.on("session_before_compact", async ({ reason, willRetry }, ctx) => {
		if (reason !== "overflow") return undefined;
		const said = failed && refusalIn(failed.words);
		const refusal = said?.of === "size" ? said : ({ of: "size", excess: "tokens" } as const);
		if (!(await met(ctx, refusal))) return undefined;
		isMet = willRetry;
		return { cancel: true };
	});
	pi.on("session_compact_failed", ({ reason, aborted }) => {
		if (reason === "overflow" && !aborted) isGivenUp = true;
	});
	pi.on("agent_before_settle", async ({ entries, outcome }, ctx) => {
		if (isMet) {
			isMet = false;
			return { continue: true };
		}
		if (!failed || outcome !== "error") return undefined;
		const { entry, words } = failed;
		failed = undefined;
		const refusal: Refusal | undefined =
			refusalIn(words) ?? (isGivenUp ? { of: "size", excess: "tokens" } : undefined);
		if (!refusal || !(await met(ctx, refusal))) return undefined;
		const omission = { type: "context_edit" as const, targetId: entry, replacement: null };
		return {
			entries: isOmitted(ctx.sessionManager, entry) ? entries : [...entries, omission],
			continue: true,
		};
	});
}

function whyOf({ of }: Refusal): string {
	return of === "size"
		? "the provider refused the request as too large"
		: "the provider refused thinking in the request";
}

/** Whether the host left an entry out of requests. O(entries behind it). */
function isOmitted(session: HostSession, target: string): boolean {
	let entry = session.getLeafEntry();
	while (entry && entry.id !== target) {
		if (entry.type === "context_edit" && entry.targetId === target) return entry.replacement === null;
		entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
	}
	return false;
}
