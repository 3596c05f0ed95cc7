import { type ComponentChildren, h } from "preact";
import { usePage } from "./state.ts";
import { placeOf } from "./use-timeline.ts";

/** Settings as they are typed; empty where they stay as recorded. */
export interface Typed {
	readonly policy: string;
	readonly floor: string;
	readonly budget: string;
	readonly minFoldChars: string;
	readonly model: string;
	readonly from: string;
}

/** Nothing otherwise. */
export const AS_RECORDED: Typed = {
	policy: "",
	floor: "",
	budget: "",
	minFoldChars: "",
	model: "",
	from: "",
};

interface WhatIfFormProps {
	readonly typed: Typed;
	readonly isBusy: boolean;
	readonly onType: (typed: Typed) => void;
	readonly onRun: () => void;
	readonly onCancel: () => void;
}

/** What is to be otherwise, and from which request on. */
export function WhatIfForm({ typed, isBusy, onType, onRun, onCancel }: WhatIfFormProps): ComponentChildren {
	const at = usePage((state) => state.at);
	const session = usePage((state) => state.session);
	const timeline = usePage((state) => state.timeline);
	const from = Number(typed.from) || 1;
	const place = timeline ? placeOf(timeline, from) : -1;
	const set = (name: keyof Typed) => (event: Event) => {
		const { value } = event.currentTarget as HTMLInputElement;
		onType({ ...typed, [name]: value });
	};
	const field = (name: keyof Typed, label: string, placeholder: string, isNumber = true) =>
		h(
			"label",
			{ key: name },
			h("span", { class: "quiet" }, label),
			h("input", {
				class: "number",
				name,
				value: typed[name],
				placeholder,
				autocomplete: "off",
				spellcheck: false,
				...(isNumber && { inputMode: "numeric", pattern: "[0-9]*" }),
				onInput: set(name),
			}),
		);
	const submit = (event: Event) => {
		event.preventDefault();
		onRun();
	};
	return h(
		"form",
		{ class: "what-if-form", "aria-label": "Other settings", onSubmit: submit },
		h(
			"div",
			{ class: "what-if-fields" },
			h(
				"label",
				null,
				h("span", { class: "quiet" }, "Policy"),
				h(
					"select",
					{ class: "number", name: "policy", value: typed.policy, onChange: set("policy") },
					h("option", { value: "" }, "as recorded"),
					["economic", "calm", "band", "off"].map((policy) =>
						h("option", { key: policy, value: policy }, policy),
					),
				),
			),
			field("floor", "Floor, tokens", String(Math.round(timeline?.floor[place] ?? 0))),
			field("budget", "Budget, tokens", String(Math.round(timeline?.budget[place] ?? 0))),
			field("minFoldChars", "Cut at, characters", "as recorded"),
			field("model", "Model", session?.model?.replace(/^.*\//, "") ?? "as recorded", false),
			field("from", "From request", "1"),
		),
		h(
			"div",
			{ class: "buttons" },
			isBusy
				? h("button", { type: "button", class: "plain", onClick: onCancel }, "Cancel")
				: h("button", { type: "submit", class: "plain strong" }, "Replay"),
			h(
				"button",
				{ type: "button", class: "plain", onClick: () => onType({ ...typed, from: String(at) }) },
				"From the playhead on",
			),
			h("button", { type: "button", class: "plain", onClick: () => onType(AS_RECORDED) }, "Reset"),
		),
	);
}

/** The address that asks for what would have been under these settings. */
export function addressOf(typed: Typed): string {
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(typed)) {
		const bare = name === "model" ? value.trim() : value.replace(/[\s,]/g, "");
		if (bare !== "") query.set(name, bare);
	}
	return `/api/what-if?${query}`;
}
