import type {
	ExtensionAPI,
	ExtensionContext,
	SessionBeforeCompactEvent,
	SessionEntry,
} from "@earendil-works/pi-coding-agent";
import type { WindowManifest } from "../../../events/compaction.ts";
import { renderWorkSummary } from "../../../projections/work-summary/render.ts";
import { count, whole } from "../../debug/numbers.ts";
import type { Engine } from "../../engine/engine.ts";
import { evidenceAt } from "../../engine/work-summary.ts";
import type { CompactConfig } from "./compact-config.ts";
import type { Checkpoint } from "./live-checkpoint.ts";
import { type CheckpointMeasure, failureOf, type Measures, rounded, tokensIn } from "./measures.ts";
import { modelInUse } from "./model-in-use.ts";
import type { Clock } from "./patience.ts";
import { say, sayOnceRedrawn, wordsOf } from "./say.ts";
import type { SessionIn } from "./status-command.ts";

/** The word by which the user asks for the host's own summary: `/compact native …`. */
const NATIVE = /^\s*native(?:\s|$)/i;

/** What is told beside a checkpoint where there were other words. */
const UNUSED = "; so the words behind /compact go unused: /compact native heeds them";

/**
 * Has the host's compactions that are not cancelled be checkpoints: text of ours, made without a model, at a boundary that
 * is proven safe. `config` gives what holds where a session runs, and `undefined` where another extension sees to
 * compactions. What cannot be had is the host's own summariser's to make, and is said in words. To be registered behind
 * what cancels compactions.
 */
export function registerCheckpoints(
	pi: ExtensionAPI,
	sessionIn: SessionIn,
	config: (ctx: ExtensionContext) => CompactConfig | undefined,
	{ measures, clock }: { readonly measures: Measures; readonly clock: Clock },
): void {
	/** what the host was handed and has not taken yet, and whether words came with it */
	let handed: Checkpoint | undefined;
	let goUnused = false;

	pi.on("session_before_compact", async (event, ctx) => {
		handed = undefined;
		const { customInstructions: words, signal } = event;
		const inForce = config(ctx);
		if (!inForce?.enabled || !inForce.overrideDefaultCompaction) return undefined;
		const since = clock.now();
		const measured = (outcome: CheckpointMeasure["outcome"], more: Partial<CheckpointMeasure> = {}) => {
			const { reason, preparation } = event;
			const ms = rounded(clock.now() - since);
			measures.note({
				what: "checkpoint",
				reason,
				outcome,
				ms,
				tokensBefore: preparation.tokensBefore,
				...more,
			});
		};
		if (signal.aborted) {
			measured("aborted");
			return { cancel: true };
		}
		if (words !== undefined && NATIVE.test(words)) {
			measured("native");
			return undefined;
		}
		const made = await madeFor(event, ctx, inForce);
		if (made !== "left" && !("why" in made)) handed = made;
		// the host drops what comes now, and asks no model either
		if (signal.aborted) {
			measured("aborted");
			return { cancel: true };
		}
		if (made === "left") {
			measured("off");
			return undefined;
		}
		if ("why" in made) {
			measured(made.outcome, made.failure === undefined ? {} : { failure: made.failure });
			say(ctx, `no checkpoint: ${made.why}; Pi summarises the window itself`, "warning");
			return undefined;
		}
		goUnused = words !== undefined && words.trim() !== "";
		const { manifest, compaction, isMoved } = made;
		const chars = compaction.summary.length;
		const { id: window, entries, folds } = manifest;
		measured("handed", { window, entries, folds, chars, tokens: tokensIn(chars), isMoved });
		return { compaction };
	});
	pi.on("session_compact", async ({ reason }, ctx) => {
		const made = handed;
		handed = undefined;
		// what stands is read from the session: the host finds the entry it tells of by its text
		const session = await sessionIn(ctx);
		await session?.record(ctx.sessionManager, modelInUse(ctx));
		const isCheckpoint = made !== undefined && isTaken(ctx, made.manifest);
		measures.note({ what: "compacted", reason, isCheckpoint });
		// one after the other, the second would take the place of the first
		if (isCheckpoint) sayOnceRedrawn(ctx, `${checkpointSentence(made)}${goUnused ? UNUSED : ""}`, "info");
	});
	pi.on("session_compact_failed", async ({ reason, aborted, errorMessage }, ctx) => {
		const wasOurs = handed !== undefined;
		handed = undefined;
		measures.note({ what: "compaction-failed", reason, aborted });
		if (aborted && !wasOurs) return;
		const failed = { reason, aborted, why: errorMessage };
		await (await sessionIn(ctx))?.compactionFailed(ctx.sessionManager, failed);
	});

	/** A checkpoint, or in words why there is none. */
	const madeFor = async (
		{ reason, preparation, branchEntries: branch }: SessionBeforeCompactEvent,
		ctx: ExtensionContext,
		inForce: CompactConfig,
	): Promise<Checkpoint | "left" | Refused> => {
		const { firstKeptEntryId: proposed, tokensBefore, isSplitTurn = false, turnPrefixMessages } = preparation;
		if (typeof proposed !== "string" || isSplitTurn !== (turnPrefixMessages?.length ?? 0) > 0)
			return { why: "what Pi prepared contradicts itself", outcome: "contradiction" };
		try {
			const { buildSessionProjection } = await import("@earendil-works/pi-coding-agent");
			if (typeof buildSessionProjection !== "function")
				return { why: "this release of Pi does not tell what it would show", outcome: "no-projection" };
			const project = (path: readonly SessionEntry[]) => buildSessionProjection([...path]).entries;
			const maxChars = inForce.summaryMaxChars;
			const asked = { reason, proposed, tokensBefore, branch, project, maxChars };
			const session = await sessionIn(ctx);
			const made = await session?.checkpoint(ctx.sessionManager, asked, (engine) =>
				summaryOf(engine, inForce),
			);
			return made ?? { why: "nowhere is it safe to cut the window", outcome: "unsafe" };
		} catch (error) {
			return { why: wordsOf(error), outcome: "failed", failure: failureOf(error) };
		}
	};

	/** The work summary at the leaf, in half of a checkpoint's characters at most. */
	const summaryOf = (
		engine: Engine,
		{ summaryMaxChars, sessionSummary: { enabled, inject, maxChars, maxEvidence } }: CompactConfig,
	): string | undefined => {
		if (!enabled || !inject) return undefined;
		const since = clock.now();
		const evidence = evidenceAt(engine, engine.states.tree.leaf);
		const most = Math.min(maxChars, Math.floor(summaryMaxChars / 2));
		const text = renderWorkSummary(evidence, { maxChars: most, maxEvidence });
		const chars = text?.length ?? 0;
		const ms = rounded(clock.now() - since);
		measures.note({ what: "summary", ms, evidence: evidence.length, chars, tokens: tokensIn(chars) });
		return text;
	};
}

/** Why there is no checkpoint, in words and of which kind. */
interface Refused {
	readonly why: string;
	readonly outcome: CheckpointMeasure["outcome"];
	readonly failure?: string;
}

/** Whether the last compaction on the path is a checkpoint. */
function isTaken({ sessionManager }: ExtensionContext, { id }: WindowManifest): boolean {
	const entry = sessionManager.getBranch().findLast(({ type }) => type === "compaction");
	const details = entry?.type === "compaction" ? entry.details : undefined;
	return (details as { manifest?: WindowManifest } | undefined)?.manifest?.id === id;
}

function checkpointSentence({ manifest, compaction, isMoved }: Checkpoint): string {
	const { id, entries, folds } = manifest;
	const where = isMoved ? ", cut earlier than Pi would have, so that no call is parted from its result" : "";
	const listed = folds === 0 ? "" : `, which names ${count(folds, "fold")}`;
	return `checkpoint ${id}: ${count(entries, "entry")} left the window for ${whole(compaction.summary.length)} characters${listed}${where}; no model was asked, and nothing is lost`;
}
