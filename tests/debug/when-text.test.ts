import fc from "fast-check";
import { expect, test } from "vitest";
import { committedPlans } from "../../projections/plans.ts";
import { type Item, planAt, windowItems } from "../../projections/window-plan.ts";
import { bisect } from "../../src/debug/bisect.ts";
import type { Content } from "../../src/debug/content.ts";
import { saidIn } from "../../src/debug/found-text.ts";
import type { ShownAs } from "../../src/debug/past-standing.ts";
import { type VisibilitySpan, whenText } from "../../src/debug/visibility.ts";
import { whyAnswer } from "../../src/debug/why-answer.ts";
import { runs } from "../walk/runs.ts";
import { walks } from "../walk/steps.ts";
import { walkedHistory } from "./walked-history.ts";

/** What stands in many messages, in one, in thinking, in briefs, in receipts, and nowhere. */
const NEEDLES = [
	"retry",
	"entry 3 ",
	"entry 12",
	"entry 27",
	"thinks",
	"Folded by the runtime",
	"E_LOCKED1",
	"☂",
];

test("of a text at every request it is what stands in the messages and texts of the window that was sent", async () => {
	const seen: Record<ShownAs, number> = { whole: 0, clip: 0, brief: 0, hidden: 0 };
	const property = fc.asyncProperty(walks(60), async (walk) => {
		const { walked, history, content } = await walkedHistory(walk);
		const clipped = committedPlans(history.states.plans).flatMap(({ clips }) => [...clips.keys()]);
		const heads = clipped.slice(0, 4).flatMap((id) => {
			const said = walked.host.entry(id)?.blocks.map(saidIn).join("") ?? "";
			return said === "" ? [] : said.slice(0, 16);
		});
		for (const needle of [...NEEDLES, ...heads]) {
			const { spans, unread } = await whenText(history, content, needle);
			expect(unread).toBe(0);
			for (const past of history.requests) {
				const { leaf, request } = past.prepared;
				const items = windowItems(history.states, leaf, planAt(history.states, leaf));
				const span = spans.find(({ from, to }) => from <= request && request <= to);
				const wanted = shownIn(items, content, needle);
				expect([needle, request, span?.as ?? "hidden"]).toEqual([needle, request, wanted]);
				seen[wanted]++;
			}
			// each answer reads all content once more
			for (const past of [history.requests[1], history.requests.at(-1)]) {
				if (!past) continue;
				const { request } = past.prepared;
				const span = spans.find(({ from, to }) => from <= request && request <= to);
				const why = await whyAnswer(history, content, needle, past);
				expect(why?.visible).toBe(spans.length === 0 ? undefined : (span?.as ?? "not yet"));
				const isTold = why?.sentences.some((sentence) => sentence.includes("last at request"));
				if (span?.as === "whole") expect(isTold).toBe(false);
			}
			expectLosses(spans, await bisect(history, content, needle));
		}
	});
	await fc.assert(property, runs(12));
	for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
});

function expectLosses(spans: readonly VisibilitySpan[], found: Awaited<ReturnType<typeof bisect>>): void {
	if (spans.length === 0) {
		expect(found).toBeUndefined();
		return;
	}
	expect(found?.whole).toBe(spans.findLast(({ as }) => as === "whole")?.to);
	for (const { last, request, after, decision } of found?.losses ?? []) {
		expect(request).toBe(last + 1);
		if (decision) expect(decision.id).toBe(after.because);
	}
}

function shownIn(items: readonly Item[], content: Content, needle: string): ShownAs {
	const found = new Set(items.flatMap((item) => (textOf(item, content).includes(needle) ? asOf(item) : [])));
	return (["whole", "clip", "brief"] as const).find((as) => found.has(as)) ?? "hidden";
}

function asOf(item: Item): ShownAs {
	if (item.kind === "clipped") return "clip";
	const isOurs = item.kind === "fold" || item.kind === "shown" || item.kind === "answer";
	return isOurs || item.node.kind === "compaction" ? "brief" : "whole";
}

function textOf(item: Item, content: Content): string {
	const stored = (digest: string) => new TextDecoder().decode(content(digest));
	switch (item.kind) {
		case "answer":
			return "";
		case "fold":
		case "shown":
			return stored(item.text);
		case "clipped":
			return stored(item.clip.text);
		case "entry":
		case "edited": {
			const isUnthought = item.kind === "entry" && item.form === "unthought";
			const node = item.kind === "entry" ? item.node : item.edit;
			const { blocks } = content.decode(new Uint8Array(), node);
			return blocks
				.filter(({ type }) => !(isUnthought && type === "thinking"))
				.map(saidIn)
				.join("\n");
		}
		default:
			return item satisfies never;
	}
}
