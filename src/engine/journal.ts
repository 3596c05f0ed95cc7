import type { DomainEvent } from "../../events/catalogue.ts";
import type { Recorded } from "../../events/envelope.ts";
import type { NamedState } from "../../projections/states.ts";
import type { Sealer } from "../store/seal.ts";
import type { RowChanges } from "../store/store.ts";

/** Content to be stored under its digest. */
export interface Content {
	/** hex SHA-256 of the bytes */
	readonly digest: string;
	readonly bytes: Uint8Array;
}

/**
 * Where an engine's events go: one stream of a store, or nowhere. `append` takes the position of the first event and
 * refuses any other; content is readable as soon as it was handed over.
 */
export interface Journal {
	append(
		events: readonly Recorded<DomainEvent>[],
		expectedVersion: number,
		options: {
			readonly sync: boolean;
			readonly contents: readonly Content[];
			/** states with these events folded in, to begin with when the stream is opened again */
			readonly checkpoints?: readonly NamedState[];
			/** digests of content to destroy */
			readonly shred?: readonly string[];
			/** index rows that change with it */
			readonly rows?: RowChanges;
			/** seals what a user did */
			readonly sealer?: Sealer;
		},
	): Promise<void>;
	content(digest: string): Uint8Array | undefined;
	/** hex SHA-256 of a stored event; absent where none stands at the position, or none are kept */
	hash?(position: number): string | undefined;
}

/** A journal that keeps content in memory and forgets events: for asking "what would have been". */
export function forgetfulJournal(): Journal {
	const contents = new Map<string, Uint8Array>();
	return {
		append: async (_events, _version, options) => {
			for (const { digest, bytes } of options.contents) contents.set(digest, bytes);
		},
		content: (digest) => contents.get(digest),
	};
}
