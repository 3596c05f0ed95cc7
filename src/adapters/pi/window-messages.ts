import type { HostMessage, OwnedMessage } from "./owners.ts";
import type { StandingHead } from "./standing-head.ts";

/** The host's own projection, as far as it says which entries it keeps, and which of them an edit replaced. */
interface Projected {
	readonly entries: readonly {
		readonly sourceEntry: { readonly id: string; readonly type: string; readonly targetId?: string };
	}[];
}

/**
 * The messages to send: folds stand where the first of their entries stood, whole, as long as the host keeps one of
 * them, edited away or not; raw entries keep the host's own message, in the host's order. What is nobody's stays behind what it stood
 * behind. Adjacent folds are one user message, a block each.
 */
export function windowMessages(
	standing: StandingHead,
	owned: readonly OwnedMessage[],
	{ entries }: Projected,
): HostMessage[] {
	const { parts, places } = standing.head;
	const kept = new Set<number>();
	const edited = new Set<string | undefined>();
	const reachedBy = new Map<string, number>();
	let reached = 0;
	for (const { sourceEntry } of entries) {
		const place = places.get(sourceEntry.id);
		if (place !== undefined) kept.add(place);
		if (sourceEntry.type === "context_edit") edited.add(sourceEntry.targetId);
		reached = Math.max(reached, (place ?? -1) + 1);
		reachedBy.set(sourceEntry.id, reached);
	}
	const shown = new Map<number, HostMessage>();
	const behind: HostMessage[][] = [[], ...parts.map(() => [])];
	reached = 0;
	for (const { message, entry } of owned) {
		const place = entry === undefined ? undefined : places.get(entry);
		reached = Math.max(reached, (entry === undefined ? undefined : reachedBy.get(entry)) ?? 0);
		if (place === undefined) {
			// what an edit replaced stands as edited, whole
			behind[reached]?.push(edited.has(entry) ? message : rawMessage(standing, message, entry));
		} else shown.set(place, message);
	}
	const messages = behind[0] ?? [];
	let blocks: { type: "text"; text: string }[] | undefined;
	for (const [index, part] of parts.entries()) {
		const message = shown.get(index);
		if (message && part.kind === "entry") {
			messages.push(message);
			blocks = undefined;
		} else if (part.kind === "fold" && kept.has(index)) {
			if (!blocks) {
				blocks = [];
				messages.push({ role: "user", content: blocks, timestamp: part.at });
			}
			blocks.push({ type: "text", text: textOf(standing, part.text) });
		}
		const next = behind[index + 1] ?? [];
		if (next.length > 0) blocks = undefined;
		messages.push(...next);
	}
	return withoutOrphans(messages);
}

function rawMessage(standing: StandingHead, message: HostMessage, entry: string | undefined): HostMessage {
	if (entry === undefined) return message;
	const clip = standing.head.clips.get(entry);
	if (clip !== undefined && message.role === "toolResult") {
		return { ...message, content: [{ type: "text", text: textOf(standing, clip) }] };
	}
	if (message.role === "assistant" && standing.head.unthought.has(entry)) {
		return { ...message, content: message.content.filter((block) => block.type !== "thinking") };
	}
	return message;
}

function textOf({ texts }: StandingHead, digest: string): string {
	const text = texts.get(digest);
	if (text === undefined) throw new RangeError(`the text ${digest} is not at hand`);
	return text;
}

/** Providers refuse a result without its call. The host answers calls without a result by itself. */
function withoutOrphans(messages: readonly HostMessage[]): HostMessage[] {
	const calls = new Set<string>();
	return messages.filter((message) => {
		if (message.role === "toolResult") return calls.has(message.toolCallId);
		if (message.role === "assistant") {
			for (const block of message.content) if (block.type === "toolCall") calls.add(block.id);
		}
		return true;
	});
}
