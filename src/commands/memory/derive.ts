import { canonical, type Draft, spread } from "../../../projections/memory/draft.ts";
import { isTerminal, type Memory } from "../../../projections/memory/record.ts";
import { secretIn } from "../../../projections/memory/secret-in.ts";
import { boundedNames } from "./bounded-names.ts";
import { TEXT_CHARS } from "./checked-text.ts";
import { type Deciding, decided, type MemoryDecision, type MemoryView } from "./decision.ts";

/**
 * Has what rules found in a session remembered there: at most 50 drafts, none that was made before, whatever became of it,
 * none that says what stands for the session already, and none that was destroyed or may hold a secret. Nothing without a
 * session.
 */
export function decideDerive(
	view: MemoryView,
	drafts: readonly Draft[],
	{ session, hashText }: Pick<Deciding, "session" | "hashText">,
): MemoryDecision {
	if (session === undefined || session === "") return decided(undefined, []);
	const memories = [view.memory, ...(view.beside ?? [])];
	const known = standingTexts(view, memories, session);
	const fresh: Draft[] = [];
	for (const draft of drafts) {
		const text = canonical(draft.text);
		if (view.memory.records.has(draft.id) || known.has(text) || !mayStand(draft)) continue;
		if (memories.some(({ shredded }) => shredded.has(hashText(draft.text)))) continue;
		known.add(text);
		fresh.push(draft);
	}
	const taken = spread(fresh);
	const left = fresh.length - taken.length;
	return {
		events: taken.map(({ id, rule, kind, text, sources }) => ({
			type: "memory/derived",
			data: {
				id,
				kind,
				scope: "session",
				session,
				priority: "low",
				body: hashText(text),
				chars: text.length,
				files: [],
				sources: [...boundedNames(sources, "sources").kept],
				provenance: `rule:${rule}`,
			},
		})),
		bodies: taken.map(({ text }) => ({ digest: hashText(text), text })),
		notes: left === 0 ? [] : [`${left} more were found than are kept of one run`],
		losses: [],
	};
}

/**
 * Resolves rules' records of the workspace, as older versions made them, that say what rules find in the session now.
 * `view` is the workspace's.
 */
export function decideRetire(view: MemoryView, drafts: readonly Draft[]): MemoryDecision {
	const found = new Set(drafts.map(({ text }) => canonical(text)));
	const old = [...view.memory.records.values()].filter((record) => {
		if (record.author !== "rule" || record.scope !== "workspace" || isTerminal(record)) return false;
		const text = view.text(record.body);
		return text !== undefined && found.has(canonical(text));
	});
	const why = "rule:session";
	return decided(
		undefined,
		old.map(({ id }) => ({ type: "memory/resolved", data: { id, why } })),
	);
}

function standingTexts(view: MemoryView, memories: readonly Memory[], session: string): Set<string> {
	const texts = new Set<string>();
	for (const { records } of memories) {
		for (const record of records.values()) {
			if (isTerminal(record) || (record.scope === "session" && record.session !== session)) continue;
			// older versions' own are to be resolved, not to stand in the way
			if (record.author === "rule" && record.scope === "workspace") continue;
			const text = view.text(record.body);
			if (text !== undefined) texts.add(canonical(text));
		}
	}
	return texts;
}

function mayStand({ text }: Draft): boolean {
	return text !== "" && text.length <= TEXT_CHARS && secretIn(text, false) === undefined;
}
