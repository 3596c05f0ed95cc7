import { Type } from "@sinclair/typebox";
import { defineEvent, type EventOf } from "./envelope.ts";

const prices = {
	input: Type.Number({ description: "per million tokens neither read from nor written to the cache" }),
	read: Type.Number({ description: "per million tokens read from the cache" }),
	write: Type.Number({ description: "per million tokens written to the cache" }),
	output: Type.Number({ description: "per million tokens the model wrote" }),
};

/** What tokens are worth from here on: the prices, the cache and the window of the model that answers. */
export const ValuationChanged = defineEvent(
	"valuation/changed",
	1,
	Type.Object({
		model: Type.String({ description: "provider/model" }),
		unit: Type.Union([Type.Literal("usd"), Type.Literal("token")], {
			description: "dollars, or input-token equivalents where no price is known",
		}),
		...prices,
		tiers: Type.Array(Type.Object({ above: Type.Number({ description: "prompt tokens" }), ...prices }), {
			description: "prices of a whole request whose prompt is larger than `above`; ascending",
		}),
		lifetimeMs: Type.Number({ description: "how long a cached prefix lives after its last use" }),
		cache: Type.Union([Type.Literal("prefix"), Type.Literal("breakpoint")], {
			description: "how a changed prompt matches: longest common prefix, or back to a marked position",
		}),
		window: Type.Number({ description: "tokens the model can take in" }),
		requestBytes: Type.Optional(Type.Number({ description: "bytes the provider takes in one request" })),
		reasoning: Type.Union([Type.Literal("keep"), Type.Literal("strip")], {
			description: "what becomes of thinking behind a changed byte",
		}),
		source: Type.String({ description: "where the numbers come from, and what was assumed" }),
	}),
);

export type ValuationEvent = EventOf<typeof ValuationChanged>;

/** The payload of `valuation/changed`: prices per million tokens, times in ms, sizes in tokens. */
export type Valuation = ValuationEvent["data"];
