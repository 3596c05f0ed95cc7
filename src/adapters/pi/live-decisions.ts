import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { notDueUntil } from "../../commands/commit.ts";
import type { Excess } from "../../commands/commit-tighter.ts";
import { lastOfSpan, markAround } from "../../commands/recut.ts";
import { refuseBrief } from "../../commands/supply-brief.ts";
import type { WindowCommand } from "../../commands/window-command.ts";
import type { By, Decision, NextRequest } from "../../engine/decision.ts";
import { NODE_TYPE } from "../../engine/decision-node.ts";
import type { Engine } from "../../engine/engine.ts";
import { mayBePlaced, type UnplacedDecision } from "../../engine/unplaced-decision.ts";
import type { CatchUp } from "./catch-up.ts";
import { type HostSession, liveEntry, nodeIn } from "./live-entry.ts";
import { type Clock, isDoneWithin } from "./patience.ts";

/** Appends an entry of ours to the session; it becomes the leaf. */
export type Append = (type: string, data: unknown) => void;

/** How long a request waits for the disk to confirm a commit. */
const DURABLE_MS = 250;

/** What decisions need of the log they are taken in. */
export interface DecisionsAround {
	readonly onRefused: CatchUp["onRefused"];
	/** told of each decision once its node stands in the session, before the disk has it; must not throw */
	readonly onPlaced: () => void;
	/** by which the disk is waited for */
	readonly clock: Clock;
	/** records what the session holds and the log does not */
	readonly catchUp: (session: HostSession) => Promise<void>;
}

/**
 * The decisions taken in a running session. Each is an event first, durably, and then a node at the leaf, by `append`; what
 * came to be without the other is seen to later. The log must have caught up with the session whenever one is taken.
 */
export class LiveDecisions {
	readonly #engine: Engine;
	readonly #around: DecisionsAround;
	/** those whose nodes were not written, each built on the one before */
	#unplaced: readonly UnplacedDecision[];
	/** one that the disk has not confirmed in time */
	#late: Promise<Decision | undefined> | undefined;
	#owed: NextRequest["owed"];

	constructor(engine: Engine, unplaced: readonly UnplacedDecision[], around: DecisionsAround) {
		this.#engine = engine;
		this.#unplaced = unplaced;
		this.#around = around;
	}

	/** Whether none is left from before that the next request has to see to. */
	get areSeenTo(): boolean {
		return this.#unplaced.length === 0 && !this.#late && !this.#owed;
	}

	/** Takes in that entries were recorded: some of them may be the nodes that were missing. */
	met(entries: readonly SessionEntry[]): void {
		if (this.#unplaced.length === 0) return;
		const placed = new Set(
			entries.map((entry) => {
				const node = nodeIn(entry);
				return typeof node === "object" ? node.hash : undefined;
			}),
		);
		this.#unplaced = this.#unplaced.filter(({ hash }) => !placed.has(hash));
	}

	/**
	 * Sees to decisions whose nodes were not written, since the process ended, the host went on, or they were taken from
	 * outside: each gets its node, by `append`, while nothing the model reads has come behind it; otherwise it never takes
	 * effect, nor what builds on it, and that is told. The log must have caught up with the session. Without `append` only
	 * the latter is done. Gives the last that was placed.
	 */
	async placeLate(session: HostSession, append?: Append): Promise<Decision | undefined> {
		let placed: Decision | undefined;
		for (let [late] = this.#unplaced; late; [late] = this.#unplaced) {
			const inTime = mayBePlaced(this.#engine.states.tree, session.getLeafId(), late);
			if (inTime && !append) break;
			this.#unplaced = inTime ? this.#unplaced.slice(1) : [];
			if (append && inTime) placed = await this.#place(session, late, append);
			else this.#around.onRefused("the session went on before it took effect; /fold decides anew");
		}
		return placed;
	}

	/**
	 * Gives what was taken back from outside its nodes: {@link placeLate}. What a process did not live to place is left to
	 * the next request, as it is in a session that has lost its log.
	 */
	async takeUp(session: HostSession, append: Append): Promise<void> {
		if (this.#unplaced.every(({ isFromOutside }) => isFromOutside)) await this.placeLate(session, append);
	}

	/**
	 * Folds what can be folded, because the user asked: first the event, durably, then the node, by `append`, at the
	 * leaf. `undefined` where nothing can. The log must have caught up with the session.
	 */
	async fold(session: HostSession, request: NextRequest, append: Append): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.#engine.commitNow(request), append);
	}

	/**
	 * Folds through one stretch, cut as named and with a brief where one is given: up to three decisions, each with its
	 * node. Everything before it is folded too. Throws `CommandError`, and has decided nothing then.
	 */
	async foldSpan(
		session: HostSession,
		request: NextRequest,
		{ ids, brief }: { readonly ids: readonly string[]; readonly brief?: string | undefined },
		append: Append,
	): Promise<Decision | undefined> {
		const here = () => ({ ...request, leaf: this.#engine.states.tree.leaf });
		const by = { actor: "user" } as const;
		const last = lastOfSpan(this.#engine.states, here().leaf, ids);
		if (brief !== undefined) refuseBrief(brief);
		await this.command(session, here(), { command: { do: "recut", ids }, ...by }, append);
		// marks have other names now than those they were asked for by
		const mark = markAround(this.#engine.states, here().leaf, last)?.id;
		if (brief !== undefined && mark !== undefined)
			await this.command(
				session,
				here(),
				{ command: { do: "brief", fold: mark, text: brief }, ...by },
				append,
			);
		return this.#apply(session, here(), await this.#engine.commitNow(here(), mark), append);
	}

	/** As {@link fold}, for anything else that may be asked of the window. Throws `CommandError`. */
	async command(
		session: HostSession,
		request: NextRequest,
		{ command, ...by }: { readonly command: WindowCommand } & By,
		append: Append,
	): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.#engine.decideCommand(command, request, by), append);
	}

	/** Folds and clips because the provider refused the last request as too large. */
	async foldTighter(
		session: HostSession,
		request: NextRequest,
		excess: Excess,
		append: Append,
	): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.#engine.commitTighter(request, excess), append);
	}

	/** Has thinking treated one way from here on, in what stands too, because the provider refused it. */
	async turnReasoning(
		session: HostSession,
		request: NextRequest,
		{ wants, why }: { readonly wants: "keep" | "strip"; readonly why: string },
		append: Append,
	): Promise<Decision | undefined> {
		return this.#apply(session, request, await this.#engine.changeReasoning(request, wants, why), append);
	}

	/**
	 * Folds before a request where the policy asks. What the disk does not confirm in time is not applied, and comes at
	 * the next request instead; until `settled`, nothing else may be asked of the log.
	 */
	async foldIfDue(session: HostSession, request: NextRequest, append: Append): Promise<Decision | undefined> {
		const command = { ...request, owed: this.#owed };
		if (notDueUntil(this.#engine.states, this.#engine.occurring(command)) !== undefined) return undefined;
		const deciding = this.#engine.commitIfDue(command);
		this.#owed = undefined;
		if (!(await isDoneWithin(DURABLE_MS, deciding, this.#around.clock))) {
			this.#late = deciding;
			return undefined;
		}
		return this.#apply(session, request, await deciding, append);
	}

	/** Waits for a decision that came too late, if there is one. */
	async settled(): Promise<void> {
		const late = await this.#late;
		this.#late = undefined;
		this.#owed = (late?.event.type === "commit/applied" ? late.event.data.trigger : undefined) ?? this.#owed;
	}

	async #apply(
		session: HostSession,
		{ leaf }: NextRequest,
		decision: Decision | undefined,
		append: Append,
	): Promise<Decision | undefined> {
		if (!decision) return undefined;
		if (session.getLeafId() === leaf) return this.#place(session, decision, append);
		// the host went on while the disk was waited for
		this.#unplaced = [
			{ ...decision, parent: leaf, hash: this.#engine.nodeFor(decision).hash, isFromOutside: false },
		];
		await this.#around.catchUp(session);
		return this.placeLate(session, append);
	}

	async #place(session: HostSession, decision: Decision, append: Append): Promise<Decision> {
		append(NODE_TYPE, this.#engine.nodeFor(decision));
		const node = session.getLeafEntry();
		if (!node || !nodeIn(node)) throw new Error("the host did not append the decision's entry");
		const recorded = this.#engine.record(liveEntry(node), decision.position);
		// it is known already, and stands whenever the disk says so
		if (this.#engine.states.tree.leaf === node.id) this.#around.onPlaced();
		await recorded;
		return decision;
	}
}
