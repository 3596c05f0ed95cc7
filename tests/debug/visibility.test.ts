import fc from "fast-check";
import { expect, test } from "vitest";
import { type EntryNode, isAtOrAbove, nodeOf } from "../../projections/session-tree.ts";
import { planAt, windowItems } from "../../projections/window-plan.ts";
import { entriesOf, foldSpans } from "../../src/debug/fold-spans.ts";
import { type Visibility, visibilityOf } from "../../src/debug/visibility.ts";
import { watch, watchedEntry } from "../../src/debug/watched.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkedHistory } from "./walked-history.ts";

test("of every entry at every request it is what the window shows that was sent", async () => {
	const seen = { whole: 0, clip: 0, brief: 0, hidden: 0, leaf: 0, compaction: 0, edit: 0, decisions: 0 };
	const property = fc.asyncProperty(walks(60), async (walk) => {
		const { history } = await walkedHistory(walk);
		const { states, requests, decisions } = history;
		const nodes = states.tree.nodes.flatMap((bucket) => [...bucket.values()]);
		const visible = new Map(
			watch(
				history,
				nodes.flatMap(({ id }) => watchedEntry(history, id) ?? []),
			).map((one) => [one.of, one]),
		);
		const spans = foldSpans(states);
		const made = new Set(decisions.map(({ event }) => event.data.id));
		for (const { prepared } of requests) {
			const { leaf, request } = prepared;
			const items = windowItems(states, leaf, planAt(states, leaf));
			const forms = new Map<string, string>();
			const covered = new Map<string, string>();
			for (const item of items) {
				if ("node" in item) forms.set(item.node.id, item.kind);
				if (item.kind !== "fold") continue;
				const span = spans.get(item.fold);
				for (const { id } of span ? entriesOf(states.tree, span) : []) covered.set(id, item.fold);
			}
			for (const node of nodes) {
				const span = spanAt(visible.get(node.id), request);
				const form = forms.get(node.id);
				if (!isOn(node, leaf)) {
					expect(span ?? { as: "hidden", because: "leaf" }).toMatchObject({ as: "hidden", because: "leaf" });
					if (span) seen.leaf++;
					continue;
				}
				const as = form === "entry" ? "whole" : form === "clipped" ? "clip" : undefined;
				if (as) expect(span).toMatchObject({ as, through: node.id });
				else if (form === "edited") expect(span).toMatchObject({ as: "hidden", because: "edit" });
				else if (span?.as === "whole") {
					// stated again by the host, in one with the summary that stands in the window
					expect([node.role, forms.get(span.through ?? "")]).toEqual(["system", "entry"]);
				} else expect(["brief", "hidden"]).toContain(span?.as);
				if (span?.as === "brief") expect(covered.get(node.id)).toBe(span.through);
				const isTold = node.fate === "sent" && node.role !== "system" && node.kind !== "compaction";
				if (!form && isTold && covered.has(node.id) && span?.because !== "edit")
					expect(span?.as).toBe("brief");
				if (span?.as === "hidden" || span?.as === "brief" || span?.as === "clip") {
					const { because } = span;
					if (because && made.has(because)) seen.decisions++;
					else expect(["leaf", "compaction", "edit", "unsent"]).toContain(because);
					if (because === "compaction" || because === "edit") seen[because]++;
				}
				seen[span?.as ?? "hidden"]++;
			}
		}
		for (const node of nodes) expect(visibilityOf(history, node.id)).toEqual(visible.get(node.id));

		function isOn(node: EntryNode, leaf: string | null): boolean {
			const at = nodeOf(states.tree, leaf);
			return at !== undefined && isAtOrAbove(states.tree, node, at);
		}
	});
	await fc.assert(property, runs(25));
	for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
});

function spanAt(visibility: Visibility | undefined, request: number) {
	return visibility?.spans.find(({ from, to }) => from <= request && request <= to);
}
