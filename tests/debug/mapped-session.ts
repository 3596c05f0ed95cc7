import { expect } from "vitest";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { type MapRow, type WindowMap, windowMap } from "../../src/debug/window-map.ts";
import { rowsBelow } from "../../src/debug/window-map-below.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { HandMade, said } from "../engine/hand-made.ts";
import { reply, result, system, user } from "../engine/made-entries.ts";

/** Cuts of one exchange, groups of three, hardly anything kept raw. */
const SETTINGS: Settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 2_000,
	floorTokens: 700,
	consolidateAfter: 3,
	toolFoldThreshold: 0,
};

/** A session by hand on the real engine, as the map of its window shows it. */
export class MappedSession extends HandMade {
	readonly engine = new Engine({
		journal: { ...forgetfulJournal(), hash: (position) => `hash ${position}` },
		hash: sha256Node,
		decode: (_bytes, { id }) =>
			this.entries.find((entry) => entry.id === id) ?? expect.fail(`${id} is not at hand`),
		driver: "live",
		heedsCompactions: true,
	});

	/** A session that begins with a system message, and holds so many exchanges: something asked, a call, its result, a reply. */
	static async of(exchanges: number, more: Partial<Settings> = {}): Promise<MappedSession> {
		const session = new MappedSession();
		await session.engine.note(
			[{ type: "session/settingsChanged", data: { ...SETTINGS, ...more } }],
			0,
			"host",
		);
		await session.add(system("s0", 60));
		for (let n = 1; n <= exchanges; n++) await session.exchange(n);
		return session;
	}

	async exchange(n: number, chars = 2_400): Promise<void> {
		await this.add(
			said(user(`u${n}`), `Question ${n}: look at topic-${n} for me`),
			reply(`c${n}`, 20, [`call-${n}`], { stop: "toolUse" }),
			said(result(`r${n}`, `call-${n}`), `output of topic-${n}\n${"row ".repeat(chars / 4)}`),
			said(reply(`a${n}`), `Topic-${n} is done.`),
		);
	}

	map(): WindowMap {
		const { engine } = this;
		return windowMap({
			states: engine.states,
			request: this.request,
			entry: (id) => engine.entry(id),
			briefOf: (digest) => engine.briefText(digest),
			suppliedIn: (digest) => engine.suppliedIn(digest),
			content: (digest) => engine.content(digest),
		});
	}
}

/** Rows and all that is below them. */
export function opened(map: WindowMap, rows: readonly MapRow[] = map.rows): MapRow[] {
	return rows.flatMap((row) => [row, ...opened(map, rowsBelow(map.desk, row))]);
}
