import { cutOf } from "../../projections/forest.ts";
import { BARE_PLAN } from "../../projections/plans.ts";
import { isTextShown, standingAt } from "../../projections/standing.ts";
import type { SessionStates } from "../../projections/states.ts";
import type { Engine } from "../engine/engine.ts";
import type { Renderer } from "../engine/renderer.ts";

/** A fold text as a commit would show it. */
export interface ShownText {
	readonly fold: string;
	readonly text: string;
	readonly brief: string;
	/** first and last entry it covers */
	readonly from: string;
	readonly to: string;
}

/** What an engine stored, by digest, read once: every option shows most of the texts of the one before. */
export class StoredTexts {
	private readonly engine: Engine;
	private readonly renderer: Renderer;
	private readonly known = new Map<string, string>();

	constructor(engine: Engine, renderer: Renderer) {
		this.engine = engine;
		this.renderer = renderer;
	}

	text(digest: string): string {
		return this.once(digest, (stored) => stored);
	}

	/** the brief alone of a stored brief */
	brief(digest: string): string {
		return this.once(digest, (stored) =>
			this.renderer.brief((JSON.parse(stored) as { brief: unknown }).brief),
		);
	}

	private once(digest: string, read: (stored: string) => string): string {
		const known = this.known.get(digest);
		if (known !== undefined) return known;
		const text = read(new TextDecoder().decode(this.engine.content(digest)));
		this.known.set(digest, text);
		return text;
	}
}

/** The texts that would stand at a leaf for everything up to a cut, oldest first. O(cuts). */
export function shownTexts(
	states: SessionStates,
	leaf: string | null,
	through: string,
	texts: StoredTexts,
): ShownText[] {
	let previous: string | null = null;
	const { expanded, texts: supplied } = BARE_PLAN;
	return standingAt(states, leaf, { through, expanded, texts: supplied }).flatMap((part) => {
		const { cut, text } = part;
		const first = text.level === 0 ? cut : firstCutAfter(states, cut.id, previous);
		previous = cut.id;
		if (!isTextShown(part)) return [];
		return {
			fold: text.fold,
			text: texts.text(text.text),
			brief: texts.brief(text.brief),
			from: cutOf(states.forest, first.id)?.from ?? cut.from,
			to: cut.to,
		};
	});
}

function firstCutAfter(states: SessionStates, last: string, stop: string | null): { id: string } {
	let first = last;
	for (let cut = cutOf(states.forest, last); cut && cut.id !== stop; cut = cutOf(states.forest, cut.before)) {
		first = cut.id;
	}
	return { id: first };
}
