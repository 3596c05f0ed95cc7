import type { DecisionView } from "../../../debug/decision-view.ts";
import type { Timeline } from "../../../debug/timeline.ts";
import type { WindowView } from "../../../debug/window-view.ts";
import { ask } from "./api.ts";
import { spokenCurve } from "./decision-chart.ts";
import { drawDecision } from "./decision-drawing.ts";
import { folderOf } from "./folder.ts";
import { count, counted, dayOf, money, timeOf } from "./numbers.ts";
import { colour } from "./paint.ts";
import type { Pen } from "./pen.ts";
import { state } from "./state.ts";
import { drawStrip } from "./strip-drawing.ts";
import { type PictureWords, SvgPen } from "./svg-pen.ts";
import { drawTimeline } from "./timeline-drawing.ts";

/** What can be saved as a picture. */
export type PictureName = "timeline" | "strip" | "decision";

/** A picture of a part of the page, in the colours it has now. */
export interface Picture {
	/** name of its file, without an ending */
	readonly name: string;
	readonly svg: string;
	readonly width: number;
	readonly height: number;
}

/** Places of the timeline in a picture: about two to a pixel of a printed page. */
const PLACES = 2000;

/** Air around what is drawn, pixels. */
const MARGIN = 24;

/** Height of the heading, pixels. */
const HEADING = 38;

interface Drawing extends PictureWords {
	readonly width: number;
	readonly height: number;
	readonly draw: (pen: SvgPen) => void;
}

/** Draws a part of the page as it stands at the playhead. Throws `ApiError` where what it shows cannot be had. */
export async function pictureOf(name: PictureName): Promise<Picture> {
	const { session, at } = state();
	const { title, description, width, height, draw } = await drawings[name](at);
	const [wide, high] = [width + 2 * MARGIN, height + 2 * MARGIN + HEADING];
	const pen = new SvgPen(wide, high);
	pen.fillStyle = colour("--surface");
	pen.fillRect(0, 0, wide, high);
	heading(pen, title, description);
	draw(pen);
	const safe = (session?.session ?? "session").replace(/[^\w.-]+/g, "-").slice(0, 80);
	return {
		name: `palimpsest-${safe}-request-${at}-${name}`,
		svg: pen.text({ title, description }),
		width: wide,
		height: high,
	};
}

function heading(pen: Pen, title: string, description: string): void {
	pen.textAlign = "left";
	pen.textBaseline = "middle";
	pen.fillStyle = colour("--text");
	pen.font = "600 13px system-ui, sans-serif";
	pen.fillText(title, MARGIN, MARGIN);
	pen.fillStyle = colour("--text-2");
	pen.font = "11px system-ui, sans-serif";
	pen.fillText(description, MARGIN, MARGIN + 18);
}

const drawings: Readonly<Record<PictureName, (at: number) => Promise<Drawing>>> = {
	timeline: async (at) => {
		const { zoom, overlay, beside, session } = state();
		const range = zoom ?? ([1, session?.requests ?? 1] as const);
		const timeline = await ask<Timeline>(`/api/timeline?from=${range[0]}&to=${range[1]}&most=${PLACES}`);
		const [width, height] = [1200, 320];
		const marks = timeline.marks.filter(({ request }) => request >= range[0] && request <= range[1]);
		return {
			title: `${nameOfSession()}, requests ${count(range[0])} to ${count(range[1])}`,
			description: `${counted(marks.length, "mark")}; ${money(timeline.spent.at(-1) ?? 0, timeline.unit)} spent by request ${count(range[1])}; the playhead stands at request ${count(at)}`,
			width,
			height,
			draw: (pen) =>
				drawTimeline(shifted(pen), { timeline, overlay, range, at, beside, width, height, colour }),
		};
	},
	strip: async (at) => {
		const view = await ask<WindowView>(`/api/window/${at}`);
		const [width, height] = [1200, 88];
		return {
			title: `${nameOfSession()}, the window of request ${count(at)}`,
			description: `${count(view.tokens)} of ${count(view.budget)} tokens, ${counted(view.rows.length, "item")}, sent ${dayOf(view.time)} ${timeOf(view.time)} to ${view.model}`,
			width,
			height,
			draw: (pen) => drawStrip(shifted(pen), { view, width, height, colour }),
		};
	},
	decision: async (at) => {
		const view = await ask<DecisionView>(`/api/decision/${at}`);
		const { curve, unit } = view;
		const [width, height] = [720, 260];
		return {
			title: `${nameOfSession()}, holding against rewriting before request ${count(view.request)}`,
			description: spokenCurve(view),
			width,
			height,
			draw: (pen) => drawDecision(shifted(pen), { curve, unit, width, height, colour }),
		};
	},
};

function nameOfSession(): string {
	const { session } = state();
	return folderOf(session) ?? session?.session ?? "Session";
}

/** Below the heading, within the margins. */
function shifted(pen: SvgPen): SvgPen {
	pen.translate(MARGIN, MARGIN + HEADING);
	return pen;
}
