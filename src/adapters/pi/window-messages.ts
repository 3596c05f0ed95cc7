import type { HostMessage } from "./host-messages.ts";
import { Owners, type PathReader } from "./owners.ts";
import type { StandingHead } from "./standing-head.ts";
import { type Slot, WindowLayout } from "./window-layout.ts";

/** Makes the messages of requests where folds stand; what is found out at one request is kept for the next. */
export class WindowMessages {
	readonly #owners = new Owners();
	#layout: WindowLayout | undefined;
	#kept: KeptWindow | undefined;

	/** Whether an entry is on the path to the session's leaf. */
	isOnPath(session: PathReader, id: string): boolean {
		this.#owners.follow(session);
		return this.#owners.isOnPath(id);
	}

	/** The messages to send instead of the host's. O(messages), a few ns each, and O(new entries) as a rule. */
	of(session: PathReader, standing: StandingHead, messages: readonly HostMessage[]): HostMessage[] {
		this.#owners.follow(session);
		if (!this.#layout?.holds(standing)) {
			this.#layout = new WindowLayout(standing, this.#owners);
			this.#kept = undefined;
		}
		const owners = this.#owners.ownersOf(messages);
		if (owners !== "inStep") {
			const slots = this.#layout.slotsOf(owners);
			return slots.map((slot) => messageOf(slot, messages)).filter(answering());
		}
		this.#kept ??= new KeptWindow(this.#layout.slotsOf(this.#owners.owners), messages);
		return this.#kept.of(messages);
	}
}

/** A window as long as its messages are in step with the entries: what it shows of the first ones stays, the rest follows raw. */
class KeptWindow {
	readonly #slots: readonly Slot[];
	readonly #covers: number;
	readonly #isAnswering = answering();
	/** of the messages behind the slots, those that are left out */
	readonly #orphans = new Set<number>();
	#seen: number;

	constructor(slots: readonly Slot[], messages: readonly HostMessage[]) {
		this.#slots = slots.filter((slot) => this.#isAnswering(messageOf(slot, messages)));
		this.#covers = messages.length;
		this.#seen = messages.length;
	}

	of(messages: readonly HostMessage[]): HostMessage[] {
		for (; this.#seen < messages.length; this.#seen++) {
			if (!this.#isAnswering(messages[this.#seen] as HostMessage)) this.#orphans.add(this.#seen);
		}
		const window: HostMessage[] = [];
		for (const slot of this.#slots) window.push(messageOf(slot, messages));
		for (let at = this.#covers; at < messages.length; at++) {
			if (!this.#orphans.has(at)) window.push(messages[at] as HostMessage);
		}
		return window;
	}
}

/** A message of its own at every request: those who come after us may change it. */
function messageOf(slot: Slot, messages: readonly HostMessage[]): HostMessage {
	if (slot.kind === "folds") {
		const content = slot.texts.map((text) => ({ type: "text" as const, text }));
		return { role: "user", content, timestamp: slot.at };
	}
	const message = messages[slot.message] as HostMessage;
	if (slot.kind === "raw") return message;
	if (slot.kind === "clipped" && message.role === "toolResult") {
		return { ...message, content: [{ type: "text", text: slot.text }] };
	}
	if (slot.kind === "unthought" && message.role === "assistant") {
		return { ...message, content: message.content.filter((block) => block.type !== "thinking") };
	}
	return message;
}

/**
 * Tells of each message of a window in turn whether it may go out: providers refuse a result without its call. The
 * host answers calls without a result by itself.
 */
function answering(): (message: HostMessage) => boolean {
	const calls = new Set<string>();
	return (message) => {
		if (message.role === "toolResult") return calls.has(message.toolCallId);
		if (message.role === "assistant") {
			for (const block of message.content) if (block.type === "toolCall") calls.add(block.id);
		}
		return true;
	};
}
