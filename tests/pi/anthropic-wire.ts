/** A block of a message, as it is on the wire. */
export interface Block {
	readonly type: string;
	readonly text?: string;
	readonly thinking?: string;
	readonly signature?: string;
	readonly id?: string;
	readonly name?: string;
	readonly input?: unknown;
	readonly tool_use_id?: string;
	readonly content?: unknown;
}

/** A message, as it is on the wire. */
export interface WireMessage {
	readonly role: "user" | "assistant" | "system";
	readonly content: string | readonly Block[];
}

/** The words with which Anthropic's API refuses a conversation that breaks its rules; `undefined` where none is broken. */
export function breachOf(messages: readonly WireMessage[]): string | undefined {
	const spoken = messages.filter(({ role }) => role !== "system");
	if (spoken[0]?.role !== "user") return "messages: first message must use the user role";
	let open = new Set<string>();
	for (const [at, { role, content }] of spoken.entries()) {
		const blocks: readonly Block[] =
			typeof content === "string" ? [{ type: "text", text: content }] : content;
		if (blocks.length === 0) return `messages.${at}: all messages must have non-empty content`;
		if (blocks.some(({ type, text }) => type === "text" && !text?.trim()))
			return `messages.${at}: text content blocks must contain non-whitespace text`;
		const answered = new Set<string>();
		for (const { type, tool_use_id } of blocks) {
			if (type !== "tool_result") continue;
			if (role !== "user" || tool_use_id === undefined || !open.has(tool_use_id) || answered.has(tool_use_id))
				return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${tool_use_id}`;
			answered.add(tool_use_id);
		}
		if (answered.size !== open.size)
			return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after`;
		open = new Set(blocks.flatMap(({ type, id }) => (type === "tool_use" && id !== undefined ? [id] : [])));
		if (role === "user" && open.size > 0) return `messages.${at}: a user uses no tools`;
	}
	return open.size > 0 ? "messages: the last calls have no results" : undefined;
}

/** Messages as text, those that mean the same alike. */
export function meaningOf(messages: readonly WireMessage[]): string {
	return JSON.stringify(messages, (key, value) => {
		if (key === "cache_control") return undefined;
		return key === "content" && typeof value === "string" ? [{ type: "text", text: value }] : value;
	});
}
