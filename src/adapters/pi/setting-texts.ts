import { budgetOf, floorOf, LEAST_FLOOR, type Rules, rules as ruling } from "../../../projections/rules.ts";
import { valuationOfModel } from "../catalogue.ts";
import { type ChoiceKey, type FullChoices, isPolicyWord, type PolicyOption } from "./choices.ts";
import { grouped, percent } from "./setting-values.ts";
import { type ModelInUse, type PutAside, type SettingsInForce, timingFor } from "./settings-in-force.ts";

/** The choices in force while a model answers, and what they come to. Sizes are `undefined` where no model gives them. */
export interface Shown {
	readonly choices: FullChoices;
	readonly model: ModelInUse;
	/** tokens a request may hold */
	readonly budget: number | undefined;
	/** raw tokens a commit leaves */
	readonly floor: number | undefined;
	/** raw tokens it would leave, did the policy not ask for more */
	readonly plainFloor: number | undefined;
}

/** What is in force while a model answers. */
export function shownOf(settings: SettingsInForce, model: ModelInUse): Shown {
	const { choices } = settings;
	const { floorFactor: _, ...plain } = settings.engine(model);
	const rules: Rules = {
		...ruling.initial(),
		settings: settings.engine(model),
		valuation: model ? valuationOfModel(model) : null,
	};
	if (model === undefined && choices.providerInputBudget === undefined)
		return { choices, model, budget: undefined, floor: undefined, plainFloor: undefined };
	const plainFloor = floorOf({ ...rules, settings: plain });
	return { choices, model, budget: budgetOf(rules), floor: floorOf(rules), plainFloor };
}

/** A value as it stands, shares with the tokens they come to. */
export function valueText(key: ChoiceKey, shown: Shown): string {
	const { choices, budget } = shown;
	switch (key) {
		case "policy":
			return isPolicyWord(choices.policy) ? choices.policy.replace("-", " ") : choices.policy;
		case "maxTarget":
			return withTokens(percent(choices.maxTarget), budget && budget * choices.maxTarget);
		case "minTarget":
			return floorValue(shown);
		case "consolidateAfter":
			return String(choices.consolidateAfter);
		case "minFoldChars":
			return `${grouped(choices.minFoldChars)} characters`;
		case "toolFoldThreshold":
			return choices.toolFoldThreshold === 0 ? "off" : `in the older ${percent(choices.toolFoldThreshold)}`;
		case "postFoldNotice":
			return choices.postFoldNotice ? "on" : "off";
		case "providerInputBudget":
			return withTokens(choices.providerInputBudget === undefined ? "the model's" : "set", budget);
		case "blacklistAutoFoldTools":
			return [...choices.blacklistAutoFoldTools].join(", ").replaceAll(/\p{Cc}+/gu, " ") || "none";
	}
}

/** The share that stays raw, with the tokens it comes to or, where it is not that share, what takes its place. */
function floorValue({ choices, budget, floor }: Shown): string {
	const value = percent(choices.minTarget);
	if (budget === undefined || floor === undefined) return value;
	const share = Math.floor(budget * choices.minTarget);
	if (floor === share) return withTokens(value, floor);
	return `${value}, ${floor > share ? "raised" : "held"} to ${grouped(floor)} tokens`;
}

/** What a choice means as it stands, in a sentence or two. */
export function explanation(key: ChoiceKey, shown: Shown): string {
	const { choices, model, budget } = shown;
	switch (key) {
		case "policy":
			return policyText(shown);
		case "maxTarget":
			return budget === undefined
				? "A commit is forced once the window holds this share of the budget."
				: `A commit is forced once the window holds ${grouped(budget * choices.maxTarget)} of ${grouped(budget)} tokens.`;
		case "minTarget":
			return floorText(shown);
		case "consolidateAfter":
			return `${choices.consolidateAfter} neighbouring folds share a parent, and as many parents another.`;
		case "minFoldChars":
			return "A stretch of the session becomes foldable once it holds so much. What closed before stays as it is.";
		case "toolFoldThreshold":
			return "Large tool results in the older part of what stays raw are shown by their heads, from the next commit on.";
		case "postFoldNotice":
			return "After a commit the model is asked to write briefs of its own for what is folded next.";
		case "providerInputBudget":
			return model && budget && budget > model.contextWindow
				? `Tokens a request may hold. This is more than the ${grouped(model.contextWindow)} that ${model.id} takes.`
				: "Tokens a request may hold. Unless set, the model's window less 10 % for the reply, 16,384 at most.";
		case "blacklistAutoFoldTools":
			return "What these tools return is never folded nor clipped by itself.";
	}
}

function policyText({ choices, model, floor, plainFloor }: Shown): string {
	const { policy } = choices;
	const times = floor && plainFloor && Number((floor / plainFloor).toFixed(1));
	const more = times === undefined || times === 1 ? "" : `, ${times} × what lower cost leaves`;
	const kept = floor === undefined ? "" : `, and leaves about ${grouped(floor)} tokens raw${more}`;
	const timing: PolicyOption = isPolicyWord(policy) ? timingFor(model) : policy;
	switch (timing) {
		case "economic":
			return `Folds when waiting would cost as much as rewriting the window, or the cache is cold anyway${kept}.`;
		case "calm": {
			const because = policy === "calm" ? "" : " (this model has no price)";
			return `Folds when the cache is cold anyway, or the window full${because}${kept}.`;
		}
		case "band":
			return `Folds only when the window is full${kept}.`;
		case "observe":
			return "Tells what commits would save, and makes none.";
		case "off":
			return "Folds nothing by itself; /fold still does. The host compacts as it would without us.";
	}
}

/** What became of a settings file that a choice put aside. */
export function asideWords({ as, why }: PutAside): string {
	return `The settings file that was there could not be followed, and is kept as ${as}: ${why}`;
}

function floorText({ choices, budget, floor, plainFloor }: Shown): string {
	if (budget === undefined || floor === undefined || plainFloor === undefined)
		return "A commit leaves this share of the budget raw.";
	const share = Math.floor(budget * choices.minTarget);
	const text = `A commit leaves about ${grouped(floor)} tokens raw`;
	const half = plainFloor < LEAST_FLOOR ? ", and half of so small a budget is left" : "";
	const least = plainFloor > share ? `; the share alone, ${grouped(share)}, is too few${half}` : "";
	const most = plainFloor < share ? `; the whole share, ${grouped(share)}, costs more than it is worth` : "";
	const raised = floor > plainFloor ? `. The policy raised it from ${grouped(plainFloor)}` : "";
	return `${text}${least}${most}${raised}.`;
}

function withTokens(text: string, count: number | undefined): string {
	return count === undefined ? text : `${text} · ${grouped(count)} tokens`;
}
