import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";

/** A message or item of a request, as it is on the wire. */
export interface OpenAiItem {
	readonly type?: string;
	readonly role?: string;
	readonly content?: unknown;
	readonly tool_calls?: readonly { readonly id: string }[];
	readonly tool_call_id?: string;
	readonly call_id?: string;
}

/** OpenAI's two endpoints on the loopback interface, which answer everything with a word. */
export class OpenAiServer implements AsyncDisposable {
	/** messages of each request to `/chat/completions`, in order */
	readonly chats: OpenAiItem[][] = [];
	/** items of each request to `/responses`, in order */
	readonly responses: OpenAiItem[][] = [];
	readonly #server: Server;

	private constructor() {
		this.#server = createServer(async (request, response) => {
			let text = "";
			for await (const chunk of request.setEncoding("utf8")) text += chunk;
			const { messages, input } = JSON.parse(text);
			if (messages) this.chats.push(messages);
			else this.responses.push(input);
			response.writeHead(200, { "content-type": "text/event-stream" });
			for (const event of messages ? CHAT : RESPONSE) response.write(`data: ${JSON.stringify(event)}\n\n`);
			response.end("data: [DONE]\n\n");
		});
	}

	static async listen(): Promise<OpenAiServer> {
		const server = new OpenAiServer();
		server.#server.listen(0, "127.0.0.1");
		await once(server.#server, "listening");
		return server;
	}

	/** Gives the host the models `chat` of a provider `chat`, and `responses` of a provider `responses`, both served here. */
	get provider(): ExtensionFactory {
		const baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
		const model = (id: string) => ({
			id,
			name: id,
			reasoning: false,
			input: ["text" as const],
			cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 0 },
			contextWindow: 40_000,
			maxTokens: 4_000,
		});
		return (pi) => {
			const common = { baseUrl, apiKey: "none" };
			pi.registerProvider("chat", { ...common, api: "openai-completions", models: [model("chat")] });
			pi.registerProvider("responses", { ...common, api: "openai-responses", models: [model("responses")] });
		};
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, "close");
	}
}

/** How a chat is refused: results must answer the calls right before them, and all of these; `undefined` where it is not. */
export function chatBreach(messages: readonly OpenAiItem[]): string | undefined {
	let open = new Set<string>();
	for (const [at, { role, content, tool_calls, tool_call_id }] of messages.entries()) {
		if (role === "tool") {
			if (!open.delete(tool_call_id ?? "")) return `messages.${at} answers no call`;
			continue;
		}
		if (open.size > 0) return `calls before messages.${at} have no result`;
		if (content === "" && !tool_calls) return `messages.${at} is empty`;
		open = new Set(tool_calls?.map(({ id }) => id));
	}
	return open.size > 0 ? "the last calls have no results" : undefined;
}

/** How a list of items is refused: each call has one output behind it, each output a call; `undefined` where it is not. */
export function responsesBreach(items: readonly OpenAiItem[]): string | undefined {
	const open = new Set<string>();
	for (const [at, { type, call_id = "" }] of items.entries()) {
		if (type === "function_call") open.add(call_id);
		if (type === "function_call_output" && !open.delete(call_id)) return `input.${at} answers no call`;
	}
	return open.size > 0 ? `no output for ${[...open].join(", ")}` : undefined;
}

const CHAT = [
	{ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: { content: "noted" } }] },
	{ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];

const ITEM = { type: "message", id: "m", role: "assistant", status: "completed" };

const RESPONSE = [
	{ type: "response.created", response: { id: "r" } },
	{ type: "response.output_item.added", output_index: 0, item: { ...ITEM, content: [] } },
	{
		type: "response.content_part.added",
		output_index: 0,
		item_id: "m",
		part: { type: "output_text", text: "" },
	},
	{ type: "response.output_text.delta", output_index: 0, item_id: "m", delta: "noted" },
	{
		type: "response.output_item.done",
		output_index: 0,
		item: { ...ITEM, content: [{ type: "output_text", text: "noted", annotations: [] }] },
	},
	{
		type: "response.completed",
		response: {
			id: "r",
			status: "completed",
			usage: { input_tokens: 9, output_tokens: 1, total_tokens: 10 },
		},
	},
];
