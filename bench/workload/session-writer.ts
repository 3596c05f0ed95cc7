import { createHash } from "node:crypto";
import { calculateCost, type Model, type Usage } from "@earendil-works/pi-ai";

/** How long text of the workload is in tokens: 3.83 M characters of such stages came to 0.7 to 1.0 M tokens. */
export const CHARACTERS_PER_TOKEN = 4.8;

/** Cached prefixes are read in multiples of this many tokens. */
const CACHE_UNIT = 512;

/** A call of the agent and what came back. */
export interface Step {
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly result: string;
}

/** What was written. */
export interface Written {
	readonly requests: number;
	readonly calls: number;
	/** characters of tool results */
	readonly resultCharacters: number;
	readonly outputTokens: number;
	/** tokens of the largest prompt */
	readonly largestPrompt: number;
	readonly dollars: number;
}

/** Builds a session of the host's format version 3, reply by reply, billed as the model would bill an append-only prompt. */
export class SessionWriter {
	readonly #model: Model<string>;
	readonly #lines: string[] = [];
	#entries = 0;
	#parent: string | null = null;
	#now = Date.parse("2026-03-04T08:00:00.000Z");
	#promptCharacters = 0;
	#sent = 0;
	#requests = 0;
	#calls = 0;
	#resultCharacters = 0;
	#outputTokens = 0;
	#largestPrompt = 0;
	#dollars = 0;

	constructor(model: Model<string>, id: string, cwd: string) {
		this.#model = model;
		this.#lines.push(
			JSON.stringify({ type: "session", version: 3, id, timestamp: new Date(this.#now).toISOString(), cwd }),
		);
		this.#append(1, { type: "model_change", provider: model.provider, modelId: model.id });
		this.#append(1, { type: "thinking_level_change", thinkingLevel: "medium" });
	}

	/** The prompt and the tools, before the first message. */
	system(content: string, tools: readonly object[]): void {
		this.#promptCharacters += content.length + JSON.stringify(tools).length;
		this.#message(1, { role: "system", content, toolsAdded: tools });
	}

	user(text: string): void {
		this.#promptCharacters += text.length;
		this.#message(4000, { role: "user", content: [{ type: "text", text }] });
	}

	/** A reply with its calls and their results. `reasoning` counts tokens of thought that are billed and not shown. */
	reply(text: string, steps: readonly Step[], reasoning: number): void {
		const parts = steps.map(({ tool, args }) => {
			const id = `call_${digest(`call ${this.#calls++}`).slice(0, 20)}`;
			return { type: "toolCall", id, name: tool, arguments: args };
		});
		const shown =
			text.length +
			parts.reduce((n, part) => n + part.name.length + JSON.stringify(part.arguments).length, 0);
		const usage = this.#bill(tokens(shown) + reasoning);
		this.#message(3000 + usage.output * 18, {
			role: "assistant",
			content: [{ type: "text", text }, ...parts],
			api: this.#model.api,
			provider: this.#model.provider,
			model: this.#model.id,
			usage,
			stopReason: steps.length > 0 ? "toolUse" : "stop",
		});
		this.#promptCharacters += shown;
		for (const [i, { tool, result }] of steps.entries()) {
			this.#promptCharacters += result.length;
			this.#resultCharacters += result.length;
			const content = [{ type: "text", text: result }];
			this.#message(120, {
				role: "toolResult",
				toolCallId: parts[i]?.id,
				toolName: tool,
				content,
				isError: false,
			});
		}
	}

	/** The file's text, and what it came to. */
	finish(): { readonly jsonl: string; readonly written: Written } {
		return {
			jsonl: `${this.#lines.join("\n")}\n`,
			written: {
				requests: this.#requests,
				calls: this.#calls,
				resultCharacters: this.#resultCharacters,
				outputTokens: this.#outputTokens,
				largestPrompt: this.#largestPrompt,
				dollars: this.#dollars,
			},
		};
	}

	#bill(output: number): Usage {
		const prompt = tokens(this.#promptCharacters);
		const cacheRead = Math.floor(Math.min(this.#sent, prompt - 1) / CACHE_UNIT) * CACHE_UNIT;
		this.#sent = prompt;
		const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
		const usage: Usage = {
			input: prompt - cacheRead,
			output,
			cacheRead,
			cacheWrite: 0,
			totalTokens: prompt + output,
			cost,
		};
		calculateCost(this.#model, usage);
		this.#requests++;
		this.#outputTokens += output;
		this.#largestPrompt = Math.max(this.#largestPrompt, prompt);
		this.#dollars += usage.cost.total;
		return usage;
	}

	#message(after: number, message: object): void {
		this.#append(after, { type: "message", message: { ...message, timestamp: this.#now + after } });
	}

	#append(after: number, entry: object): void {
		this.#now += after;
		const id = digest(`stage entry ${this.#entries++}`).slice(0, 8);
		const { type, ...rest } = entry as { type: string };
		this.#lines.push(
			JSON.stringify({
				type,
				id,
				parentId: this.#parent,
				timestamp: new Date(this.#now).toISOString(),
				...rest,
			}),
		);
		this.#parent = id;
	}
}

function tokens(characters: number): number {
	return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function digest(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
