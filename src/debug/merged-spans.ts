import type { ShownAs } from "./past-standing.ts";
import type { VisibilitySpan } from "./visibility.ts";

/** From what tells most to what tells nothing. */
const RANKS: readonly ShownAs[] = ["whole", "clip", "brief", "hidden"];

/**
 * When any of several things could be read, and in which: the one that shows most, for as long as it does; of several, the
 * one that does so longest. O(spans).
 */
export function mergedSpans(
	things: readonly { readonly spans: readonly VisibilitySpan[] }[],
): VisibilitySpan[] {
	const starts = things
		.flatMap(({ spans }, thing) => spans.map((span) => ({ thing, span })))
		.sort((a, b) => a.span.from - b.span.from || a.thing - b.thing);
	const last = things.reduce((most, { spans }) => Math.max(most, spans.at(-1)?.to ?? 0), 0);
	const now = new Map<ShownAs, Map<number, VisibilitySpan>>(RANKS.map((as) => [as, new Map()]));
	const asOf = new Map<number, ShownAs>();
	const merged: VisibilitySpan[] = [];
	let kept: number | undefined;
	for (let next = 0; next < starts.length; ) {
		const from = starts[next]?.span.from as number;
		for (; starts[next]?.span.from === from; next++) {
			const { thing, span } = starts[next] as { thing: number; span: VisibilitySpan };
			const was = asOf.get(thing);
			if (was) now.get(was)?.delete(thing);
			asOf.set(thing, span.as);
			now.get(span.as)?.set(thing, span);
		}
		const to = (starts[next]?.span.from ?? last + 1) - 1;
		const best = RANKS.find((as) => now.get(as)?.size) ?? "hidden";
		const shown = now.get(best) as Map<number, VisibilitySpan>;
		if (kept === undefined || !shown.has(kept)) {
			const lost = kept === undefined ? undefined : now.get(asOf.get(kept) ?? "hidden")?.get(kept);
			const longest = longestOf(shown);
			add(shown.get(longest) as VisibilitySpan, from, to, lost?.from === from ? lost.because : undefined);
			kept = longest;
		} else add(shown.get(kept) as VisibilitySpan, from, to, undefined);
	}
	return merged;

	function add(span: VisibilitySpan, from: number, to: number, because: string | undefined): void {
		const { as, through } = span;
		const before = merged.at(-1);
		if (before?.as === as && before.through === through) {
			merged[merged.length - 1] = { ...before, to };
			return;
		}
		const why = because ?? (span.from === from ? span.because : undefined);
		merged.push({
			from,
			to,
			as,
			...(through !== undefined && { through }),
			...(why !== undefined && { because: why }),
		});
	}
}

/** The thing whose span ends last; of several, the newest. */
function longestOf(shown: ReadonlyMap<number, VisibilitySpan>): number {
	let found = -1;
	let last = 0;
	for (const [thing, { to }] of shown) if (to >= last) [found, last] = [thing, to];
	return found;
}
