import type { SessionEntry, ToolResultEvent } from "@earendil-works/pi-coding-agent";
import { outputOf, refusalOf } from "../../../projections/outputs.ts";
import { nodeOf, type SessionTree } from "../../../projections/session-tree.ts";
import { hasRoomFor, keepOutput, refuseOutput } from "../../commands/keep-output.ts";
import { StoreError } from "../../store/errors.ts";
import type { HostSession } from "./live-entry.ts";
import type { LiveLog } from "./live-log.ts";
import { copyPieces, hasDiskFor, PIECE_BYTES, type Pieces } from "./output-copy.ts";
import { type CutResult, cutResult, cutResultIn, type OpenOutput, openOutput } from "./output-file.ts";
import { type Clock, isDoneWithin } from "./patience.ts";

/** What whole outputs are kept with. */
export interface OutputKeeper {
	/** bytes a session may keep of them */
	readonly cap: number;
	/** the session's log, while there is one */
	readonly log: () => LiveLog | undefined;
	/** by which a copy is waited for */
	readonly clock: Clock;
	/** called when there is something for `settle` to tell of */
	readonly onCopied: () => void;
	/** told in words, each thing once, what the session does not keep */
	readonly tell: (trouble: string) => void;
}

/** Whose output it is: an entry, or the call that an entry to come will answer, somewhere below `after`. */
type Whose = { readonly entry: string } | { readonly call: string; readonly after: string };

type Outcome = Pieces | { readonly why: "cap" | "disk" | "unreadable"; readonly bytes?: number };

interface Found extends CutResult {
	readonly whose: Whose;
	/** opened as soon as the tool was done, for the file may go before its turn comes */
	readonly opening?: Promise<OpenOutput | undefined>;
	copying?: boolean;
	outcome?: Outcome;
}

/**
 * How long a copy is waited for: by who reads it back, and by the end of the session, after which it is begun again when
 * the session is opened next.
 */
const WAIT_MS = 2_000;

/**
 * Keeps the outputs that the host cut short. Each is copied behind the hook that told of it, one after the other, and
 * told of in the log once its entry stands there.
 */
export class KeptOutputs {
	readonly #keeper: OutputKeeper;
	readonly #found = new Set<Found>();
	#end = new AbortController();
	#copying: Promise<void> | undefined;

	constructor(keeper: OutputKeeper) {
		this.#keeper = keeper;
	}

	/** Whether there is none that the log is still to be told of. */
	get isDone(): boolean {
		return this.#found.size === 0;
	}

	/** Takes the output behind a result that comes in. Resolves when its file is open, and so cannot be lost. */
	async seen(session: HostSession, event: ToolResultEvent): Promise<void> {
		const cut = cutResult(event);
		const after = session.getLeafId();
		if (!cut || after === null || !this.#log()) return;
		const opening = openOutput(cut.path);
		this.#take({ ...cut, whose: { call: event.toolCallId, after }, opening });
		await opening;
	}

	/**
	 * Takes the outputs behind entries that no result was seen come in for: commands of the user's own, and what the process
	 * did not live to keep. Entries that came from another session are that one's.
	 */
	met(session: HostSession, entries: readonly SessionEntry[]): void {
		const log = this.#log();
		if (!log) return;
		const begun = Date.parse(session.getHeader()?.timestamp ?? "");
		for (const entry of entries) {
			const cut = cutResultIn(entry);
			if (!cut || Date.parse(entry.timestamp) < begun) continue;
			const { outputs } = log.engine.states;
			if (outputOf(outputs, entry.id) || refusalOf(outputs, entry.id) || this.isUnderway(entry)) continue;
			this.#take({ ...cut, whose: { entry: entry.id } });
		}
	}

	/** Whether the output behind an entry is being kept. */
	isUnderway(entry: SessionEntry): boolean {
		const call = entry.type === "message" && entry.message.role === "toolResult" && entry.message.toolCallId;
		for (const { whose } of this.#found) {
			if ("entry" in whose ? whose.entry === entry.id : whose.call === call) return true;
		}
		return false;
	}

	/** Tells the log of what was copied or could not be, as far as its entries are recorded. */
	async settle({ engine }: LiveLog): Promise<void> {
		for (const found of this.#found) {
			const { outcome, whose, source } = found;
			if (!outcome) continue;
			const entry = entryOf(engine.states.tree, whose);
			if (entry === undefined) continue;
			this.#found.delete(found);
			const { outputs } = engine.states;
			const { cap } = this.#keeper;
			const events =
				"pieces" in outcome
					? keepOutput(outputs, {
							...outcome,
							entry,
							source,
							piece: PIECE_BYTES,
							pieces: [...outcome.pieces],
						})
					: refuseOutput(outputs, { ...outcome, entry, source, ...(outcome.why === "cap" && { cap }) });
			if (events.length > 0) await engine.note(events, Date.now(), "runtime");
			if ("why" in outcome && outcome.why !== "unreadable") this.#keeper.tell(wordsFor(outcome.why, cap));
		}
	}

	/** Waits a while for what is being copied. */
	async copied(): Promise<void> {
		if (this.#copying !== undefined) await isDoneWithin(WAIT_MS, this.#copying, this.#keeper.clock);
	}

	/** Waits a while for what is being copied, tells `log` of it, and takes no more. Twice does no harm. */
	async finish(log: LiveLog | undefined): Promise<void> {
		await this.copied();
		this.#end.abort();
		while (this.#copying !== undefined) await this.#copying;
		this.drop();
		if (log) await this.settle(log);
	}

	/** Takes no more until {@link resume}, and abandons what is being copied. */
	drop(): void {
		this.#end.abort();
		for (const found of this.#found) if (!found.outcome) this.#giveUp(found);
	}

	/** Takes outputs again, into a log that was opened anew. */
	resume(): void {
		this.#end = new AbortController();
	}

	#log(): LiveLog | undefined {
		const log = this.#end.signal.aborted ? undefined : this.#keeper.log();
		return log?.keepsOutputs ? log : undefined;
	}

	#take(found: Found): void {
		this.#found.add(found);
		if (this.#copying === undefined) this.#begin();
	}

	#begin(): void {
		this.#copying = this.#copyAll().then(() => {
			this.#copying = undefined;
			// one may have come after the last was looked at
			for (const { outcome } of this.#found) if (!outcome) return this.#begin();
		});
	}

	async #copyAll(): Promise<void> {
		for (const found of this.#found) {
			if (found.outcome) continue;
			const log = this.#log();
			if (log) await this.#copy(found, log);
			else this.#giveUp(found);
		}
	}

	async #copy(found: Found, log: LiveLog): Promise<void> {
		found.copying = true;
		const { signal } = this.#end;
		const output = await (found.opening ?? openOutput(found.path));
		try {
			if (output) found.outcome = await this.#outcomeOf(output, log, signal);
			// of a file that has gone long ago nothing needs to be said
			else if (found.opening !== undefined) found.outcome = { why: "unreadable" };
			else this.#found.delete(found);
		} catch (error) {
			// the log's own trouble is told where the log is used
			if (error instanceof StoreError || signal.aborted) this.#found.delete(found);
			else found.outcome = { why: "unreadable" };
		} finally {
			await output?.file.close();
		}
		if (found.outcome) this.#keeper.onCopied();
	}

	async #outcomeOf(output: OpenOutput, log: LiveLog, signal: AbortSignal): Promise<Outcome> {
		const { bytes } = output;
		const { cap } = this.#keeper;
		let underway = 0;
		for (const { outcome } of this.#found) if (outcome && "pieces" in outcome) underway += outcome.bytes;
		if (!hasRoomFor(log.engine.states.outputs, bytes, { cap, underway })) return { why: "cap", bytes };
		if (log.directory !== undefined && !(await hasDiskFor(bytes, log.directory)))
			return { why: "disk", bytes };
		return copyPieces(output, (contents) => log.keep(contents), signal);
	}

	#giveUp(found: Found): void {
		this.#found.delete(found);
		if (found.copying) return;
		found.opening?.then((output) => output?.file.close()).catch(() => {});
	}
}

/** The entry an output is of; `undefined` while it is not recorded. */
function entryOf(tree: SessionTree, whose: Whose): string | undefined {
	if ("entry" in whose) return nodeOf(tree, whose.entry)?.id;
	const after = nodeOf(tree, whose.after);
	if (!after) return undefined;
	let node = nodeOf(tree, tree.leaf);
	while (node && node.depth > after.depth) {
		if (node.answers === whose.call) return node.id;
		node = nodeOf(tree, node.parent);
	}
	return undefined;
}

function wordsFor(why: "cap" | "disk", cap: number): string {
	const rest = "a peek at such a result gives only what the result shows";
	if (why === "disk")
		return `STORE_UNAVAILABLE: the disk is too full to keep the whole output of a tool; ${rest}`;
	const limit = cap >= 1 << 20 ? `${Math.floor(cap / (1 << 20))} MB` : `${cap} bytes`;
	return `the whole outputs this session keeps have reached their ${limit}, and one that is larger than what is left is not kept; ${rest}`;
}
