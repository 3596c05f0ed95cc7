import { type ComponentChildren, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { icon } from "./icons.ts";

/** How long a button says that it has copied, ms. */
const SAID = 1200;

/** A button that shows a short text and copies it. */
export function Copy({ text, label = text }: { text: string; label?: string }): ComponentChildren {
	const [done, setDone] = useState(false);
	useEffect(() => {
		if (!done) return;
		const timer = setTimeout(() => setDone(false), SAID);
		return () => clearTimeout(timer);
	}, [done]);
	const copy = () => {
		void navigator.clipboard?.writeText(text).then(
			() => setDone(true),
			() => setDone(false),
		);
	};
	return h(
		"button",
		{
			type: "button",
			class: "copy",
			title: "Copy",
			"aria-label": done ? "Copied" : `Copy ${label}`,
			onClick: copy,
		},
		h("span", { class: "mono cut" }, label),
		icon(done ? "done" : "copy"),
	);
}
