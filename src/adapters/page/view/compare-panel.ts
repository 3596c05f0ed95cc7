import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";
import type { WindowDiff } from "../../../debug/window-diff.ts";
import { changesIn, turnedRound } from "./compare-lines.ts";
import { CompareList } from "./compare-list.ts";
import { CompareSteps } from "./compare-steps.ts";
import { icon } from "./icons.ts";
import { nextStop } from "./marks.ts";
import { Failure } from "./notices.ts";
import { count, counted, short } from "./numbers.ts";
import { go } from "./place.ts";
import { usePage } from "./state.ts";
import { useAnswer } from "./use-answer.ts";

/** Two windows side by side: on the left the one that is held, on the right that of the playhead. */
export function ComparePanel(): ComponentChildren {
	const at = usePage((state) => state.at);
	const beside = usePage((state) => state.beside);
	if (at === 0) return null;
	if (beside === undefined || beside === at) return h(Choose, { at, isHeld: beside === at });
	return h(Comparison, { at, beside });
}

/** Ways to choose what to compare with. */
function Choose({ at, isHeld }: { at: number; isHeld: boolean }): ComponentChildren {
	const marks = usePage(({ timeline }) => timeline?.marks);
	const stop = marks && nextStop(marks, at + 1, -1);
	const choice = (request: number, words: string) =>
		h(
			"button",
			{ type: "button", class: "plain", onClick: () => go({ beside: request }) },
			`${words} (${count(request)})`,
		);
	return h(
		"div",
		{ class: "choose" },
		h("h2", null, isHeld ? `Request ${count(at)} is held` : `Compare request ${count(at)}`),
		h(
			"p",
			null,
			isHeld
				? "Move the playhead: what differs from the window held here appears. Or compare it with another one."
				: "With which window? Shift and a click on the timeline chooses one, too.",
		),
		h(
			"div",
			{ class: "compare-choices" },
			at > 1 && choice(at - 1, "The request before"),
			stop !== undefined && stop > 1 && stop - 1 !== at - 1 && choice(stop - 1, "Before the last decision"),
			at > 1 && choice(1, "The first request"),
			!isHeld &&
				h(
					"button",
					{ type: "button", class: "plain", onClick: () => go({ beside: at }) },
					"Hold this one, and move on",
				),
		),
		h(Field, { label: "Request", value: undefined, name: "beside-first", onSet: (beside) => go({ beside }) }),
	);
}

function Comparison({ at, beside }: { at: number; beside: number }): ComponentChildren {
	const path = `/api/diff/${Math.min(at, beside)}/${Math.max(at, beside)}`;
	const { value: diff, stale, error } = useAnswer<WindowDiff>(path);
	const isTurned = beside > at;
	const rows = useMemo(
		() => (isTurned && diff ? turnedRound(diff.rows) : (diff?.rows ?? [])),
		[diff, isTurned],
	);
	return h(
		"section",
		{ class: stale ? "compare stale" : "compare", "aria-label": "Comparison", "aria-busy": stale },
		h(
			"header",
			{ class: "compare-head" },
			h(
				"div",
				{ class: "compare-pair" },
				h(Field, { label: "Held", value: beside, name: "beside", onSet: (next) => go({ beside: next }) }),
				h(
					"button",
					{
						type: "button",
						class: "tool",
						"aria-label": "Swap the two",
						title: "Swap the two",
						onClick: () => go({ at: beside, beside: at }),
					},
					icon("swap"),
				),
				h(Field, { label: "Playhead", value: at, name: "beside-at", onSet: (next) => go({ at: next }) }),
				h("span", { class: "grow" }),
				h("button", { type: "button", class: "plain", onClick: () => go({ beside: undefined }) }, "Clear"),
			),
			diff && !stale && h(Totals, { diff, isTurned }),
		),
		error && h(Failure, { error }),
		!diff && !error && h("p", { class: "empty" }, "Comparing …"),
		diff &&
			!error && [
				h(CompareSteps, { steps: diff.steps, key: "steps" }),
				h(CompareList, { rows, key: path, label: `Windows of requests ${count(beside)} and ${count(at)}` }),
			],
	);
}

function Totals({ diff, isTurned }: { diff: WindowDiff; isTurned: boolean }): ComponentChildren {
	const [left, right] = isTurned ? diff.tokens.toReversed() : diff.tokens;
	const change = (right ?? 0) - (left ?? 0);
	const changes = changesIn(isTurned ? turnedRound(diff.rows) : diff.rows);
	const told = [
		changes.removed > 0 && `${count(changes.removed)} gone`,
		changes.added > 0 && `${count(changes.added)} added`,
		changes.replaced > 0 && `${count(changes.replaced)} shown otherwise`,
		`${count(changes.same)} the same`,
	].filter((part) => part !== false);
	return h(
		"p",
		{ class: "compare-totals" },
		h("b", null, `${short(left ?? 0)} → ${short(right ?? 0)}`),
		` tokens (${change < 0 ? "−" : "+"}${short(Math.abs(change))}) · ${told.join(", ")}`,
		h("span", { class: "quiet" }, ` · both begin with ${counted(diff.shared, "item")} alike`),
	);
}

interface FieldProps {
	readonly label: string;
	readonly value: number | undefined;
	readonly name: string;
	readonly onSet: (request: number) => void;
}

function Field({ label, value, name, onSet }: FieldProps): ComponentChildren {
	const all = usePage(({ session }) => session?.requests ?? 0);
	const set = (event: Event) => {
		const field = event.currentTarget as HTMLInputElement;
		const wanted = Number(field.value.replace(/\D/g, ""));
		if (wanted > 0) onSet(Math.min(all, wanted));
		field.value = value === undefined ? "" : String(value);
	};
	return h(
		"span",
		{ class: "compare-field" },
		h("label", { class: "quiet", for: name }, label),
		h("input", {
			id: name,
			class: "number",
			inputMode: "numeric",
			autocomplete: "off",
			value: value === undefined ? "" : String(value),
			style: { width: `${Math.max(3, String(all).length) + 1.4}ch` },
			onChange: set,
		}),
	);
}
