import type { EntryNode } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";
import type { Content, Journal } from "./journal.ts";

/** What content is kept with and read back by. */
export interface ContentParts {
	readonly journal: Journal;
	/** hex SHA-256 of bytes */
	readonly hash: (bytes: Uint8Array) => string;
	/** an entry from its bytes, as its adapter reads it */
	readonly decode: (bytes: Uint8Array, node: EntryNode) => TranscriptEntry;
}

/** Entries kept decoded; the rest is read back from the journal. */
const RECENT = 256;

/** The text behind a session's states: entries, briefs and fold texts, by digest, some still waiting to be stored. */
export class Contents {
	private readonly parts: ContentParts;
	private readonly recent = new Map<string, TranscriptEntry>();
	private readonly staged = new Map<string, Content>();

	constructor(parts: ContentParts) {
		this.parts = parts;
	}

	/** Puts an entry's bytes aside to be stored, and keeps it decoded for a while. */
	keepEntry(entry: TranscriptEntry): Content {
		this.recent.set(entry.id, entry);
		const [oldest] = this.recent.keys();
		if (this.recent.size > RECENT && oldest !== undefined) this.recent.delete(oldest);
		return this.keep(entry.bytes);
	}

	/** Puts bytes aside to be stored with the next events. */
	keep(bytes: Uint8Array): Content {
		const content = { digest: this.parts.hash(bytes), bytes };
		this.staged.set(content.digest, content);
		return content;
	}

	/** Everything put aside so far, which is the caller's to store. */
	unstage(): Content[] {
		const contents = [...this.staged.values()];
		this.staged.clear();
		return contents;
	}

	/** Lets go of content that was destroyed, and of everything decoded. */
	forget(digests: readonly string[]): void {
		for (const digest of digests) this.staged.delete(digest);
		this.recent.clear();
	}

	/** An entry, decoded. */
	entry(node: EntryNode | undefined): TranscriptEntry | undefined {
		const known = node && this.recent.get(node.id);
		if (known) return known;
		const bytes = node && this.content(node.digest);
		return node && bytes && this.parts.decode(bytes, node);
	}

	/** Content by its digest. */
	content(digest: string): Uint8Array | undefined {
		return this.staged.get(digest)?.bytes ?? this.parts.journal.content(digest);
	}
}
