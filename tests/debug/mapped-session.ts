import { expect } from "vitest";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import type { Block, TranscriptEntry } from "../../projections/transcript.ts";
import type { WindowCommand } from "../../src/commands/window-command.ts";
import { type MapRow, type WindowMap, windowMap } from "../../src/debug/window-map.ts";
import { rowsBelow } from "../../src/debug/window-map-below.ts";
import { Engine } from "../../src/engine/engine.ts";
import { forgetfulJournal } from "../../src/engine/journal.ts";
import { sha256Node } from "../../src/store/hash.ts";
import { chain, custom, type Made, reply, result, system, user } from "../engine/made-entries.ts";

/** Cuts of one exchange, groups of three, hardly anything kept raw. */
const SETTINGS: Settings = {
	...DEFAULT_SETTINGS,
	minFoldChars: 2_000,
	floorTokens: 700,
	consolidateAfter: 3,
	toolFoldThreshold: 0,
};

/** A session by hand on the real engine, as the map of its window shows it. */
export class MappedSession {
	readonly engine = new Engine({
		journal: { ...forgetfulJournal(), hash: (position) => `hash ${position}` },
		hash: sha256Node,
		decode: (_bytes, { id }) =>
			this.entries.find((entry) => entry.id === id) ?? expect.fail(`${id} is not at hand`),
		driver: "live",
		heedsCompactions: true,
	});
	readonly entries: TranscriptEntry[] = [];
	leaf: string | null = null;

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

	async add(...made: Made[]): Promise<void> {
		for (const entry of chain(made, this.leaf)) {
			this.entries.push(entry);
			await this.engine.record(entry);
			this.leaf = entry.id;
		}
	}

	get request() {
		return { at: 0, leaf: this.leaf, model: "m" };
	}

	/** Decides something, a commit unless told otherwise, and records its node; gives its name. */
	async decide(command?: WindowCommand): Promise<string> {
		const decision = command
			? await this.engine.decideCommand(command, this.request, { actor: "user" })
			: await this.engine.commitNow(this.request);
		if (!decision) throw new RangeError("nothing was decided");
		const [node] = chain([custom(`n${decision.position}`)], this.leaf) as [TranscriptEntry];
		this.entries.push(node);
		await this.engine.record(node, decision.position);
		this.leaf = node.id;
		return decision.id;
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

/** A message that says some words. */
export function said(made: Made, words: string): Made {
	const text: Block = { type: "text", text: words };
	return { ...made, blocks: [text] };
}
