import uPlot from "uplot";
import type { Timeline } from "../../../debug/timeline.ts";
import { axisMoney, short } from "./numbers.ts";
import { colour, density } from "./paint.ts";
import type { Overlay } from "./state.ts";

/** What the chart is drawn from. */
export interface Drawn {
	readonly timeline: Timeline;
	readonly overlay: Overlay | undefined;
	/** requests from and to, with fractions */
	readonly range: readonly [number, number];
}

/** A budget this many times the largest window would press it flat, and is left above the chart. */
const WORTH_SHOWING = 2.2;

/** The chart of the timeline: windows as areas, limits as lines, money on the right. Owns its canvas; `close` it. */
export class Chart {
	readonly #plot: uPlot;
	#drawn: Drawn;

	constructor(element: HTMLElement, drawn: Drawn, size: { width: number; height: number }) {
		this.#drawn = drawn;
		this.#plot = new uPlot(this.#options(size), columns(drawn) as uPlot.AlignedData, element);
	}

	/** Draws other data or another range. */
	show(drawn: Drawn): void {
		const same = drawn.timeline === this.#drawn.timeline && drawn.overlay === this.#drawn.overlay;
		this.#drawn = drawn;
		if (same) this.#plot.setScale("x", { min: drawn.range[0], max: drawn.range[1] });
		else {
			this.#plot.batch(() => {
				this.#plot.setData(columns(drawn) as uPlot.AlignedData);
				// scales of a fixed range are not fitted to other data by themselves
				this.#plot.setScale("tokens", { min: 0, max: this.#top() });
				this.#plot.setScale("money", { min: 0, max: this.#topMoney() });
			});
		}
	}

	/** Takes another size, pixels. */
	resize(size: { width: number; height: number }): void {
		this.#plot.setSize(size);
	}

	/** Draws again in the colours there are now. */
	repaint(): void {
		this.#plot.redraw(false, true);
	}

	/** Left edge and width of what lies between the axes, pixels of style. */
	get inner(): { left: number; width: number } {
		const { left, width } = this.#plot.bbox;
		return { left: left / density(), width: width / density() };
	}

	/** Marks a stretch while a zoom is drawn, pixels from the left edge; none where they are equal. */
	select(from: number, to: number): void {
		const left = Math.min(from, to);
		this.#plot.setSelect(
			{ left, top: 0, width: Math.abs(to - from), height: this.#plot.over.clientHeight },
			false,
		);
	}

	close(): void {
		this.#plot.destroy();
	}

	#options({ width, height }: { width: number; height: number }): uPlot.Options {
		const range = () => [...this.#drawn.range] as [number, number];
		const narrow = width < 600;
		const font = "11px system-ui, sans-serif";
		const axis = {
			font,
			stroke: () => colour("--text-3"),
			ticks: { show: false },
			grid: { stroke: () => colour("--line"), width: 1 },
		};
		const { unit } = this.#drawn.timeline;
		return {
			width,
			height,
			padding: [8, 0, 0, 0],
			legend: { show: false },
			cursor: { show: false },
			scales: {
				x: { time: false, range },
				tokens: { auto: false, range: () => [0, this.#top()] },
				money: { auto: false, range: () => [0, this.#topMoney()] },
			},
			axes: [
				{ ...axis, size: 22, gap: 4, space: 72, incrs: whole(), grid: { show: false } },
				{ ...axis, scale: "tokens", size: 44, gap: 6, space: 32, values: (_, at) => at.map(short) },
				{
					...axis,
					scale: "money",
					side: 1,
					size: narrow ? 44 : 52,
					gap: 6,
					space: 32,
					grid: { show: false },
					values: (_, at) => at.map((value) => axisMoney(value, unit)),
				},
			],
			series: [
				{},
				area("--occupancy", "--occupancy-fill"),
				area("--foldable", "--foldable-fill"),
				line("tokens", "--limit", [5, 4]),
				line("tokens", "--limit", [1, 3]),
				line("money", "--money", []),
				line("tokens", "--other", [6, 3]),
				line("money", "--other", [2, 3]),
			],
		};
	}

	#top(): number {
		const { timeline, overlay } = this.#drawn;
		const largest = Math.max(1, most(timeline.tokens), most(overlay?.tokens ?? []));
		const budget = most(timeline.budget);
		return budget <= largest * WORTH_SHOWING ? Math.max(budget, largest) * 1.08 : largest * 1.12;
	}

	#topMoney(): number {
		const { timeline, overlay } = this.#drawn;
		return (Math.max(most(timeline.spent), most(overlay?.spent ?? [])) || 1) * 1.08;
	}
}

function columns({ timeline, overlay }: Drawn): (readonly (number | null)[])[] {
	const { request, tokens, foldable, budget, floor, spent } = timeline;
	const own = [request, tokens, foldable, budget, floor, spent];
	if (!overlay) return [...own, request.map(() => null), request.map(() => null)];
	return uPlot.join([own, [overlay.request, overlay.tokens, overlay.spent]] as uPlot.AlignedData[]) as never;
}

function area(stroke: string, fill: string): uPlot.Series {
	return {
		scale: "tokens",
		stroke: () => colour(stroke),
		width: 1.25,
		fill: () => colour(fill),
		points: { show: false },
		spanGaps: true,
	};
}

function line(scale: string, stroke: string, dash: number[]): uPlot.Series {
	return { scale, stroke: () => colour(stroke), width: 1.25, dash, points: { show: false }, spanGaps: true };
}

/** Steps of an axis that counts: 1, 2, 5, 10 … */
function whole(): number[] {
	return Array.from({ length: 7 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();
}

function most(values: readonly (number | null)[]): number {
	let found = 0;
	for (const value of values) if (value !== null && value > found) found = value;
	return found;
}
