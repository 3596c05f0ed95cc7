import type { HostMessage } from "./host-messages.ts";
import { Owners, type PathReader } from "./owners.ts";
import type { StandingHead } from "./standing-head.ts";
import { type Slot, WindowLayout } from "./window-layout.ts";

/** Makes the messages of requests where folds stand; what is found out at one request is kept for the next. */
export class WindowMessages {
	readonly #owners = new Owners();
	#layout: WindowLayout | undefined;

	/** Whether an entry is on the path to the session's leaf. */
	isOnPath(session: PathReader, id: string): boolean {
		this.#owners.follow(session);
		return this.#owners.isOnPath(id);
	}

	/** The messages to send instead of the host's. O(messages), a few ns each, and O(new entries) as a rule. */
	of(session: PathReader, standing: StandingHead, messages: readonly HostMessage[]): HostMessage[] {
		this.#owners.follow(session);
		if (!this.#layout?.holds(standing)) this.#layout = new WindowLayout(standing, this.#owners);
		const { slots, covers } = this.#layout.slotsOf(this.#owners.ownersOf(messages));
		const window = slots.map((slot) => messageOf(slot, messages));
		for (let at = covers; at < messages.length; at++) window.push(messages[at] as HostMessage);
		return withoutOrphans(window);
	}
}

/** A message of its own at every request: those who come after us may change it. */
function messageOf(slot: Slot, messages: readonly HostMessage[]): HostMessage {
	if (slot.kind === "folds") {
		const content = slot.texts.map((text) => ({ type: "text" as const, text }));
		return { role: "user", content, timestamp: slot.at };
	}
	const message = messages[slot.message] as HostMessage;
	if (slot.kind === "clipped" && message.role === "toolResult") {
		return { ...message, content: [{ type: "text", text: slot.text }] };
	}
	if (slot.kind === "unthought" && message.role === "assistant") {
		return { ...message, content: message.content.filter((block) => block.type !== "thinking") };
	}
	return message;
}

/** Providers refuse a result without its call. The host answers calls without a result by itself. */
function withoutOrphans(messages: HostMessage[]): HostMessage[] {
	let calling: HostMessage | undefined;
	for (const message of messages) {
		if (message.role === "assistant") calling = message;
		// as a rule the last reply made the call; else all those before are asked
		else if (message.role === "toolResult" && !makes(calling, message.toolCallId))
			return answeringCalls(messages);
	}
	return messages;
}

function answeringCalls(messages: readonly HostMessage[]): HostMessage[] {
	const calls = new Set<string>();
	return messages.filter((message) => {
		if (message.role === "toolResult") return calls.has(message.toolCallId);
		if (message.role === "assistant") {
			for (const block of message.content) if (block.type === "toolCall") calls.add(block.id);
		}
		return true;
	});
}

function makes(message: HostMessage | undefined, call: string): boolean {
	if (message?.role !== "assistant") return false;
	return message.content.some((block) => block.type === "toolCall" && block.id === call);
}
