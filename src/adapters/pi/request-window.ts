import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { Engine } from "../../engine/engine.ts";
import type { HostMessage } from "./host-messages.ts";
import { LastWindow } from "./last-window.ts";
import type { HostSession } from "./live-entry.ts";
import { carrierAbove, type StandingHead, standingHead } from "./standing-head.ts";
import { WindowMessages } from "./window-messages.ts";

/** Characters a token takes where it takes few, and the share of a model's window that a request may fill. */
const CHARS_PER_TOKEN = 3;
const MOST_FULL = 0.9;

/** Decisions whose windows are kept for when the session goes back to them and there is no log to ask. */
const KEPT = 8;

/** The window of a session's requests: what stands in it, and the last one made, for when none can be made any more. */
export class RequestWindow {
	readonly #last = new LastWindow();
	#messages = new WindowMessages();
	#standing: StandingHead | undefined;
	/** what stood, by the entry that carries the decision, the last of them last; nothing where it took all back */
	readonly #stood = new Map<string, StandingHead | undefined>();

	/** Takes in what stands where the log does. Throws where the log does not have the texts of it. */
	stand(engine: Engine): void {
		const { tree } = engine.states;
		this.#standing = standingHead(engine, tree.leaf, this.#standing);
		const node = this.#standing?.node ?? carrierAbove(tree, tree.leaf);
		if (node === undefined) return;
		this.#stood.delete(node);
		this.#stood.set(node, this.#standing);
		const [first = node] = this.#stood.keys();
		if (this.#stood.size > KEPT) this.#stood.delete(first);
	}

	/** Takes in what came to the session, in time for the next request, and not while it waits. */
	follow(session: HostSession): void {
		if (this.#standing) this.#messages.follow(session, this.#standing);
	}

	/**
	 * The messages to send instead of the host's; `undefined` where no fold is in force at the leaf. Without a log what
	 * stood goes on standing below its node.
	 */
	of(session: HostSession, messages: readonly HostMessage[], hasLog: boolean): HostMessage[] | undefined {
		const standing = hasLog ? this.#standing : this.standingBelow(session);
		const window = standing && this.#messages.of(session, standing, messages);
		this.#last.keep(messages, window);
		return window;
	}

	/** The last window with what came since, raw, because making one failed; `undefined` where there is none to go on from. */
	continued(messages: readonly HostMessage[]): HostMessage[] | undefined {
		this.#messages = new WindowMessages();
		return this.#last.continued(messages);
	}

	/** Whether the window, without a log, is within what the model takes; never where nothing is folded. O(session). */
	fitsWithoutLog(session: HostSession, model: ExtensionContext["model"]): boolean {
		const standing = this.standingBelow(session);
		if (!standing || !model) return false;
		let chars = 0;
		for (const message of this.#messages.of(session, standing, session.buildSessionProjection().messages))
			chars += JSON.stringify(message).length;
		return chars / CHARS_PER_TOKEN <= model.contextWindow * MOST_FULL;
	}

	/** What stands in a window without a log. O(entries below its node). */
	standingBelow(session: HostSession): StandingHead | undefined {
		let entry = session.getLeafEntry();
		while (entry && !this.#stood.has(entry.id))
			entry = entry.parentId === null ? undefined : session.getEntry(entry.parentId);
		return entry && this.#stood.get(entry.id);
	}
}
