import { createHash } from "node:crypto";
import {
	type AssistantMessage,
	type FauxProviderHandle,
	type FauxResponseStep,
	fauxAssistantMessage,
	fauxText,
	fauxToolCall,
	type JsonObject,
	type Message,
	type ThinkingContent,
	type TranscriptContext,
} from "@earendil-works/pi-ai";
import { charactersOf } from "./billing.ts";

/** A call the scripted model makes: a tool of the host and its arguments. */
export interface Call {
	readonly tool: "read" | "bash" | "edit" | "write";
	readonly args: JsonObject;
}

/** What came back for one call: the text the model sees. */
export interface Output {
	readonly call: Call;
	readonly text: string;
	readonly failed: boolean;
}

/** One reply of the scripted model. Without calls it ends the turn. */
export interface Reply {
	readonly say?: string;
	readonly think?: string;
	readonly calls?: readonly Call[];
	/** the provider fails instead, with this text; the host may retry */
	readonly fail?: string;
}

/**
 * One user turn as a coroutine: it yields a reply and is given the outputs of its calls, in order. A reply that
 * failed is given no outputs and is followed by the retry. A reply without calls ends the turn.
 */
export type Turn = Generator<Reply, void, readonly Output[]>;

/**
 * Plays turns as the model behind a faux provider: every request resumes the current turn with the tool results the
 * request carries, so the script sees what a model would see and nothing else.
 */
export class ScriptedModel {
	readonly #faux: FauxProviderHandle;
	#turn: Turn | undefined;
	#open: readonly Call[] = [];
	#calls = 0;
	#characters = 0;
	#failure: Error | undefined;

	constructor(faux: FauxProviderHandle) {
		this.#faux = faux;
	}

	/** Makes `turn` answer the next prompt. */
	begin(turn: Turn): void {
		this.#turn = turn;
		this.#open = [];
		this.#failure = undefined;
		this.#faux.setResponses([this.#step]);
	}

	/** characters of the latest request's prompt */
	get promptCharacters(): number {
		return this.#characters;
	}

	/** Throws what went wrong in the script since the latest `begin`; the host alone would take it for a failed request. */
	check(): void {
		if (this.#failure !== undefined) throw this.#failure;
	}

	#step: FauxResponseStep = (context) => {
		try {
			return this.#reply(context);
		} catch (error) {
			this.#failure = error instanceof Error ? error : new Error(String(error));
			throw error;
		}
	};

	#reply(context: TranscriptContext): AssistantMessage {
		this.#characters = context.messages.reduce((n, message) => n + charactersOf(message), 0);
		const outputs = this.#open.length === 0 ? [] : outputsOf(context.messages, this.#open);
		const next = this.#turn?.next(outputs);
		if (next === undefined || next.done) throw new Error("the script ended before the host did");
		this.#faux.appendResponses([this.#step]);
		this.#open = next.value.calls ?? [];
		return this.#message(next.value);
	}

	#message(reply: Reply): AssistantMessage {
		if (reply.fail !== undefined) {
			return fauxAssistantMessage([], { stopReason: "error", errorMessage: reply.fail });
		}
		const calls = (reply.calls ?? []).map((call) =>
			fauxToolCall(
				call.tool,
				{ ...call.args },
				{ id: `toolu_${digest(`call ${this.#calls++}`).slice(0, 22)}` },
			),
		);
		return fauxAssistantMessage(
			[
				...(reply.think === undefined ? [] : [signed(reply.think)]),
				...(reply.say === undefined ? [] : [fauxText(reply.say)]),
				...calls,
			],
			{ stopReason: calls.length > 0 ? "toolUse" : "stop" },
		);
	}
}

function outputsOf(messages: readonly Message[], calls: readonly Call[]): Output[] {
	const results = messages.slice(-calls.length);
	return calls.map((call, i) => {
		const result = results[i];
		if (result?.role !== "toolResult") throw new Error(`no result for a call of ${call.tool}`);
		const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
		return { call, text, failed: result.isError };
	});
}

/** Real signatures are opaque to everyone but the provider; this one is as opaque and always the same. */
function signed(thinking: string): ThinkingContent {
	return {
		type: "thinking",
		thinking,
		thinkingSignature: `Ep${digest(thinking, "base64")}${digest(`${thinking}.`, "base64")}`,
	};
}

function digest(text: string, encoding: "hex" | "base64" = "hex"): string {
	return createHash("sha256").update(text).digest(encoding);
}
