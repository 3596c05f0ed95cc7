import { authoritative } from "../../../projections/memory/list.ts";
import type { Memory, MemoryRecord } from "../../../projections/memory/record.ts";
import { keyringPath } from "../../engine/memory/keyring.ts";
import { Keys } from "../../engine/memory/keys.ts";
import { SessionMemory, type SessionMemoryParts } from "../../engine/memory/session-memory.ts";
import { WorkspaceMemory } from "../../engine/memory/workspace-memory.ts";
import { agentDirectory, homeDirectory } from "../../store/identity.ts";
import { type Clock, isDoneWithin, Patience } from "./patience.ts";

/** What the memory of a running session needs of the host. */
export interface MemoryHost extends Pick<SessionMemoryParts, "session" | "ask" | "silence"> {
	/** the folder the session runs in */
	readonly cwd: string;
	/** by which the disk is waited for */
	readonly clock: Clock;
	/** told when what is known of the folder's memory has changed; must not throw */
	readonly changed: () => void;
}

/** What is remembered, as it is known at this moment. */
export interface MemoriesInView {
	/** of the folder, and of the session */
	readonly memories: readonly Memory[];
	/** a text by its digest; `undefined` where it is gone */
	text(digest: string): string | undefined;
}

/** What is remembered where a session runs: in its folder, and in the session itself. Opening waits for nothing. */
export class LiveMemory {
	/** id of the session */
	readonly id: string;
	readonly cwd: string;
	/** signs for the user, and tells what a user is proved to have said */
	readonly keys: Keys;
	readonly workspace: WorkspaceMemory;
	readonly session: SessionMemory;
	readonly #clock: Clock;
	#authority: { readonly of: readonly Memory[]; readonly records: readonly MemoryRecord[] } | undefined;
	/** resolves once the folder's memory was looked for, whatever came of it */
	readonly whenRead: Promise<void>;
	#isRead = false;

	constructor({ session, cwd, ask, silence, clock, changed }: MemoryHost) {
		this.#clock = clock;
		this.id = session;
		this.cwd = cwd;
		this.keys = new Keys(keyringPath(agentDirectory()));
		const { keys } = this;
		this.session = new SessionMemory({ keys, session, ask, silence });
		this.workspace = WorkspaceMemory.open({
			keys,
			changed,
			home: homeDirectory(),
			cwd,
			isDoneWithin: (ms, work) => {
				const patience = new Patience(clock);
				return patience.lasts(patience.of(ms, () => work));
			},
		});
		this.whenRead = this.workspace.refresh().then(() => {
			this.#isRead = true;
		});
	}

	/** What is known now; at once, and without the disk. */
	view(): MemoriesInView {
		const logs = [this.workspace, this.session];
		return {
			memories: logs.map(({ memory }) => memory),
			text: (digest) => this.workspace.text(digest) ?? this.session.text(digest),
		};
	}

	/**
	 * The records that have the user's authority for the session, in the order they are told. Every tool call asks for them,
	 * so they are worked out once for each state: what is known is never changed in place.
	 */
	get authority(): readonly MemoryRecord[] {
		const { memories } = this.view();
		if (!memories.every((memory, at) => memory === this.#authority?.of[at]))
			this.#authority = { of: memories, records: authoritative(memories, this.id) };
		return this.#authority?.records ?? [];
	}

	/** Whether {@link whenRead} came to pass. */
	get isRead(): boolean {
		return this.#isRead;
	}

	/** Waits until the folder's memory was read once, so many ms at most; whether it was, whole. */
	async read(ms: number): Promise<boolean> {
		return (await isDoneWithin(ms, this.whenRead, this.#clock)) && this.workspace.trouble === undefined;
	}

	/** The streams it is made of, each with the number of its events that are known. */
	get head(): string {
		return [this.workspace, this.session]
			.map(({ stream, memory }) => `${stream}@${memory.version}`)
			.join(" ");
	}

	/** Writes what is queued, and lets go; resolves to how many writes came to nothing. Twice does no harm. */
	async close(): Promise<number> {
		const [inFolder, inSession] = await Promise.all([this.workspace.close(), this.session.close()]);
		return inFolder + inSession;
	}
}
