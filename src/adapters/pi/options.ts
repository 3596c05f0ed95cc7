import {
	CHOICE_KEYS,
	type ChoiceKey,
	type Choices,
	contradiction,
	isPolicyWord,
	POLICY_OPTIONS,
	type PolicyOption,
	RULES,
	THRESHOLD_KEYS,
	type Thresholds,
} from "./choices.ts";
import { OptionsError } from "./options-error.ts";

/** What an embedding program may decide. Unless given, the user's settings file decides, and then the defaults. */
export interface RegisterOptions extends Omit<Choices, keyof Thresholds | "policy"> {
	/** all four numbers, or none */
	readonly thresholds?: Thresholds;
	readonly policy?: PolicyOption;
}

/** The names of all options. */
export const OPTION_NAMES: readonly string[] = [
	"thresholds",
	...CHOICE_KEYS.filter((key) => !isThreshold(key)),
];

/** Options of pi-fold's that are gone, and what became of each. */
const RETIRED: { readonly [name: string]: string } = {
	freshTail: "what is still open is never folded, and minTarget says how much stays raw",
	guidance: "nothing but postFoldNotice speaks to the model",
	toolName: "the tool is always called pi_fold_context",
	toolLabel: "the tool is always called pi_fold_context",
	brandNoun: "what is folded has one name",
	entryTypePrefix: "session entries carry one type",
	commandPrefix: "commands have fixed names",
	commandNames: "commands have fixed names",
	isMcpTool: "results are folded whatever tool they come from; blacklistAutoFoldTools makes exceptions",
	readOnlyTools: "every tool may be folded; blacklistAutoFoldTools makes exceptions",
	autoFoldableTools: "every tool may be folded; blacklistAutoFoldTools makes exceptions",
	evidenceIngestion: "originals are always kept",
	providerTotalWindow: "providerInputBudget is what a request may hold, the reply's share already taken off",
	summarizer: "no model writes briefs",
	summarizeContextSpan: "no model writes briefs",
	foldScheduling: "policy says when to commit",
	foldPeekResults: "what was read back is always folded again",
	toolActions: "the tool has one set of actions",
	blockingTools: "what is still open is never folded",
	setProjectionProvider: "the window is projected in one way",
	setSuggestionSourceRegistrar: "nothing is suggested",
};

/** Options as choices. Throws an {@link OptionsError} that names what cannot be followed; nothing is clamped. */
export function checkedOptions(options: unknown): Choices {
	const choices = checkedChoices(options, "options");
	const { policy } = choices;
	if (isPolicyWord(policy))
		throw new OptionsError("OPTION_INVALID", "policy", `policy must be one of ${POLICY_OPTIONS.join(", ")}`);
	const { thresholds } = (options ?? {}) as Partial<RegisterOptions>;
	const missing = thresholds && THRESHOLD_KEYS.filter((key) => thresholds[key] === undefined);
	if (missing?.length)
		throw new OptionsError(
			"OPTION_INCOMPLETE",
			"thresholds",
			`thresholds needs all of ${THRESHOLD_KEYS.join(", ")}; missing: ${missing.join(", ")}`,
		);
	return choices;
}

/**
 * The choices in an object that has a `thresholds` of its own, of which only some may be there. Throws an
 * {@link OptionsError} that names the first key that cannot be followed.
 */
export function checkedChoices(given: unknown, what: string): Choices {
	const { thresholds, ...rest } = fieldsOf(given, what);
	const choices: Choices = {
		...checkedFields(rest, "", (key) => !isThreshold(key)),
		...checkedFields(fieldsOf(thresholds, "thresholds"), "thresholds.", isThreshold),
	};
	const wrong = contradiction(choices);
	if (!wrong) return choices;
	throw new OptionsError(
		"OPTION_CONTRADICTORY",
		`${isThreshold(wrong.key) ? "thresholds." : ""}${wrong.key}`,
		wrong.why,
	);
}

function checkedFields(
	fields: { readonly [name: string]: unknown },
	prefix: string,
	belongs: (key: ChoiceKey) => boolean,
): Choices {
	const known = CHOICE_KEYS.filter(belongs);
	const checked: { [key: string]: unknown } = {};
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		const option = prefix + name;
		const key = known.find((key) => key === name);
		if (!key) throw refusalOf(name, option, prefix === "" ? OPTION_NAMES : known);
		const { holds, must } = RULES[key];
		if (!holds(value))
			throw new OptionsError("OPTION_INVALID", option, `${option} must be ${must}; it is ${shown(value)}`);
		checked[key] = key === "blacklistAutoFoldTools" ? new Set(value as ReadonlySet<string>) : value;
	}
	return checked;
}

function refusalOf(name: string, option: string, known: readonly string[]): OptionsError {
	if (Object.hasOwn(RETIRED, name))
		return new OptionsError("OPTION_RETIRED", option, `${option} is gone: ${RETIRED[name]}`);
	const there = known.join(", ");
	return new OptionsError("OPTION_UNKNOWN", option, `${option} is not known; there are ${there}`);
}

function fieldsOf(given: unknown, what: string): { readonly [name: string]: unknown } {
	if (given === undefined) return {};
	if (typeof given === "object" && given !== null && !Array.isArray(given)) return { ...given };
	throw new OptionsError("OPTION_INVALID", what, `${what} must be an object; it is ${shown(given)}`);
}

function isThreshold(key: ChoiceKey): key is keyof Thresholds {
	return THRESHOLD_KEYS.some((threshold) => threshold === key);
}

/** A value in a message: short, and on one line. */
function shown(value: unknown): string {
	if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value);
	if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
	if (typeof value !== "object" || value === null) return String(value);
	return Array.isArray(value) ? "a list" : "an object";
}
