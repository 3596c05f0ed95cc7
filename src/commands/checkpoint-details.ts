import type { CompactionReason, WindowManifest } from "../../events/compaction.ts";

/** Who wrote a compaction's details. */
const COMPACTOR = "pi-palimpsest";

/** What a checkpoint's entry in the session carries for programs; the model is not sent it. */
export interface CheckpointDetails {
	readonly compactor: typeof COMPACTOR;
	readonly version: 1;
	readonly reason: CompactionReason;
	/** entries that left the window, oldest first */
	readonly sourceEntryIds: readonly string[];
	/** hex SHA-256 over their ids and digests, as the manifest has it */
	readonly sourceHash: string;
	readonly sourceRecordCount: number;
	readonly keptEntryId: string;
	/** entries that are not in the text, which is all of them */
	readonly omittedRecordCount: number;
	readonly checkpointChars: number;
	readonly summaryMaxChars: number;
	/** tokens of the text, at four characters each */
	readonly estimatedTokensAfter: number;
	readonly isSplitTurn: boolean;
	readonly manifest: WindowManifest;
	/** place and hash of `compaction/intercepted` in the log it was first written to */
	readonly position: number;
	readonly hash: string;
}

/** What {@link checkpointDetails} puts together. */
export interface DetailFacts
	extends Pick<CheckpointDetails, "reason" | "manifest" | "position" | "hash" | "isSplitTurn"> {
	readonly sources: readonly string[];
	readonly text: string;
	readonly maxChars: number;
}

/** The details of a checkpoint. */
export function checkpointDetails(facts: DetailFacts): CheckpointDetails {
	const { reason, manifest, position, hash, isSplitTurn, sources, text, maxChars } = facts;
	return {
		compactor: COMPACTOR,
		version: 1,
		reason,
		sourceEntryIds: [...sources],
		sourceHash: manifest.sources,
		sourceRecordCount: sources.length,
		keptEntryId: manifest.boundary,
		omittedRecordCount: sources.length,
		checkpointChars: text.length,
		summaryMaxChars: maxChars,
		estimatedTokensAfter: Math.ceil(text.length / 4),
		isSplitTurn,
		manifest,
		position,
		hash,
	};
}

/** What a manifest is made from beside the digests. */
export type ManifestFacts = Omit<
	WindowManifest,
	"digest" | "sources" | "id" | "first" | "last" | "entries"
> & {
	/** ids and digests of the entries that left, oldest first */
	readonly gone: readonly { readonly id: string; readonly digest: string }[];
	/** what tells this window from all others: session, place in its log, time */
	readonly unique: string;
};

/** The manifest of a window, chained to the one before. `hash` is hex SHA-256 of a text. O(entries that left). */
export function windowManifest(
	{ gone, unique, parent, previous, boundary, kept, folds }: ManifestFacts,
	hash: (text: string) => string,
): WindowManifest {
	const sources = hash(gone.map(({ id, digest }) => `${id} ${digest}`).join("\n"));
	const manifest = {
		id: `win_${hash(`${unique}\n${sources}`).slice(0, 24)}`,
		parent,
		previous,
		boundary,
		entries: gone.length,
		first: gone[0]?.id ?? null,
		last: gone.at(-1)?.id ?? null,
		sources,
		kept,
		folds,
	};
	return { ...manifest, digest: manifestDigest(manifest, hash) };
}

/** The digest over all other fields of a manifest. */
function manifestDigest(
	{
		id,
		parent,
		previous,
		boundary,
		entries,
		first,
		last,
		sources,
		kept,
		folds,
	}: Omit<WindowManifest, "digest">,
	hash: (text: string) => string,
): string {
	return hash(JSON.stringify([id, parent, previous, boundary, entries, first, last, sources, kept, folds]));
}

/** What an earlier compaction's details say of its window, whoever of the two programs wrote them. */
export interface ReadDetails {
	readonly compactor: string;
	/** the window's name, where it has one */
	readonly window: string | undefined;
	readonly kept: string | undefined;
	readonly sources: readonly string[];
	readonly sourceHash: string | undefined;
	/** our own, where these are ours and whole */
	readonly ours: Pick<CheckpointDetails, "reason" | "manifest" | "position" | "hash"> | undefined;
}

/**
 * Reads a compaction's details: ours, and pi-compact's, whose older ones have their fields in `window`. `undefined` for
 * anything else. `hash` is hex SHA-256 of a text; where a manifest does not fit its digest the details are not ours.
 */
export function readDetails(details: unknown, hash: (text: string) => string): ReadDetails | undefined {
	const all = fieldsOf(details);
	const compactor = textIn(all.compactor);
	if (compactor !== COMPACTOR && compactor !== "pi-compact") return undefined;
	const legacy = fieldsOf(all.window);
	const manifest = fieldsOf(all.manifest);
	const sources = Array.isArray(all.sourceEntryIds) ? all.sourceEntryIds : legacy.sourceEntryIds;
	return {
		compactor,
		window: textIn(manifest.id) ?? textIn(legacy.windowId),
		kept: textIn(all.keptEntryId) ?? textIn(legacy.keptEntryId),
		sources: Array.isArray(sources) ? sources.filter((id) => typeof id === "string") : [],
		sourceHash: textIn(all.sourceHash) ?? textIn(legacy.sourceHash),
		ours: compactor === COMPACTOR ? oursIn(all, hash) : undefined,
	};
}

function oursIn(
	{ reason, manifest, position, hash: at }: { readonly [name: string]: unknown },
	hash: (text: string) => string,
): ReadDetails["ours"] {
	const fields = fieldsOf(manifest);
	const isWhole =
		["id", "boundary", "sources", "digest"].every((name) => isText(fields[name])) &&
		["entries", "kept", "folds"].every((name) => isCount(fields[name])) &&
		["parent", "previous", "first", "last"].every((name) => fields[name] === null || isText(fields[name]));
	if (!isWhole || !isReason(reason) || !isCount(position) || typeof at !== "string") return undefined;
	const { id, parent, previous, boundary, entries, first, last, sources, kept, folds, digest } =
		fields as WindowManifest;
	const read = { id, parent, previous, boundary, entries, first, last, sources, kept, folds };
	if (manifestDigest(read, hash) !== digest) return undefined;
	return { reason, manifest: { ...read, digest }, position, hash: at };
}

/** Whether an event can hold it. */
function isText(value: unknown): value is string {
	return typeof value === "string" && value.isWellFormed();
}

/** Whether it is a number of things; no event holds -0. */
function isCount(value: unknown): value is number {
	return Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0);
}

function isReason(reason: unknown): reason is CompactionReason {
	return reason === "manual" || reason === "threshold" || reason === "overflow";
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
	return typeof value === "object" && value !== null ? (value as { readonly [name: string]: unknown }) : {};
}

function textIn(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}
