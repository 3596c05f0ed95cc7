import type { Evidence } from "../../projections/work-summary/evidence.ts";

/** A brief as it is stored: with what its parent's text needs, and what the stretch holds for the work summary. */
export interface StoredBrief {
	/** messages it tells of */
	readonly entries: number;
	readonly brief: unknown;
	/** oldest first; absent where a release wrote it that knew of none */
	readonly evidence?: readonly Evidence[];
}

/** A stored brief by its digest; `undefined` where it is not stored. */
export function storedBriefAt(
	{ content }: { readonly content: (digest: string) => Uint8Array | undefined },
	digest: string,
): StoredBrief | undefined {
	const bytes = content(digest);
	return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as StoredBrief);
}
