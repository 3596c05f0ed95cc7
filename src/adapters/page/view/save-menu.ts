import { type ComponentChildren, h } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { icon } from "./icons.ts";
import type { PictureName } from "./pictures.ts";
import { type PictureFormat, savePicture } from "./save-picture.ts";
import { requests } from "./state.ts";

const choices: readonly (readonly [PictureName, string])[] = [
	["timeline", "Timeline"],
	["strip", "Window, to scale"],
	["decision", "Holding against rewriting"],
];

/** A menu of what can be saved as a picture. */
export function SaveMenu(): ComponentChildren {
	const [open, setOpen] = useState(false);
	const [failed, setFailed] = useState<string | undefined>(undefined);
	const box = useRef<HTMLDivElement>(null);
	const button = useRef<HTMLButtonElement>(null);
	const items = () => [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
	const close = (toButton: boolean) => {
		setOpen(false);
		if (toButton) button.current?.focus();
	};
	useLayoutEffect(() => {
		if (!open) return;
		items()[0]?.focus();
		const outside = ({ target }: Event) => {
			if (!(target instanceof Node && box.current?.contains(target))) close(false);
		};
		document.addEventListener("pointerdown", outside);
		return () => document.removeEventListener("pointerdown", outside);
	}, [open]);
	const key = (event: KeyboardEvent) => {
		const all = items();
		const here = all.indexOf(document.activeElement as HTMLElement);
		const to = {
			ArrowDown: (here + 1) % all.length,
			ArrowUp: (here + all.length - 1) % all.length,
			Home: 0,
			End: all.length - 1,
		}[event.key];
		if (event.key === "Escape") close(true);
		else if (event.key === "Tab") close(false);
		else if (to !== undefined) all[to]?.focus();
		if (event.key !== "Tab" && event.key !== "Enter" && event.key !== " ") event.preventDefault();
		event.stopPropagation();
	};
	const save = (name: PictureName, format: PictureFormat) => {
		close(true);
		setFailed(undefined);
		savePicture(name, format).catch((error: Error) => setFailed(error.message));
	};
	return h(
		"div",
		{ class: "save", ref: box },
		h(
			"button",
			{
				type: "button",
				class: "tool",
				ref: button,
				"aria-label": "Save as a picture",
				title: "Save as a picture",
				"aria-haspopup": "menu",
				"aria-expanded": open,
				disabled: requests() === 0,
				onClick: () => setOpen(!open),
			},
			icon("save"),
		),
		open &&
			h(
				"div",
				{ class: "save-menu", role: "menu", "aria-label": "Save as a picture", onKeyDown: key },
				choices.map(([name, words]) =>
					h(
						"div",
						{ key: name, class: "save-row", role: "group", "aria-label": words },
						h("span", null, words),
						(["svg", "png"] as const).map((format) =>
							h(
								"button",
								{
									type: "button",
									key: format,
									role: "menuitem",
									tabIndex: -1,
									class: "plain",
									"aria-label": `${words} as ${format.toUpperCase()}`,
									onClick: () => save(name, format),
								},
								format.toUpperCase(),
							),
						),
					),
				),
			),
		failed !== undefined &&
			h(
				"p",
				{ class: "save-menu failed", role: "alert", onClick: () => setFailed(undefined) },
				`It could not be saved: ${failed}`,
			),
	);
}
