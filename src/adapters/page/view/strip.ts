import { type ComponentChildren, h } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { WindowView } from "../../../debug/window-view.ts";
import { colour, fill, sized, whenRepainted } from "./paint.ts";
import { lookOf } from "./standings.ts";
import { useSize } from "./use-size.ts";

interface StripProps {
	readonly view: WindowView;
	/** index of the row that is pointed at; -1 for none */
	readonly cursor: number;
	readonly chosen: number;
	readonly onCursor: (index: number) => void;
	readonly onChoose: (index: number) => void;
	/** what a screen reader says of a row */
	readonly nameOf: (index: number) => string;
}

/** Items wider than this are kept apart by a line, pixels. */
const APART = 4;

/**
 * The window drawn to scale: what comes before every item, then an item behind the other, as wide as it has tokens. The
 * pointer and the arrow keys choose among items, however thin they are.
 */
export function Strip({ view, cursor, chosen, onCursor, onChoose, nameOf }: StripProps): ComponentChildren {
	const box = useRef<HTMLDivElement>(null);
	const canvas = useRef<HTMLCanvasElement>(null);
	const { width, height } = useSize(box);
	const ends = useMemo(() => endsOf(view), [view]);
	const total = Math.max(1, ends.at(-1) ?? view.base);
	const scale = width / total;
	const startOf = (index: number) => (index === 0 ? view.base : (ends[index - 1] ?? view.base)) * scale;
	const endOf = (index: number) => (ends[index] ?? 0) * scale;

	useLayoutEffect(() => {
		const draw = () => canvas.current && paint(canvas.current, view, ends, { width, height, scale });
		draw();
		return whenRepainted(draw);
	}, [view, ends, width, height]);

	const at = (event: PointerEvent | MouseEvent) => {
		const x = event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
		return indexAt(ends, x / Math.max(scale, 1e-9), view.base);
	};
	const key = (event: KeyboardEvent) => {
		const last = view.rows.length - 1;
		const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (event.ctrlKey || event.metaKey || event.altKey || last < 0) return;
		if (step !== undefined) onCursor(Math.min(last, Math.max(0, cursor + step * (event.shiftKey ? 10 : 1))));
		else if (event.key === "Home") onCursor(0);
		else if (event.key === "End") onCursor(last);
		else if ((event.key === "Enter" || event.key === " ") && cursor >= 0) onChoose(cursor);
		else return;
		event.preventDefault();
	};
	const frame = (name: string, index: number) =>
		index >= 0 &&
		index < view.rows.length &&
		h("span", {
			class: `strip-frame ${name}`,
			style: { left: `${startOf(index)}px`, width: `${Math.max(2, endOf(index) - startOf(index))}px` },
		});
	return h(
		"div",
		{
			class: "strip",
			ref: box,
			role: "slider",
			tabIndex: 0,
			"aria-label": "Items of the window, to scale",
			"aria-valuemin": 1,
			"aria-valuemax": Math.max(1, view.rows.length),
			"aria-valuenow": cursor + 1,
			"aria-valuetext": cursor >= 0 && cursor < view.rows.length ? nameOf(cursor) : "no item",
			onPointerMove: (event: PointerEvent) => onCursor(at(event)),
			onPointerLeave: () => onCursor(chosen),
			onClick: (event: MouseEvent) => {
				const index = at(event);
				if (index >= 0) onChoose(index);
			},
			onKeyDown: key,
		},
		h("canvas", { ref: canvas, "aria-hidden": "true" }),
		frame("chosen", chosen),
		frame("pointed", cursor),
	);
}

/** Where each row ends, tokens, the first one behind what comes before every row. */
function endsOf(view: WindowView): number[] {
	let end = view.base;
	return view.rows.map(({ tokens }) => {
		end += tokens;
		return end;
	});
}

/** The row that holds a token; -1 for what comes before the first. */
function indexAt(ends: readonly number[], token: number, base: number): number {
	if (token < base) return -1;
	let [low, high] = [0, ends.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((ends[middle] ?? 0) > token) high = middle;
		else low = middle + 1;
	}
	return high < 0 ? -1 : low;
}

function paint(
	canvas: HTMLCanvasElement,
	view: WindowView,
	ends: readonly number[],
	{ width, height, scale }: { width: number; height: number; scale: number },
): void {
	const context = sized(canvas, width, height);
	if (!context || width === 0) return;
	context.fillStyle = fill(context, "--base", "hatch");
	context.fillRect(0, 0, view.base * scale, height);
	let start = view.base * scale;
	for (const [index, row] of view.rows.entries()) {
		const end = (ends[index] ?? 0) * scale;
		const { colour: property, texture } = lookOf(row.standing);
		const wide = end - start;
		context.fillStyle = wide > APART ? fill(context, property, texture) : colour(property);
		context.fillRect(start, 0, Math.max(0.5, wide), height);
		if (wide > APART) {
			context.fillStyle = colour("--surface");
			context.fillRect(end - 0.5, 0, 1, height);
		}
		start = end;
	}
}
