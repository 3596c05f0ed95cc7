import { type ComponentChildren, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { WhatIf } from "../../../debug/what-if.ts";
import { ApiError, ask } from "./api.ts";
import { useKept } from "./kept.ts";
import { Failure } from "./notices.ts";
import { change, usePage } from "./state.ts";
import { AS_RECORDED, addressOf, type Typed, WhatIfForm } from "./what-if-form.ts";
import { WhatIfTable } from "./what-if-table.ts";

/** What the session would have come to under other settings, beside what it came to. */
export function WhatIfPanel(): ComponentChildren {
	const [typed, setTyped] = useKept<Typed>("what-if", AS_RECORDED);
	const [found, setFound] = useKept<WhatIf | undefined>("what-if-found", undefined);
	const [error, setError] = useState<ApiError | undefined>(undefined);
	const [isBusy, setBusy] = useState(false);
	const flight = useRef<AbortController | undefined>(undefined);
	const overlay = usePage((state) => state.overlay);
	const cancel = () => {
		flight.current?.abort();
		flight.current = undefined;
		setBusy(false);
	};
	useEffect(() => cancel, []);
	const run = async () => {
		cancel();
		const control = new AbortController();
		flight.current = control;
		setBusy(true);
		setError(undefined);
		try {
			const answer = await ask<WhatIf>(addressOf(typed), control.signal);
			if (control.signal.aborted) return;
			setFound(answer);
			lay(answer);
		} catch (refused) {
			if (control.signal.aborted) return;
			setError(
				refused instanceof ApiError ? refused : new ApiError(0, "PAGE_ANSWER_UNCLEAR", String(refused)),
			);
		}
		setBusy(false);
	};
	return h(
		"article",
		{ class: "what-if", "aria-busy": isBusy },
		h("header", { class: "decision-head" }, h("h2", null, "The same session, decided otherwise")),
		h(WhatIfForm, {
			typed,
			isBusy,
			onType: (next) => {
				cancel();
				setTyped(next);
			},
			onRun: () => void run(),
			onCancel: cancel,
		}),
		isBusy &&
			h(
				"div",
				{ class: "working", role: "status" },
				h("i", { class: "working-bar" }),
				"Replaying the session in memory. A long one takes some seconds.",
			),
		error && h(Failure, { error }),
		found && h(WhatIfTable, { found, isStale: isBusy }),
		found &&
			h(
				"div",
				{ class: "buttons" },
				overlay
					? h(
							"button",
							{ type: "button", class: "plain", onClick: () => change({ overlay: undefined }) },
							"Take it off the timeline",
						)
					: h(
							"button",
							{ type: "button", class: "plain", onClick: () => lay(found) },
							"Lay it over the timeline",
						),
			),
	);
}

function lay({ request, other }: WhatIf): void {
	const { label, tokens, spent, commitAt } = other;
	change({ overlay: { label, request, tokens, spent, commitAt } });
}
