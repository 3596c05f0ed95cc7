import type { EntryNode } from "../../projections/session-tree.ts";
import type { TranscriptEntry } from "../../projections/transcript.ts";

/** What a stream refers to, as it is stored: bytes by their digest, and the entries of the session decoded. */
export interface Content {
	/** bytes by their hex SHA-256; `undefined` where they are not stored. Throws `STORE_BLOB_DAMAGED` */
	(digest: string): Uint8Array | undefined;
	/** an entry from its bytes, by whoever knows the host that wrote them */
	readonly decode: (bytes: Uint8Array, node: EntryNode) => TranscriptEntry;
}

/** An entry of the session, decoded; `undefined` where its bytes are not there any more. Throws as `Content` does. */
export function entryIn(content: Content, node: EntryNode): TranscriptEntry | undefined {
	const bytes = content(node.digest);
	return bytes && content.decode(bytes, node);
}
