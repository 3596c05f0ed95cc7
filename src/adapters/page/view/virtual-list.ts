import { type ComponentChildren, h } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSize } from "./use-size.ts";

/** Height of a row, pixels. */
const ROW_HEIGHT = 28;

/** Rows drawn above and below those that can be seen. */
const BEYOND = 6;

/** Browsers can place no element taller than this, pixels; longer lists scroll in larger steps. */
const TALLEST = 8_000_000;

interface VirtualListProps {
	/** what a screen reader calls the list */
	readonly label: string;
	/** prefix of the ids of rows, unique on the page */
	readonly name: string;
	readonly count: number;
	/** index of the row that the keyboard is on; -1 for none */
	readonly cursor: number;
	/** index of the row that is chosen; -1 for none */
	readonly chosen: number;
	readonly onCursor: (index: number) => void;
	readonly onChoose: (index: number) => void;
	/** what stands in a row, and what a screen reader calls it */
	readonly row: (index: number) => { readonly cells: ComponentChildren; readonly name: string };
	/** told which rows can be seen, from and to, so that they can be fetched */
	readonly onShown?: (from: number, to: number) => void;
}

/**
 * A list of any length of which only the rows that can be seen are drawn. One row is that of the keyboard: arrows, page
 * keys, Home and End move it, Enter and a click choose.
 */
export function VirtualList(props: VirtualListProps): ComponentChildren {
	const { count, cursor, chosen, name, onShown } = props;
	const box = useRef<HTMLDivElement>(null);
	const { height } = useSize(box);
	const [top, setTop] = useState(0);
	const tall = Math.min(TALLEST, count * ROW_HEIGHT);
	const from = Math.max(0, rowAt(top, count, height, tall) - BEYOND);
	const to = Math.min(count, from + Math.ceil(height / ROW_HEIGHT) + 2 * BEYOND);
	const shift = tall < count * ROW_HEIGHT ? top - rowAt(top, count, height, tall) * ROW_HEIGHT : 0;

	useLayoutEffect(() => {
		const element = box.current;
		if (!element || cursor < 0 || height === 0) return;
		const to = scrollToReveal(cursor, element.scrollTop, { count, height, tall });
		if (to !== undefined) element.scrollTop = to;
	}, [cursor, count, height]);
	useEffect(() => onShown?.(from, to), [from, to]);

	const owed = useRef(0);
	const wheel = (event: WheelEvent) => {
		const scale = tall / (count * ROW_HEIGHT);
		if (scale >= 1 || event.ctrlKey || event.deltaY === 0) return;
		event.preventDefault();
		const by = owed.current + event.deltaY * (event.deltaMode === 0 ? 1 : ROW_HEIGHT) * scale;
		owed.current = by - Math.trunc(by);
		(event.currentTarget as HTMLElement).scrollTop += Math.trunc(by);
	};
	const key = (event: KeyboardEvent) => {
		const page = Math.max(1, Math.floor(height / ROW_HEIGHT) - 1);
		const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
		const step = steps[event.key];
		if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
		if (step !== undefined) props.onCursor(Math.min(count - 1, Math.max(0, cursor + step)));
		else if (event.key === "Home") props.onCursor(0);
		else if (event.key === "End") props.onCursor(count - 1);
		else if ((event.key === "Enter" || event.key === " ") && cursor >= 0) props.onChoose(cursor);
		else return;
		event.preventDefault();
	};
	return h(
		"div",
		{
			class: "list",
			ref: box,
			role: "listbox",
			tabIndex: 0,
			"aria-label": props.label,
			"aria-activedescendant": cursor >= from && cursor < to ? `${name}-${cursor}` : undefined,
			onScroll: (event: Event) => setTop((event.currentTarget as HTMLElement).scrollTop),
			onKeyDown: key,
			onWheel: wheel,
		},
		h(
			"div",
			{ class: "list-bed", role: "presentation", style: { height: `${tall}px` } },
			Array.from({ length: Math.max(0, to - from) }, (_, step) => {
				const index = from + step;
				const { cells, name: spoken } = props.row(index);
				return h(
					"div",
					{
						key: index,
						id: `${name}-${index}`,
						class: index === cursor ? "row cursor" : "row",
						role: "option",
						"aria-selected": index === chosen,
						"aria-setsize": count,
						"aria-posinset": index + 1,
						"aria-label": spoken,
						style: { transform: `translateY(${index * ROW_HEIGHT + shift}px)` },
						onClick: () => {
							props.onCursor(index);
							props.onChoose(index);
						},
					},
					cells,
				);
			}),
		),
	);
}

/** The row at the upper edge of what is scrolled to. */
function rowAt(top: number, count: number, height: number, tall: number): number {
	if (tall === count * ROW_HEIGHT) return Math.floor(top / ROW_HEIGHT);
	const share = top / Math.max(1, tall - height);
	return Math.round(share * Math.max(0, count - Math.floor(height / ROW_HEIGHT)));
}

interface Extent {
	readonly count: number;
	/** of what can be seen, and of all there is to scroll, pixels */
	readonly height: number;
	readonly tall: number;
}

/**
 * What has to be scrolled to for a row to be seen; `undefined` where it is. A step to the next row moves the list by that;
 * what is far away comes to stand in the middle.
 */
function scrollToReveal(row: number, top: number, { count, height, tall }: Extent): number | undefined {
	const isExact = tall === count * ROW_HEIGHT;
	const offset = isExact ? top : rowAt(top, count, height, tall) * ROW_HEIGHT;
	const [above, below] = [row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT - height];
	if (above >= offset && below <= offset) return undefined;
	const edge = above < offset ? above : below;
	const wanted = Math.abs(edge - offset) > height / 2 ? (above + below) / 2 : edge;
	if (isExact) return wanted;
	const first = Math.max(0, Math.ceil(wanted / ROW_HEIGHT));
	return (first / Math.max(1, count - Math.floor(height / ROW_HEIGHT))) * Math.max(1, tall - height);
}
