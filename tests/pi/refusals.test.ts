import { isContextOverflow } from "@earendil-works/pi-ai";
import { expect, test } from "vitest";
import { refusalIn } from "../../src/adapters/pi/refusals.ts";

const kindOf = (words: string) => {
	const refusal = refusalIn(words);
	if (!refusal) return undefined;
	return refusal.of === "size" ? refusal.excess : refusal.wants;
};

test.each([
	"prompt is too long: 213462 tokens > 200000 maximum",
	"input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length or `max_tokens`",
	"Your input exceeds the context window of this model. Please adjust your input and try again.",
	"This model's maximum context length is 128000 tokens. However, your messages resulted in 131000 tokens.",
	"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
	"400 the request exceeds the available context size, try increasing it",
	"Input is too long for requested model.",
	'{"code":"context_length_exceeded"}',
])("a request of too many tokens is known by its refusal: %s", (words) => {
	expect(kindOf(words)).toBe("tokens");
	expect(
		isContextOverflow({ stopReason: "error", errorMessage: words } as never) || /max_tokens/.test(words),
	).toBe(true);
});

test.each([
	'413 {"error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
	"Anthropic API error (413): Request Entity Too Large",
	"Request payload is too large",
	"Request body size exceeds the maximum allowed size of 20971520 bytes",
	"messages.4.content.2.image.source.base64.data: image dimensions exceed max allowed size for many-image requests: 2000 pixels",
	"Too many images in request: 101 > 100",
])("a request of too many bytes or images is known by its refusal: %s", (words) => {
	expect(kindOf(words)).toBe("bytes");
});

test.each([
	["strip", "messages.1.content.0: Invalid `signature` in `thinking` block"],
	["strip", "The thought signature of this part is not valid: thought_signature mismatch"],
	["strip", "Item 'rs_68' of type 'reasoning' was provided without its required following item."],
	["strip", "The encrypted content for item rs_68 could not be verified."],
	["keep", "messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."],
	["keep", "When `thinking` is enabled, a final `assistant` message must start with a thinking block"],
	["keep", "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified."],
	[
		"keep",
		"Item 'fc_68' of type 'function_call' was provided without its required 'reasoning' item: 'rs_68'.",
	],
	["keep", "Function call is missing a thought_signature in functionCall parts."],
])("what a refusal over thinking asks for is known: %s, by %s", (wants, words) => {
	expect(kindOf(words)).toBe(wants);
});

test.each([
	"",
	"529 overloaded_error",
	"429 Too many requests",
	"Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 41000",
	"max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for this model",
	"Your credit balance is too low to access the API",
	"invalid x-api-key",
	"tools.0.input_schema: JSON schema is invalid",
])("what no change of the window helps against is left alone: %s", (words) => {
	expect(kindOf(words)).toBe(undefined);
});
