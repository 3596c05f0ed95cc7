import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { LANE_HEIGHT } from "./lane.ts";
import { go } from "./place.ts";
import { change, requests, state } from "./state.ts";
import { panBy, zoomBy, zoomTo } from "./zoom.ts";

/** Where the pointer is over the plot. */
export interface Hover {
	/** pixels from the left edge of the chart */
	readonly x: number;
	readonly request: number;
	/** pixels from the upper edge of the lane of marks, where it is over that */
	readonly laneY: number | undefined;
}

interface Geometry {
	readonly inner: { readonly left: number; readonly width: number };
	readonly range: readonly [number, number];
	/** shows the stretch that would be zoomed to, pixels from the left edge */
	readonly select: (from: number, to: number) => void;
}

/** How near the playhead a pointer takes hold of it, pixels. */
const GRIP = 7;

/** A pointer that moved less than this has clicked, pixels. */
const STILL = 4;

/**
 * Pointer and wheel over the plot. A click sets the playhead, with Shift the one it is
 * compared with; dragging the playhead, or in the lane, or with a finger,
 * moves it; dragging elsewhere zooms to what was dragged over; the wheel zooms around the pointer.
 */
export function usePointer(frame: RefObject<HTMLElement | null>, geometry: Geometry): Hover | undefined {
	const [hover, setHover] = useState<Hover | undefined>(undefined);
	const latest = useRef(geometry);
	latest.current = geometry;
	useEffect(() => {
		const element = frame.current;
		if (!element) return;
		return listen(element, () => latest.current, setHover);
	}, []);
	return hover;
}

function listen(
	element: HTMLElement,
	geometry: () => Geometry,
	setHover: (hover: Hover | undefined) => void,
) {
	let drag: { from: number; scrubs: boolean; moved: boolean } | undefined;
	const control = new AbortController();
	const { signal } = control;

	const find = (event: PointerEvent | WheelEvent) => {
		const { inner, range } = geometry();
		const box = element.getBoundingClientRect();
		const x = Math.min(inner.width, Math.max(0, event.clientX - box.left - inner.left));
		const exact = range[0] + (x / Math.max(1, inner.width)) * (range[1] - range[0]);
		const request = Math.min(requests(), Math.max(1, Math.round(exact)));
		const laneY = event.clientY - (box.bottom - LANE_HEIGHT);
		return { x, exact, request, laneY: laneY >= 0 ? laneY : undefined };
	};
	const playheadX = () => {
		const { inner, range } = geometry();
		return ((state().at - range[0]) / (range[1] - range[0])) * inner.width;
	};
	const down = (event: PointerEvent) => {
		if (event.button !== 0) return;
		const { x, request, laneY } = find(event);
		const scrubs = event.pointerType === "touch" || laneY !== undefined || Math.abs(x - playheadX()) <= GRIP;
		drag = { from: x, scrubs, moved: false };
		element.setPointerCapture(event.pointerId);
		change({ playing: 0 });
		if (scrubs && event.pointerType === "touch") go({ at: request }, true);
		event.preventDefault();
		element.querySelector<HTMLElement>("[role=slider]")?.focus({ preventScroll: true });
	};
	const move = (event: PointerEvent) => {
		const { x, request, laneY } = find(event);
		setHover(event.pointerType === "touch" ? undefined : { x, request, laneY });
		if (!drag) return;
		drag.moved ||= Math.abs(x - drag.from) >= STILL;
		if (!drag.moved) return;
		if (drag.scrubs) go({ at: request }, true);
		else geometry().select(drag.from, x);
	};
	const up = (event: PointerEvent) => {
		if (!drag) return;
		const { from, scrubs, moved } = drag;
		drag = undefined;
		geometry().select(0, 0);
		setHover(undefined);
		const { x, request } = find(event);
		if (!moved) go(event.shiftKey ? { beside: request, panel: "compare" } : { at: request });
		else if (!scrubs) {
			const { inner, range } = geometry();
			const toRequest = (at: number) => range[0] + (at / inner.width) * (range[1] - range[0]);
			zoomTo(toRequest(Math.min(from, x)), toRequest(Math.max(from, x)));
		}
	};
	const wheel = (event: WheelEvent) => {
		if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
			if (!state().zoom) return;
			event.preventDefault();
			panBy(event.deltaX / 800);
			return;
		}
		if (event.deltaY > 0 && !state().zoom) return;
		event.preventDefault();
		zoomBy(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) / 400), find(event).exact);
	};
	element.addEventListener("pointerdown", down, { signal });
	element.addEventListener("pointermove", move, { signal });
	element.addEventListener("pointerup", up, { signal });
	element.addEventListener("pointercancel", () => (drag = undefined), { signal });
	element.addEventListener("pointerleave", () => setHover(undefined), { signal });
	element.addEventListener("wheel", wheel, { signal, passive: false });
	return () => control.abort();
}
