import { type Command, Option } from "commander";
import { DEFAULT_SETTINGS, type Settings } from "../../projections/rules.ts";
import { CliError } from "./cli-error.ts";
import { share, wholeNumber } from "./numbers.ts";

/** The rules a user may set for a replay, as flags. */
export interface RuleFlags {
	readonly policy?: Settings["policy"];
	readonly floor?: number;
	readonly budget?: number;
	readonly minFoldChars?: number;
	readonly consolidateAfter?: number;
	readonly toolFoldThreshold?: number;
	readonly maxTarget?: number;
	readonly minTarget?: number;
}

/** Adds the flags of the rules to a command, whose help tells the defaults unless they are not those of the flags. */
export function withRuleFlags(
	command: Command,
	{ areDefaults = true }: { readonly areDefaults?: boolean } = {},
): Command {
	const { minFoldChars, consolidateAfter, toolFoldThreshold, maxTarget, minTarget } = DEFAULT_SETTINGS;
	const policies = ["economic", "calm", "band", "off"];
	const by = (value: number) => (areDefaults ? ` (${value})` : "");
	return command
		.addOption(
			new Option(
				"--policy <name>",
				areDefaults ? "when to commit; economic unless the model has no price, then calm" : "when to commit",
			).choices(policies),
		)
		.option(
			"--floor <tokens>",
			"raw tokens a commit leaves, instead of a share of the budget",
			wholeNumber({ least: 0 }),
		)
		.option(
			"--budget <tokens>",
			"tokens a request may hold, instead of the model's window less its reserve",
			wholeNumber({ least: 10_000 }),
		)
		.option(
			"--min-fold-chars <n>",
			`characters at which a cut closes${by(minFoldChars)}`,
			wholeNumber({ least: 500 }),
		)
		.option(
			"--consolidate-after <n>",
			`cuts that become a group${by(consolidateAfter)}`,
			wholeNumber({ least: 2, most: 1000 }),
		)
		.option(
			"--tool-fold-threshold <share>",
			`share of the raw tail in which large results are clipped${by(toolFoldThreshold)}`,
			share({ least: 0, most: 0.99 }),
		)
		.option(
			"--max-target <share>",
			`share of the budget at which a commit is forced${by(maxTarget)}`,
			share({ least: 0, most: 1, open: true }),
		)
		.option(
			"--min-target <share>",
			`share of the budget that stays raw${by(minTarget)}`,
			share({ least: 0, most: 1, open: true }),
		);
}

/** The settings that flags name, and no others. */
export function settingsNamed(flags: RuleFlags): Partial<Settings> {
	const { policy, floor, budget, minFoldChars, consolidateAfter, toolFoldThreshold, maxTarget, minTarget } =
		flags;
	return {
		...(policy !== undefined && { policy }),
		...(minFoldChars !== undefined && { minFoldChars }),
		...(consolidateAfter !== undefined && { consolidateAfter }),
		...(toolFoldThreshold !== undefined && { toolFoldThreshold }),
		...(maxTarget !== undefined && { maxTarget }),
		...(minTarget !== undefined && { minTarget }),
		...(floor !== undefined && { floorTokens: floor }),
		...(budget !== undefined && { inputBudget: budget }),
	};
}

/** The settings that flags make of the defaults. Throws `CLI_USAGE` where two of them do not go together. */
export function settingsFrom(flags: RuleFlags): Settings {
	const { floor, budget } = flags;
	const settings: Settings = { ...DEFAULT_SETTINGS, ...settingsNamed(flags) };
	if (settings.minTarget >= settings.maxTarget) {
		throw new CliError(
			"CLI_USAGE",
			`--min-target ${settings.minTarget} is not below --max-target ${settings.maxTarget}`,
		);
	}
	if (floor !== undefined && budget !== undefined && floor >= budget) {
		throw new CliError("CLI_USAGE", `--floor ${floor} is not below --budget ${budget}`);
	}
	return settings;
}
