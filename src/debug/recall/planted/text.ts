import type { RecallDocument } from "../../../../projections/recall/document.ts";
import type { Dice } from "./dice.ts";

/** How long a text is: a note of a line or two, or a result of a screen or ten. */
export type Length = "short" | "long";

/** What a text is made of. */
interface TextParts {
	readonly id: string;
	readonly length: Length;
	/** what it says */
	readonly says: string;
	/** said again at the end, where a text goes on about the same */
	readonly again: string;
	/** words around it */
	readonly filler: readonly string[];
	/** what stands between these */
	readonly space: string;
}

/** A text as recall sees it: what it says stands somewhere among words that say nothing. */
export function textOf(dice: Dice, { id, length, says, again, filler, space }: TextParts): RecallDocument {
	const words = length === "long" ? dice.between(150, 700) : dice.between(6, 24);
	const before = dice.below(words);
	const some = (count: number) => Array.from({ length: count }, () => dice.pick(filler)).join(space);
	const body = [some(before), says, some(words - before), again].filter((part) => part !== "").join(".\n");
	const isResult = length === "long";
	return {
		id,
		at: 0,
		kinds: [isResult ? "tool_result" : "assistant"],
		tools: isResult ? ["bash"] : [],
		role: isResult ? "result" : "assistant",
		sourceClass: "primary",
		files: [],
		text: isResult ? `[bash]\n${body}` : body,
		thinking: "",
	};
}

/** How long a needle is and those beside it: each shape in turn. */
export function lengthsOf(n: number, beside: number): { readonly own: Length; readonly other: Length } {
	if (n % 3 === 0) return { own: "long", other: "short" };
	if (n % 3 === 1) return { own: "short", other: "long" };
	return { own: n % 2 === 0 ? "long" : "short", other: beside % 2 === 0 ? "long" : "short" };
}
