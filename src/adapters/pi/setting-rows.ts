import { CHOICE_KEYS, type ChoiceKey, type Choices } from "./choices.ts";
import { flagIn, namesIn, numberIn, policyIn, shareIn } from "./setting-values.ts";
import type { SettingsInForce } from "./settings-in-force.ts";

/** A value that can be chosen; `undefined` takes a choice back. */
export type Choice = Choices[ChoiceKey];

/** A choice as a person makes it. */
interface Row {
	readonly label: string;
	/** values to step through; numbers ascend */
	readonly steps: readonly Choice[];
	/** what a typed text means; `undefined` where it means nothing */
	readonly parse: (text: string) => Choice;
	/** what typing it looks like, in a few words */
	readonly example: string;
}

/** Every choice as a person makes it. */
export const ROWS: { readonly [key in ChoiceKey]-?: Row } = {
	policy: {
		label: "Policy",
		steps: ["lower-cost", "balanced", "longer-memory", "observe", "band", "off"],
		parse: policyIn,
		example: "lower cost, balanced, longer memory, observe, band or off",
	},
	maxTarget: { label: "Start folding at", steps: stepped(40, 95, 5), parse: shareIn, example: "80 %" },
	minTarget: { label: "Fold down to", steps: stepped(5, 60, 5), parse: shareIn, example: "20 %" },
	consolidateAfter: {
		label: "Folds per group",
		steps: [2, 3, 4, 5, 6, 8, 10, 12, 15, 20],
		parse: numberIn,
		example: "10",
	},
	minFoldChars: {
		label: "Smallest fold",
		steps: [2, 4, 6, 8, 12, 16, 24, 32].map((thousand) => thousand * 1_000),
		parse: numberIn,
		example: "8,000 or 8k",
	},
	toolFoldThreshold: {
		label: "Clip old tool results",
		steps: [0, 0.25, 0.35, 0.5, 0.65, 0.75, 0.9],
		parse: shareIn,
		example: "50 %, or off",
	},
	postFoldNotice: {
		label: "Ask the model for briefs",
		steps: [false, true],
		parse: flagIn,
		example: "on or off",
	},
	providerInputBudget: {
		label: "Input budget",
		steps: [undefined],
		parse: numberIn,
		example: "180,000 or 180k",
	},
	blacklistAutoFoldTools: {
		label: "Tools never folded",
		steps: [],
		parse: namesIn,
		example: "read, bash; or none",
	},
};

/** A key by its name, in small or capital letters. */
export function keyNamed(name: string): ChoiceKey | undefined {
	return CHOICE_KEYS.find((key) => key.toLowerCase() === name.toLowerCase());
}

/** The next value in a direction that can be chosen beside the others; `undefined` where there is none. */
export function nextStep(
	settings: SettingsInForce,
	key: ChoiceKey,
	direction: 1 | -1,
): { readonly value: Choice } | undefined {
	const now = settings.choices[key];
	const { steps } = ROWS[key];
	const at = steps.indexOf(now);
	const isAhead = (step: Choice, index: number) => {
		if (at !== -1) return (index - at) * direction > 0;
		return typeof step !== "number" || typeof now !== "number" || (step - now) * direction > 0;
	};
	const ahead = steps.filter(isAhead).filter((step) => settings.objection(key, step) === undefined);
	return ahead.length === 0 ? undefined : { value: ahead.at(direction === 1 ? 0 : -1) };
}

function stepped(from: number, to: number, by: number): number[] {
	return Array.from({ length: (to - from) / by + 1 }, (_, n) => (from + n * by) / 100);
}
