import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Size of an element in pixels, measured again whenever it changes. */
export function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
	const [size, setSize] = useState({ width: 0, height: 0 });
	useLayoutEffect(() => {
		const measured = element.current;
		if (!measured) return;
		const measure = () => {
			const { clientWidth: width, clientHeight: height } = measured;
			setSize((was) => (was.width === width && was.height === height ? was : { width, height }));
		};
		measure();
		const observer = new ResizeObserver(measure);
		observer.observe(measured);
		return () => observer.disconnect();
	}, []);
	return size;
}
