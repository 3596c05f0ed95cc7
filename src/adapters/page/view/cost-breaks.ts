import { type ComponentChildren, h } from "preact";
import type { BreakCause, CacheBreak, Cost } from "../../../debug/cost.ts";
import type { WindowView } from "../../../debug/window-view.ts";
import { Block } from "./block.ts";
import { count, counted, money, short } from "./numbers.ts";
import { go } from "./place.ts";
import { useAnswer } from "./use-answer.ts";

/** Breaks of one cause that are listed at most; the dearest come first. */
const LISTED = 100;

const words: Readonly<Record<BreakCause, string>> = {
	commit: "our commit",
	undo: "decisions taken back",
	expand: "a fold opened",
	refold: "a fold closed",
	pin: "a pin",
	edit: "an edit by the host",
	compaction: "the host's compaction",
	prompt: "another prompt or tools",
	model: "another model",
	thinking: "another thinking level",
	idle: "time that passed",
	leaf: "another branch",
	provider: "the provider",
	unknown: "not known",
};

/** What kept a cache from serving the window before this one, where, and what that cost. */
export function BreakHere({
	broken,
	unit,
}: {
	broken: CacheBreak;
	unit: "usd" | "token";
}): ComponentChildren {
	const { item, byte } = broken;
	const view = useAnswer<WindowView>(item === undefined ? undefined : `/api/window/${broken.request}`);
	const row = item === undefined || view.stale ? undefined : view.value?.rows[item];
	return h(
		"div",
		{ class: "break-here" },
		h("h4", null, `Cache broken by ${words[broken.cause]}`),
		h(
			"p",
			null,
			`${short(broken.lost)} tokens were taken in again, for ${money(broken.cost, unit)} more than reading them from the cache.`,
		),
		h("p", { class: "quiet" }, broken.detail),
		item !== undefined &&
			h(
				"p",
				{ class: "break-place" },
				`From item ${count(item + 1)} on`,
				byte !== undefined && `, byte ${count(byte)} of the window`,
				row && [
					": ",
					h(
						"button",
						{ type: "button", class: "link cut", onClick: () => go({ entry: row.id, panel: "item" }) },
						row.title || row.id,
					),
				],
			),
	);
}

/** All breaks of a session by what caused them; each leads to its request. */
export function BreaksByCause({ cost, at }: { cost: Cost; at: number }): ComponentChildren {
	const { breaks, totals } = cost;
	const causes = Object.entries(totals.byCause).sort(([, a], [, b]) => b.cost - a.cost) as [
		BreakCause,
		{ breaks: number; lost: number; cost: number },
	][];
	const most = Math.max(1e-12, ...causes.map(([, { cost }]) => cost));
	return h(
		Block,
		{
			title: "Where caches broke",
			aside: h(
				"span",
				{ class: "quiet" },
				breaks.length === 0
					? ""
					: `${counted(totals.breaks, "break")}, ${short(totals.lost)} tokens, ${money(totals.lostCost, totals.unit)}`,
			),
		},
		breaks.length === 0
			? h("p", { class: "empty" }, "No request had to take in again what one before it had sent.")
			: h(
					"div",
					{ class: "causes" },
					causes.map(([cause, sum]) =>
						h(
							"details",
							{ key: cause },
							h(
								"summary",
								null,
								h("span", { class: "cause-name" }, words[cause]),
								h("span", { class: "cause-count quiet" }, `${count(sum.breaks)}×`),
								h("span", { class: "cause-lost" }, short(sum.lost)),
								h("span", { class: "cause-cost" }, money(sum.cost, totals.unit)),
								h("i", { class: "cause-weight", style: { width: `${(sum.cost / most) * 64}px` } }),
							),
							h(Jumps, { breaks: breaks.filter((one) => one.cause === cause), unit: totals.unit, at }),
						),
					),
				),
	);
}

interface JumpsProps {
	readonly breaks: readonly CacheBreak[];
	readonly unit: "usd" | "token";
	readonly at: number;
}

function Jumps({ breaks, unit, at }: JumpsProps): ComponentChildren {
	const sorted = breaks.toSorted((a, b) => b.cost - a.cost);
	return [
		h(
			"ol",
			{ class: "jumps" },
			sorted
				.slice(0, LISTED)
				.map(({ request, lost, cost, detail }) =>
					h(
						"li",
						{ key: request, "aria-current": request === at ? "true" : undefined },
						h(
							"button",
							{ type: "button", class: "link", onClick: () => go({ at: request }) },
							count(request),
						),
						h("span", { class: "quiet cut", title: detail }, detail),
						h("span", null, short(lost)),
						h("span", null, money(cost, unit)),
					),
				),
		),
		sorted.length > LISTED &&
			h("p", { class: "quiet" }, `${count(sorted.length - LISTED)} cheaper ones are not listed.`),
	];
}
