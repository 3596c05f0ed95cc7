import { refreshesBetween } from "../projections/host-warming.ts";
import { DEFAULT_SETTINGS } from "../projections/rules.ts";
import { nodeOf } from "../projections/session-tree.ts";
import { renderWorkSummary } from "../projections/work-summary/render.ts";
import { eachNeed, textNames } from "../src/debug/needs.ts";
import { engineOver, traceOf } from "../src/debug/trace.ts";
import { trajectoryOf } from "../src/debug/trajectory-of.ts";
import { replaySession } from "../src/engine/replay.ts";
import { evidenceAt } from "../src/engine/work-summary.ts";
import type { NamedRecording } from "./recordings.ts";

/** What the work summary at each commit held of the names used after their entries were hidden. */
export interface SummaryRetention {
	/** names used although hidden, each hiding once */
	readonly needs: number;
	/** those that the summary made at the commit in force names */
	readonly held: number;
	/** those that the beginning of what the user had said until then names, cut to the summary's length */
	readonly byUser: number;
	/** those that some visible text names */
	readonly met: number;
	/** those that some visible text or the summary names */
	readonly together: number;
	readonly summaries: number;
	/** characters of all summaries */
	readonly chars: number;
	/** ms the slowest took, gathered and rendered */
	readonly slowestMs: number;
}

/** Measures work summaries of usual size on the trajectory of `economic` over a recording. */
export async function summaryRetention(recording: NamedRecording): Promise<SummaryRetention> {
	const engine = engineOver(recording);
	const schedule = new Set<number>();
	const inForce: { readonly summary: string; readonly user: string }[] = [];
	const count = { needs: 0, held: 0, byUser: 0, met: 0, together: 0, summaries: 0, chars: 0, slowestMs: 0 };
	let made: string | undefined;
	let current = { summary: "", user: "" };
	const replayed = replaySession(engine, {
		...recording,
		settings: DEFAULT_SETTINGS,
		warmedAt: (sent, next) => refreshesBetween(sent.valuation, sent.tokens, sent.at, next).at(-1),
	});
	for await (const { plan } of replayed) {
		if (plan && plan.id !== made) {
			made = plan.id;
			schedule.add(inForce.length);
			const begun = performance.now();
			const summary = renderWorkSummary(evidenceAt(engine, plan.parent)) ?? "";
			count.slowestMs = Math.max(count.slowestMs, performance.now() - begun);
			count.summaries++;
			count.chars += summary.length;
			const texts: string[] = [];
			for (
				let node = nodeOf(engine.states.tree, plan.parent);
				node;
				node = nodeOf(engine.states.tree, node.parent)
			) {
				if (node.role !== "user" || node.fate !== "sent") continue;
				const blocks = engine.entry(node.id)?.blocks ?? [];
				texts.push(blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n"));
			}
			current = { summary, user: texts.reverse().join("\n").slice(0, summary.length) };
		}
		inForce.push(current);
	}
	const trajectory = trajectoryOf(await traceOf(recording, DEFAULT_SETTINGS), schedule);
	const indexes = new Map(trajectory.map((request, index) => [request, index] as const));
	eachNeed(trajectory, ({ name, request, met }) => {
		const { summary, user } = inForce[indexes.get(request) ?? -1] ?? current;
		const isHeld = textNames(summary, name);
		count.needs++;
		if (isHeld) count.held++;
		if (textNames(user, name)) count.byUser++;
		if (met) count.met++;
		if (met || isHeld) count.together++;
	});
	return count;
}
