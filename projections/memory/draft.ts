import type { MemoryKind } from "../../events/memory.ts";

/** What rules look for in a session. */
type DraftRule = "file" | "command" | "tests" | "sentence";

/** Something a rule would have remembered of a session. */
export interface Draft {
	/** `mem_rule_` and 16 hexadecimal digits; the same for what says the same in one session */
	readonly id: string;
	readonly rule: DraftRule;
	readonly kind: MemoryKind;
	readonly text: string;
	/** entries it was found in */
	readonly sources: readonly string[];
}

/** Most records that rules make in one run. */
const RUN_DRAFTS = 50;

const RULES: readonly DraftRule[] = ["sentence", "tests", "command", "file"];

/** A text as rules tell one from another: NFKC, one space where there is any. */
export function canonical(text: string): string {
	return text.normalize("NFKC").replace(/\s+/g, " ").trim();
}

/**
 * At most {@link RUN_DRAFTS} drafts, in their order: a turn for each rule in which it has one of its newest taken, so that
 * no rule starves another.
 */
export function spread(drafts: readonly Draft[], most: number = RUN_DRAFTS): Draft[] {
	if (drafts.length <= most) return [...drafts];
	const queues = RULES.map((rule) => drafts.filter((draft) => draft.rule === rule));
	const taken = new Set<Draft>();
	while (taken.size < most) {
		for (const queue of queues) {
			const newest = queue.pop();
			if (newest && taken.size < most) taken.add(newest);
		}
	}
	return drafts.filter((draft) => taken.has(draft));
}
