import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { SessionStates } from "../../../projections/states.ts";
import { askedRawAt, withdrawnAt } from "../../debug/withdrawn.ts";
import type { LiveSession } from "./live-session.ts";
import { modelInUse } from "./model-in-use.ts";
import { askedRawWords, receiptSentence } from "./receipt-words.ts";

/** What became of a commit that someone asked for, in a sentence. */
export interface ByHand {
	readonly text: string;
	/** `told` is trouble that came up meanwhile, which the user has been told of by itself */
	readonly as: "done" | "nothing" | "refused" | "told";
}

/** Folds what can be folded, from the next request on, because someone asked. */
export async function commitByHand(ctx: ExtensionContext, session: LiveSession): Promise<ByHand> {
	const { trouble } = session;
	const staysRaw = await whatStaysRaw(ctx, session);
	const receipt = await session.fold(ctx.sessionManager, modelInUse(ctx));
	if (receipt)
		return { text: `${receiptSentence(receipt, "from the next request on")}${await staysRaw()}`, as: "done" };
	// a disk that did not answer before may have done so since
	if (trouble !== undefined) return { text: `nothing was folded: ${trouble}`, as: "refused" };
	if (session.trouble !== undefined) return { text: session.trouble, as: "told" };
	return { text: "nothing is foldable yet", as: "nothing" };
}

/** Asks later, once something is folded, what became of what someone had asked to leave raw: in words to follow a receipt. */
export async function whatStaysRaw(
	ctx: ExtensionContext,
	session: LiveSession,
): Promise<() => Promise<string>> {
	const ask = <T>(question: (states: SessionStates, leaf: string | null) => T) =>
		session.ask(ctx.sessionManager, modelInUse(ctx), (states, { leaf }) => question(states, leaf));
	const withdrawn = await ask(withdrawnAt);
	return async () => {
		const asked = withdrawn && (await ask((states, leaf) => askedRawAt(states, leaf, withdrawn)));
		return asked ? askedRawWords(asked) : "";
	};
}
