import { type ComponentChildren, h } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { icon } from "./icons.ts";
import { drawMark, kindWords, type LaneKind } from "./marks.ts";
import { sized, whenRepainted } from "./paint.ts";
import { looks } from "./standings.ts";
import { change, usePage } from "./state.ts";

const keys: readonly (readonly [string, string])[] = [
	["← →", "one request back or on"],
	["⇧ ← →", "ten requests"],
	["Home End", "first and last request"],
	["[ ]", "decision before and next"],
	["space", "play or stop"],
	["+ − 0", "zoom in, out, all"],
	["↑ ↓ Enter", "in a list: move, choose"],
	["/", "search"],
	["c", "hold this request to compare"],
	["x", "swap the two compared"],
	["?", "this help"],
	["Esc", "close it"],
];

/** Keys, marks and colours, on a sheet above the page. */
export function Help(): ComponentChildren {
	const open = usePage((state) => state.help);
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (open && !dialog.current?.open) dialog.current?.showModal();
		if (!open && dialog.current?.open) dialog.current.close();
	}, [open]);
	return h(
		"dialog",
		{
			class: "help",
			ref: dialog,
			"aria-labelledby": "help-title",
			onClose: () => change({ help: false }),
			onClick: (event: MouseEvent) => event.target === dialog.current && change({ help: false }),
		},
		open &&
			h(
				"div",
				{ class: "help-body" },
				h(
					"header",
					null,
					h("h2", { id: "help-title" }, "Keys, marks and colours"),
					h(
						"button",
						{ type: "button", class: "tool", "aria-label": "Close", onClick: () => change({ help: false }) },
						icon("close"),
					),
				),
				h(
					"dl",
					{ class: "help-keys" },
					keys.map(([name, text]) => [
						h(
							"dt",
							null,
							name.split(" ").map((key) => h("kbd", null, key)),
						),
						h("dd", null, text),
					]),
				),
				h(
					"p",
					{ class: "help-hint" },
					"In the timeline, a click sets the playhead, with ⇧ the one to compare it with; drag it, or drag in the lane of marks, to move it. Dragging elsewhere zooms, and so does the wheel.",
				),
				h(
					"ul",
					{ class: "help-marks" },
					(Object.entries(kindWords) as [LaneKind, string][]).map(([kind, text]) =>
						h("li", { key: kind }, h(MarkPicture, { kind }), text),
					),
				),
				h(
					"ul",
					{ class: "help-looks" },
					Object.entries(looks).map(([name, { word, meaning }]) =>
						h(
							"li",
							{ key: name },
							h("i", { class: `swatch ${name}` }),
							h("b", null, word),
							h("span", null, meaning),
						),
					),
				),
			),
	);
}

function MarkPicture({ kind }: { kind: LaneKind }): ComponentChildren {
	const canvas = useRef<HTMLCanvasElement>(null);
	useEffect(() => {
		const draw = () => {
			const context = canvas.current && sized(canvas.current, 16, 16);
			if (context) drawMark(context, kind, 8, 8);
		};
		draw();
		return whenRepainted(draw);
	}, [kind]);
	return h("canvas", { ref: canvas, class: "mark-picture", "aria-hidden": "true" });
}
