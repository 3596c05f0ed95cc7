import { calculateCost, type Message, type Model, type Usage } from "@earendil-works/pi-ai";
import { buildSessionProjection, convertToLlm, type SessionEntry } from "@earendil-works/pi-coding-agent";

/** How long text is taken to be in tokens: source code and logs come to about this many characters per token. */
export const CHARACTERS_PER_TOKEN = 3.0;

/** Tokens behind the last cache breakpoint, billed as plain input on every request. */
const UNCACHED_TOKENS = 4;

/** Characters of a message that a provider is sent: text, thinking, calls with their arguments, prompt and tools. */
export function charactersOf(message: Message): number {
	if (message.role === "system") {
		return JSON.stringify([message.content, message.sections, message.toolsAdded]).length;
	}
	if (typeof message.content === "string") return message.content.length;
	let characters = 0;
	for (const part of message.content) {
		if (part.type === "text") characters += part.text.length;
		else if (part.type === "thinking") characters += part.thinking.length;
		else if (part.type === "toolCall") characters += part.name.length + JSON.stringify(part.arguments).length;
	}
	return characters;
}

/**
 * Writes into every reply of a session what it would have been billed: tokens from characters, cached tokens by the
 * longest prefix of messages that an earlier request sent within the model's cache lifetime (`promptCache.short`, in
 * seconds, counted from the last use), dollars from the catalogue. Entries must be in file order and bear their
 * recorded times.
 */
export function billReplies(entries: readonly SessionEntry[], model: Model<string>): void {
	const lifetime = (model.promptCache?.short ?? 0) * 1000;
	const lastUse = new Map<string, number>(); // an entry has one path to the root, so its id names the prefix it ends
	const all = [...entries];
	for (const entry of entries) {
		if (entry.type !== "message" || entry.message.role !== "assistant") continue;
		const reply = entry.message;
		if (reply.stopReason === "error") {
			reply.usage = usageOf(model, 0, 0, 0, 0); // an overloaded provider bills nothing
			continue;
		}
		const now = Date.parse(entry.timestamp);
		const { entries: projected } = buildSessionProjection(all, entry.parentId);
		let cached = 0;
		let total = 0;
		const sent: string[] = [];
		for (const { sourceEntry, messages } of projected) {
			for (const message of convertToLlm(messages)) {
				if (message.role === "assistant" && /^(error|aborted)$/.test(message.stopReason)) continue;
				total += charactersOf(message);
				sent.push(sourceEntry.id);
				const used = lastUse.get(sourceEntry.id);
				if (used !== undefined && now - used <= lifetime) cached = total;
			}
		}
		for (const id of sent) lastUse.set(id, now);
		const prompt = tokens(total);
		const read = Math.min(tokens(cached), prompt - UNCACHED_TOKENS);
		reply.usage = usageOf(
			model,
			UNCACHED_TOKENS,
			tokens(charactersOf(reply)),
			read,
			prompt - read - UNCACHED_TOKENS,
		);
	}
}

function usageOf(
	model: Model<string>,
	input: number,
	output: number,
	cacheRead: number,
	cacheWrite: number,
): Usage {
	const usage: Usage = {
		input,
		output,
		cacheRead,
		cacheWrite,
		totalTokens: input + output + cacheRead + cacheWrite,
		cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
	};
	calculateCost(model, usage);
	return usage;
}

function tokens(characters: number): number {
	return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
