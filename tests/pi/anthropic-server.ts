import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";
import { type Block, breachOf, meaningOf, type WireMessage } from "./anthropic-wire.ts";

/** The body of a request. */
interface Body {
	readonly model: string;
	readonly messages: readonly WireMessage[];
	readonly thinking?: { readonly type: string };
	readonly thread?: { readonly type: "create" | "continue"; readonly previous_message_id?: string };
}

/** A request that came. */
export interface WireRequest {
	/** as it was sent */
	readonly body: Body;
	/** the whole conversation, told of this request or kept of the thread */
	readonly messages: readonly WireMessage[];
	/** why it was answered with an error */
	refused?: string;
}

/** An error instead of a reply. */
export interface Refused {
	/** 400 unless given */
	readonly status?: number;
	readonly message: string;
}

/** What the server does. */
export interface Behaviour {
	/** the blocks of the reply; a short text unless given */
	readonly reply?: (request: WireRequest, nth: number) => readonly Block[];
	/** an error to answer with instead */
	readonly refuse?: (request: WireRequest, nth: number) => Refused | undefined;
	/** thinking is signed with all that comes before it, and refused where that changed */
	readonly bindsThinking?: boolean;
}

/**
 * Anthropic's endpoint on the loopback interface: message threads, thinking that is bound to what came before it, and
 * the rules by which a conversation is refused.
 */
export class AnthropicServer implements AsyncDisposable {
	/** every request, in order */
	readonly requests: WireRequest[] = [];
	/** may be set anew between requests */
	behaviour: Behaviour;
	readonly #server: Server;
	readonly #threads = new Map<string, readonly WireMessage[]>();

	private constructor(behaviour: Behaviour) {
		this.behaviour = behaviour;
		this.#server = createServer((request, response) => {
			this.#answer(request, response).catch((error) => response.destroy(error));
		});
	}

	static async listen(behaviour: Behaviour = {}): Promise<AnthropicServer> {
		const server = new AnthropicServer(behaviour);
		server.#server.listen(0, "127.0.0.1");
		await once(server.#server, "listening");
		return server;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	/** Gives the host a provider `wire` with the models `plain`, `threaded`, `budget` and `adaptive`, all served here. */
	get provider(): ExtensionFactory {
		const model = (id: string, reasoning: boolean, compat: object) => ({
			id,
			name: id,
			reasoning,
			input: ["text" as const],
			cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
			contextWindow: 40_000,
			maxTokens: 4_000,
			compat,
		});
		return (pi) =>
			pi.registerProvider("wire", {
				api: "anthropic-messages",
				baseUrl: this.url,
				apiKey: "none",
				models: [
					model("plain", false, {}),
					model("threaded", false, { supportsMessageThreads: true }),
					model("budget", true, {}),
					model("adaptive", true, { forceAdaptiveThinking: true }),
				],
			});
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, "close");
	}

	async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		let text = "";
		for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
		const body: Body = JSON.parse(text);
		const before = this.#threads.get(body.thread?.previous_message_id ?? "") ?? [];
		const request: WireRequest = { body, messages: [...before, ...body.messages] };
		const nth = this.requests.push(request) - 1;
		const refused = this.#refusalOf(request, nth);
		if (refused) {
			request.refused = refused.message;
			response.writeHead(refused.status ?? 400, { "content-type": "application/json" });
			const error = { type: "invalid_request_error", message: refused.message };
			response.end(JSON.stringify({ type: "error", error }));
			return;
		}
		const { reply = () => [{ type: "text", text: "noted" }], bindsThinking } = this.behaviour;
		const content = reply(request, nth).map((block) =>
			block.type === "thinking" && bindsThinking ? { ...block, signature: signed(request.messages) } : block,
		);
		const id = `msg_${nth}`;
		this.#threads.set(id, [...request.messages, { role: "assistant", content }]);
		response.writeHead(200, { "content-type": "text/event-stream" });
		const earlier = this.requests.slice(0, nth).filter(({ refused }) => refused === undefined);
		for (const event of streamOf(id, request, content, cachedOf(request, earlier.at(-1)))) {
			response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
		}
		response.end();
	}

	#refusalOf(request: WireRequest, nth: number): Refused | undefined {
		const { refuse, bindsThinking } = this.behaviour;
		const breach = breachOf(request.messages) ?? (bindsThinking ? unbound(request.messages) : undefined);
		if (breach) return { message: breach };
		return refuse?.(request, nth);
	}
}

/** What names the messages before a thought; markers of the cache mean nothing. */
function signed(messages: readonly WireMessage[]): string {
	return createHash("sha256").update(meaningOf(messages)).digest("hex");
}

/** The words with which a thought is refused whose past is not the one it was had in. */
function unbound(messages: readonly WireMessage[]): string | undefined {
	for (const [at, { role, content }] of messages.entries()) {
		if (role !== "assistant" || typeof content === "string") continue;
		const block = content.findIndex(({ type }) => type === "thinking");
		if (block === -1 || content[block]?.signature === signed(messages.slice(0, at))) continue;
		return `messages.${at}.content.${block}: Invalid \`signature\` in \`thinking\` block`;
	}
	return undefined;
}

/** Characters of a request that stood in the one before it already. */
function cachedOf({ messages }: WireRequest, before: WireRequest | undefined): number {
	let cached = 0;
	for (const [at, message] of messages.entries()) {
		const meaning = meaningOf([message]);
		if (!before?.messages[at] || meaning !== meaningOf([before.messages[at]])) break;
		cached += meaning.length;
	}
	return cached;
}

function streamOf(id: string, { body, messages }: WireRequest, content: readonly Block[], cached: number) {
	const chars = meaningOf(messages).length;
	const usage = {
		input_tokens: 0,
		cache_read_input_tokens: Math.floor(cached / 4),
		cache_creation_input_tokens: Math.ceil((chars - cached) / 4),
		output_tokens: Math.ceil(JSON.stringify(content).length / 4),
	};
	const message = { id, type: "message", role: "assistant", model: body.model, content: [], usage };
	const blocks = content.flatMap((block, index) => [
		{ type: "content_block_start", index, content_block: { ...block, input: {} } },
		...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
		{ type: "content_block_stop", index },
	]);
	const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
	return [
		{ type: "message_start", message },
		...blocks,
		{ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
		{ type: "message_stop" },
	];
}

function deltasOf(block: Block): object[] {
	return block.type === "tool_use"
		? [{ type: "input_json_delta", partial_json: JSON.stringify(block.input) }]
		: [];
}
