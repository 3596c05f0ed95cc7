import { type ComponentChildren, h } from "preact";
import type { TimelineMark } from "../../../debug/timeline-marks.ts";
import { count, counted } from "./numbers.ts";
import { go } from "./place.ts";
import { ShortList } from "./short-list.ts";

/** What was decided between two windows, and what befell the session. */
export function CompareSteps({ steps }: { steps: readonly TimelineMark[] }): ComponentChildren {
	if (steps.length === 0) return null;
	return h(
		"details",
		{ class: "compare-steps" },
		h("summary", null, `${counted(steps.length, "step")} between the two`),
		h(ShortList<TimelineMark>, {
			items: steps,
			label: "Steps between the two windows",
			row: ({ request, kind, label }) => [
				h(
					"button",
					{ type: "button", class: "link", onClick: () => go({ at: request, panel: "decision" }) },
					count(request),
				),
				h("span", null, kind),
				h("span", { class: "quiet cut" }, label),
			],
		}),
	);
}
