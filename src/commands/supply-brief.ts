import type { BriefDecision, WrittenText } from "../../events/brief.ts";
import { SUPPLIED_CHARS } from "../../projections/brief/brief.ts";
import type { Cut } from "../../projections/forest.ts";
import { rewritingsAt, rewritten } from "../../projections/standing.ts";
import { planAt } from "../../projections/window-plan.ts";
import { completed, type DecisionCommand, fieldsOf } from "./change.ts";
import { CommandError } from "./command-error.ts";
import { pathCut, pendingCuts } from "./fold-path.ts";
import type { QuoteState } from "./quote.ts";

/** A command to have a fold tell something word for word. */
export interface BriefCommand extends DecisionCommand {
	readonly fold: string;
	readonly text: string;
	/** writes a cut's text with something supplied in it, and the texts of groups among `pending` that cover it */
	readonly write: (
		cut: Cut,
		pending: readonly Cut[],
		supplied: string,
	) => { texts: readonly WrittenText[]; supplied: string; renderer: string };
}

/**
 * Keeps a sentence for a fold that is still pending. Throws `FOLD_STANDING` where it is folded, and `BRIEF_INVALID`.
 */
export function supplyBrief(state: QuoteState, command: BriefCommand): BriefDecision[] {
	const { leaf, fold, text } = command;
	const plan = planAt(state, leaf);
	const cut = pathCut(state, leaf, fold);
	const pending = pendingCuts(state, leaf, plan);
	if (cut.number <= (plan?.cut ?? 0))
		throw new CommandError(
			"FOLD_STANDING",
			`${fold} is folded already; another text would have the provider take in all that follows it again`,
			{ action: "peek", id: fold },
		);
	if (cut.id !== fold)
		throw new CommandError("FOLD_UNKNOWN", `${fold} is a group; a brief goes to one of its cuts`, {
			action: "brief",
			id: cut.id,
			brief: text,
		});
	refuseBrief(text);
	const { texts, supplied, renderer } = command.write(cut, pending, text);
	const rewritings = rewritingsAt(state, leaf);
	const unchanged = texts.every((one) => {
		const stands = plan?.texts.get(one.fold);
		return stands && rewritten(stands, rewritings).text === one.text;
	});
	if (unchanged) return [];
	const data = { ...fieldsOf(state, command, "brief"), fold, supplied, texts: [...texts], renderer };
	return [completed(state, command, { type: "brief/supplied", data })];
}

/** Throws `BRIEF_INVALID` where a brief is too long, or says nothing. */
export function refuseBrief(text: string): void {
	if (text.length > SUPPLIED_CHARS)
		throw new CommandError(
			"BRIEF_INVALID",
			`a brief has at most ${SUPPLIED_CHARS} characters, this one has ${text.length}`,
		);
	if (!/[\p{L}\p{N}]{3}/u.test(text))
		throw new CommandError(
			"BRIEF_INVALID",
			"a brief must say something: three letters or digits in a row at least",
		);
}
