import { DEFAULT_SETTINGS } from "../../../projections/rules.ts";

/** The numbers of pi-fold's that are chosen together, or not at all. */
export interface Thresholds {
	/** share of the budget at which a commit is forced; above 0 and below 1 */
	readonly maxTarget: number;
	/** share of the budget that stays raw; above 0 and below `maxTarget` */
	readonly minTarget: number;
	/** cuts in a group, groups in a group of groups; a whole number from 2 */
	readonly consolidateAfter: number;
	/** characters at which a cut closes; a whole number from 2,000 */
	readonly minFoldChars: number;
}

/** When to commit. `observe` quotes commits and makes none. */
export type PolicyOption = "economic" | "calm" | "band" | "off" | "observe";

/** What a user may ask for instead; when to commit then follows from whether the model has a price. */
export type PolicyWord = "lower-cost" | "balanced" | "longer-memory";

/** Everything that can be chosen about folding, each where somebody chose it. */
export interface Choices extends Partial<Thresholds> {
	readonly policy?: PolicyOption | PolicyWord;
	/** tokens a request may hold, what the reply needs already taken off; a whole number from 10,000 */
	readonly providerInputBudget?: number;
	/** share of the raw tail in which large results are clipped; 0 to below 1 */
	readonly toolFoldThreshold?: number;
	/** whether the model is asked for briefs once something was folded */
	readonly postFoldNotice?: boolean;
	/** names of tools whose results are neither folded nor clipped by themselves */
	readonly blacklistAutoFoldTools?: ReadonlySet<string>;
}

/** The name of something that can be chosen, as the settings file and `/fold-settings` have it. */
export type ChoiceKey = keyof Choices;

/** What stands where nobody chose; the budget is the model's then. */
export const DEFAULT_CHOICES = {
	policy: "lower-cost",
	maxTarget: DEFAULT_SETTINGS.maxTarget,
	minTarget: DEFAULT_SETTINGS.minTarget,
	consolidateAfter: DEFAULT_SETTINGS.consolidateAfter,
	minFoldChars: DEFAULT_SETTINGS.minFoldChars,
	toolFoldThreshold: DEFAULT_SETTINGS.toolFoldThreshold,
	postFoldNotice: false,
	blacklistAutoFoldTools: new Set<string>(),
} as const satisfies Choices;

/** Every choice, a default where nobody made one. */
export type FullChoices = Required<Omit<Choices, "providerInputBudget">> &
	Pick<Choices, "providerInputBudget">;

/** The keys that lie in `thresholds`. */
export const THRESHOLD_KEYS: readonly (keyof Thresholds)[] = [
	"maxTarget",
	"minTarget",
	"consolidateAfter",
	"minFoldChars",
];

/** Every key, in the order they are shown in. */
export const CHOICE_KEYS: readonly ChoiceKey[] = [
	"policy",
	...THRESHOLD_KEYS,
	"toolFoldThreshold",
	"postFoldNotice",
	"providerInputBudget",
	"blacklistAutoFoldTools",
];

/** What policies an embedding program may ask for. */
export const POLICY_OPTIONS: readonly PolicyOption[] = ["economic", "calm", "band", "off", "observe"];

/** How many times the default floor stays raw, by what the user asked for. */
export const FLOOR_FACTORS: { readonly [word in PolicyWord]: number } = {
	"lower-cost": 1,
	balanced: 1.5,
	"longer-memory": 2.5,
};

/** Whether a policy is one of the user's words. */
export function isPolicyWord(policy: unknown): policy is PolicyWord {
	return typeof policy === "string" && Object.hasOwn(FLOOR_FACTORS, policy);
}

interface Rule {
	readonly holds: (value: unknown) => boolean;
	/** what a value must be, to follow "must be" */
	readonly must: string;
}

const above = (least: number) => (value: unknown) => Number.isSafeInteger(value) && Number(value) >= least;
const isShare = (value: unknown) => typeof value === "number" && value > 0 && value < 1;
const isNames = (value: unknown) =>
	isSet(value) && [...value].every((name) => typeof name === "string" && name.trim() !== "");

/** What each choice must be by itself. */
export const RULES: { readonly [key in ChoiceKey]-?: Rule } = {
	policy: {
		holds: (value) => isPolicyWord(value) || POLICY_OPTIONS.some((policy) => policy === value),
		must: `one of ${[...Object.keys(FLOOR_FACTORS), ...POLICY_OPTIONS].join(", ")}`,
	},
	maxTarget: { holds: isShare, must: "a share above 0 and below 1" },
	minTarget: { holds: isShare, must: "a share above 0 and below 1" },
	consolidateAfter: {
		holds: above(2),
		must: "a whole number from 2: groups of one would be grouped for ever",
	},
	minFoldChars: { holds: above(2_000), must: "a whole number from 2,000" },
	toolFoldThreshold: {
		holds: (value) => value === 0 || isShare(value),
		must: "a share from 0, which is off, to below 1",
	},
	postFoldNotice: { holds: (value) => typeof value === "boolean", must: "true or false" },
	providerInputBudget: { holds: above(10_000), must: "a whole number from 10,000" },
	blacklistAutoFoldTools: {
		holds: isNames,
		must: "names of tools, none of them empty (a Set of them; in the settings file a list)",
	},
};

/** Characters a token stands for where nothing was measured yet. */
const CHARS_PER_TOKEN = 4;

/** What is wrong with choices that are each in order: which key, and why; `undefined` where they go together. */
export function contradiction(choices: Choices): { key: ChoiceKey; why: string } | undefined {
	const { maxTarget, minTarget, minFoldChars, providerInputBudget } = { ...DEFAULT_CHOICES, ...choices };
	if (minTarget >= maxTarget)
		return { key: "minTarget", why: `minTarget, ${minTarget}, must be below maxTarget, ${maxTarget}` };
	if (providerInputBudget === undefined) return undefined;
	const between = Math.floor(providerInputBudget * (maxTarget - minTarget));
	const cut = Math.ceil(minFoldChars / CHARS_PER_TOKEN);
	if (cut <= between) return undefined;
	const size = `minFoldChars, ${minFoldChars}, is about ${cut} tokens`;
	return {
		key: "minFoldChars",
		why: `${size}, and only ${between} lie between minTarget and maxTarget of ${providerInputBudget}`,
	};
}

function isSet(value: unknown): value is ReadonlySet<unknown> {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	return Symbol.iterator in value && "has" in value && "size" in value;
}
