/** An entry of a path of the host's, as far as a boundary depends on it. */
export interface BoundaryEntry {
	readonly id: string;
	readonly type: string;
}

/** An entry with the messages the host makes of it: what its own projection gives. */
export interface Projected<E extends BoundaryEntry> {
	readonly sourceEntry: E;
	readonly messages: readonly { readonly role: string }[];
}

/** Where the host would cut, and how to see what it would show then. */
export interface BoundaryQuestion<E extends BoundaryEntry> {
	/** the path to the leaf, root first */
	readonly branch: readonly E[];
	/** the entry the host would keep first */
	readonly proposed: string;
	/** the host's own projection of a path; may throw */
	readonly project: (path: readonly E[]) => readonly Projected<E>[];
	/** a compaction at the end of the path that keeps everything from an entry on, for a look alone */
	readonly compaction: (kept: string) => E;
}

/** A cut that leaves nothing unpaired. */
export interface Boundary<E extends BoundaryEntry> {
	/** the entry that is kept first */
	readonly kept: E;
	/** entries that leave the window, oldest first, a compaction before among them; no system messages */
	readonly gone: readonly E[];
	/** entries that stay in it */
	readonly stays: number;
	readonly isMoved: boolean;
	/** the cut lies inside a turn */
	readonly isSplitTurn: boolean;
}

/** Roles a window may begin with behind a compaction. */
const STARTS = new Set([
	"user",
	"assistant",
	"bashExecution",
	"custom",
	"branchSummary",
	"compactionSummary",
]);

/** Roles that begin a turn. */
const TURNS = new Set(["user", "bashExecution", "custom", "branchSummary", "compactionSummary"]);

/** Previews of candidates that looked safe and were not, at most. */
const MOST = 16;

/**
 * The boundary of a checkpoint, proven on the host's own projection: the proposed one where it is safe, else the nearest
 * earlier one in the window as it stands, never beyond an earlier compaction. A cut is safe where the host would show
 * exactly what lies behind it, beginning with a message that may come first, and where no call loses its result, nor a
 * result its call: what is unpaired already stays as it is. `undefined` where nothing is safe or nothing would leave.
 * O(path) for each candidate that is previewed, mostly one.
 */
export function safeBoundary<E extends BoundaryEntry>(
	question: BoundaryQuestion<E>,
): Boundary<E> | undefined {
	const { branch, proposed } = question;
	const shown = projected(question, branch);
	if (!shown) return undefined;
	const index = new Map(branch.map(({ id }, at) => [id, at]));
	const from = index.get(proposed);
	if (from === undefined) return undefined;
	const broken = brokenCuts(shown);
	let previews = 0;
	for (let at = shown.length - 1; at > 0 && previews < MOST; at--) {
		const { sourceEntry } = shown[at] as Projected<E>;
		if ((index.get(sourceEntry.id) ?? 0) > from || broken[at] || !mayBegin(shown[at])) continue;
		if (!hidesSomething(shown, at)) return undefined;
		previews++;
		if (!isProven(question, shown, at)) continue;
		const isMoved = sourceEntry.id !== proposed;
		return {
			kept: sourceEntry,
			gone: shown.slice(0, at).flatMap((one) => (isSystem(one) ? [] : [one.sourceEntry])),
			stays: shown.slice(at).filter(isOwn).length,
			isMoved,
			isSplitTurn: isSplit(shown, at),
		};
	}
	return undefined;
}

/** Whether a cut at each place would part a result from its call. */
function brokenCuts<E extends BoundaryEntry>(shown: readonly Projected<E>[]): boolean[] {
	const starts = new Array<number>(shown.length + 1).fill(0);
	const open = new Map<string, number[]>();
	for (const [at, { messages }] of shown.entries()) {
		for (const message of messages) {
			for (const call of callsOf(message)) {
				const places = open.get(call);
				if (places) places.push(at);
				else open.set(call, [at]);
			}
			const answered = answerOf(message);
			const asked = answered === undefined ? undefined : open.get(answered)?.shift();
			if (asked === undefined || asked === at) continue;
			starts[asked + 1] = (starts[asked + 1] ?? 0) + 1;
			starts[at + 1] = (starts[at + 1] ?? 0) - 1;
		}
	}
	let depth = 0;
	return shown.map((_, at) => {
		depth += starts[at] ?? 0;
		return depth > 0;
	});
}

/** Whether the host would show what lies behind a cut as it shows it now, and nothing else but the compaction. */
function isProven<E extends BoundaryEntry>(
	question: BoundaryQuestion<E>,
	shown: readonly Projected<E>[],
	at: number,
): boolean {
	const kept = (shown[at] as Projected<E>).sourceEntry.id;
	const compaction = question.compaction(kept);
	const [first, ...preview] = projected(question, [...question.branch, compaction]) ?? [];
	if (first?.sourceEntry.id !== compaction.id) return false;
	const behind = shown.slice(at).filter(isOwn);
	const left = preview.filter(isOwn);
	return (
		preview[0]?.sourceEntry.id === kept &&
		left.length === behind.length &&
		left.every(
			({ sourceEntry, messages }, n) =>
				sourceEntry.id === behind[n]?.sourceEntry.id && messages.length === behind[n]?.messages.length,
		)
	);
}

function projected<E extends BoundaryEntry>(
	{ project }: BoundaryQuestion<E>,
	path: readonly E[],
): readonly Projected<E>[] | undefined {
	try {
		return project(path);
	} catch {
		return undefined;
	}
}

function mayBegin<E extends BoundaryEntry>(one: Projected<E> | undefined): boolean {
	if (!one || one.sourceEntry.type === "compaction") return false;
	return one.messages.length === 0 || one.messages.some(({ role }) => STARTS.has(role));
}

function hidesSomething<E extends BoundaryEntry>(shown: readonly Projected<E>[], at: number): boolean {
	return shown
		.slice(0, at)
		.some(({ sourceEntry, messages }) => sourceEntry.type !== "compaction" && messages.some(isSaid));
}

function isSplit<E extends BoundaryEntry>(shown: readonly Projected<E>[], at: number): boolean {
	const starts = ({ sourceEntry, messages }: Projected<E>) =>
		sourceEntry.type !== "compaction" && messages.some(({ role }) => TURNS.has(role));
	const first = shown.slice(at).find(({ messages }) => messages.some(isSaid));
	return first !== undefined && !starts(first) && shown.slice(0, at).some(starts);
}

/** Prompt patches are stated again with a compaction, and earlier compactions show nothing any more. */
function isOwn<E extends BoundaryEntry>(one: Projected<E>): boolean {
	return !isSystem(one) && one.sourceEntry.type !== "compaction";
}

function isSystem<E extends BoundaryEntry>({ messages }: Projected<E>): boolean {
	return messages.length > 0 && messages.every(({ role }) => role === "system");
}

function isSaid({ role }: { readonly role: string }): boolean {
	return role !== "system";
}

/** Ids of the calls a message makes. */
function callsOf(message: { readonly role: string; readonly content?: unknown }): string[] {
	if (message.role !== "assistant" || !Array.isArray(message.content)) return [];
	return message.content.flatMap((part: { type?: unknown; id?: unknown } | null) =>
		part?.type === "toolCall" && typeof part.id === "string" ? [part.id] : [],
	);
}

function answerOf(message: { readonly role: string; readonly toolCallId?: unknown }): string | undefined {
	return message.role === "toolResult" && typeof message.toolCallId === "string"
		? message.toolCallId
		: undefined;
}
