import type { EntryNode } from "../../projections/session-tree.ts";
import type { SessionStates } from "../../projections/states.ts";
import { type Content, entryIn } from "./content.ts";
import { previewOf, previewOfText } from "./screen-text.ts";
import { shreddedWords } from "./shredded.ts";

/** What a row says of a content in one line. */
export interface Title {
	/** at most 160 characters, what would not be seen spelt out */
	readonly text: string;
	/** the tool that ran, or that is called first */
	readonly tool?: string;
}

const ROOM = 160;

/** Titles kept: those of some twenty windows. */
const KEPT = 20_000;

const MISSING: Title = { text: "(not readable any more)" };

/** Beginnings of contents, each read once as long as it is asked for now and then. */
export class Titles {
	readonly #known = new Map<string, Title>();

	/** Of an entry. */
	ofEntry(states: SessionStates, content: Content, node: EntryNode): Title {
		return this.#of(states, node.digest, "entry", () => {
			const entry = entryIn(content, node);
			if (!entry) return undefined;
			const call = entry.blocks.find((block) => block.type === "call");
			const tool = entry.tool ?? (call?.type === "call" ? call.tool : undefined);
			return { text: previewOf(entry, ROOM), ...(tool !== undefined && { tool }) };
		});
	}

	/** Of a text of ours: its first line. */
	ofText(states: SessionStates, content: Content, digest: string): Title {
		return this.#of(states, digest, "text", () => titled(content(digest), (lines) => lines[0]));
	}

	/** Of the text that stands for a fold: its second line, where it has one; the first says of every fold what it is. */
	ofFold(states: SessionStates, content: Content, digest: string): Title {
		return this.#of(states, digest, "fold", () => titled(content(digest), (lines) => lines[1] ?? lines[0]));
	}

	#of(
		states: SessionStates,
		digest: string,
		as: "entry" | "text" | "fold",
		read: () => Title | undefined,
	): Title {
		const gone = shreddedWords(states, digest);
		if (gone !== undefined) return { text: gone };
		const key = `${as} ${digest}`;
		const known = this.#known.get(key);
		this.#known.delete(key);
		const title = known ?? titleOf(read);
		// what is not stored may come yet
		if (title !== MISSING) this.#known.set(key, title);
		if (this.#known.size > KEPT) this.#known.delete(this.#known.keys().next().value as string);
		return title;
	}
}

/** Damaged content is told of where it is opened; a list of others is not given up for it. */
function titleOf(read: () => Title | undefined): Title {
	try {
		return read() ?? MISSING;
	} catch {
		return MISSING;
	}
}

/** Bytes of a text that hold its first two lines, if they are no longer than a title. */
const READ = 4_096;

function titled(
	bytes: Uint8Array | undefined,
	pick: (lines: readonly string[]) => string | undefined,
): Title | undefined {
	if (!bytes) return undefined;
	const lines = new TextDecoder().decode(bytes.subarray(0, READ)).split("\n");
	return { text: previewOfText(pick(lines) ?? "", ROOM) };
}
