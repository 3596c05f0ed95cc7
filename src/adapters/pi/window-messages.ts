import type { HostMessage } from "./host-messages.ts";
import { Owners, type PathReader } from "./owners.ts";
import type { StandingHead } from "./standing-head.ts";
import { type Slot, WindowLayout } from "./window-layout.ts";

/** Makes the messages of requests where folds stand; what is found out at one request is kept for the next. */
export class WindowMessages {
	readonly #owners = new Owners();
	#layout: WindowLayout | undefined;
	#kept: KeptWindow | undefined;

	/** Takes in what came to the session, and what stands now: `of` does it too, but then a request waits. */
	follow(session: PathReader, standing: StandingHead): void {
		this.#owners.follow(session);
		if (this.#layout?.holds(standing)) this.#kept?.extend(this.#owners);
		else {
			this.#layout = new WindowLayout(standing, this.#owners);
			this.#kept = undefined;
		}
	}

	/** The messages to send instead of the host's. O(messages), a few ns each, and O(new entries) as a rule. */
	of(session: PathReader, standing: StandingHead, messages: readonly HostMessage[]): HostMessage[] {
		this.follow(session, standing);
		const { reach } = this.#kept ?? {};
		if (this.#kept && reach !== undefined && this.#owners.areInStep(messages, reach))
			return this.#kept.of(messages);
		const owners = this.#owners.ownersOf(messages);
		const layout = this.#layout as WindowLayout;
		if (owners !== "inStep") {
			const slots = layout.slotsOf(owners);
			return slots.map((slot) => messageOf(slot, messages)).filter(answering());
		}
		this.#kept ??= new KeptWindow(layout.slotsOf(this.#owners.owners), messages);
		return this.#kept.of(messages);
	}
}

/** Messages of the host's that go out as they are: those from one index up to another. */
interface Run {
	readonly from: number;
	readonly to: number;
}

/**
 * A window as long as its messages are in step with the entries: what it shows of the first ones stays, and the rest
 * follows raw.
 */
class KeptWindow {
	readonly #parts: readonly (Run | Slot)[];
	readonly #isAnswering = answering();
	/** of the messages behind the parts, those that are left out */
	readonly #orphans = new Set<number>();
	readonly #reach: number;
	#seen: number;

	constructor(slots: readonly Slot[], messages: readonly HostMessage[]) {
		const parts = inRuns(slots.filter((slot) => this.#isAnswering(messageOf(slot, messages))));
		this.#seen = messages.length;
		const last = parts.at(-1);
		const endsRaw = last && "from" in last && last.to === messages.length;
		this.#parts = endsRaw ? parts.slice(0, -1) : parts;
		this.#reach = endsRaw ? last.from : messages.length;
	}

	/**
	 * How many messages have to be in step: behind them all there are go out as they are, whosever they are. All of them,
	 * which is `undefined`, where some are left out there.
	 */
	get reach(): number | undefined {
		return this.#orphans.size === 0 ? this.#reach : undefined;
	}

	/** Takes in the messages that came since. */
	extend(owners: Owners): void {
		for (; this.#seen < owners.owners.length; this.#seen++) {
			const message = owners.messageAt(this.#seen);
			if (message && !this.#isAnswering(message)) this.#orphans.add(this.#seen);
		}
	}

	of(messages: readonly HostMessage[]): HostMessage[] {
		const window: HostMessage[] = [];
		for (const part of this.#parts) {
			if (!("from" in part)) window.push(messageOf(part, messages));
			else for (let at = part.from; at < part.to; at++) window.push(messages[at] as HostMessage);
		}
		const behind = messages.slice(this.#reach);
		const orphans = this.#orphans;
		return window.concat(
			orphans.size === 0 ? behind : behind.filter((_, n) => !orphans.has(this.#reach + n)),
		);
	}
}

function inRuns(slots: readonly Slot[]): (Run | Slot)[] {
	const parts: (Run | Slot)[] = [];
	for (const slot of slots) {
		const last = parts.at(-1);
		if (slot.kind !== "raw") parts.push(slot);
		else if (last && "from" in last && last.to === slot.message) {
			parts[parts.length - 1] = { from: last.from, to: slot.message + 1 };
		} else parts.push({ from: slot.message, to: slot.message + 1 });
	}
	return parts;
}

/** A message of its own at every request: those who come after us may change it. */
function messageOf(slot: Slot, messages: readonly HostMessage[]): HostMessage {
	if (slot.kind === "folds") {
		const content = slot.texts.map((text) => ({ type: "text" as const, text }));
		return { role: "user", content, timestamp: slot.at };
	}
	const message = messages[slot.message] as HostMessage;
	if (slot.kind === "raw") return message;
	if (slot.kind === "clipped" && isClippable(message)) {
		return { ...message, content: [{ type: "text", text: slot.text }] };
	}
	if (slot.kind === "unthought" && message.role === "assistant") {
		return { ...message, content: message.content.filter((block) => block.type !== "thinking") };
	}
	return message;
}

function isClippable(
	message: HostMessage,
): message is Extract<HostMessage, { role: "toolResult" | "user" | "custom" }> {
	return message.role === "toolResult" || message.role === "user" || message.role === "custom";
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
