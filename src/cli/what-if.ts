import type { Command } from "commander";
import { Prices } from "../adapters/sessions/prices.ts";
import { storedContent } from "../adapters/sessions/stored-content.ts";
import { History } from "../debug/history.ts";
import { type WhatIf, WhatIfError, whatIf } from "../debug/what-if.ts";
import { withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { knownModel } from "./known-model.ts";
import { wholeNumber } from "./numbers.ts";
import { type OpenPlace, WHERE, withPlace } from "./place.ts";
import { type RuleFlags, settingsNamed, withRuleFlags } from "./replay-settings.ts";
import { printJson, printLines } from "./terminal.ts";
import { whatIfLines } from "./what-if-lines.ts";

interface WhatIfCommandOptions extends RuleFlags {
	readonly store?: string;
	readonly from: number;
	readonly model?: string;
	readonly json?: boolean;
}

/** Rows of the table for a person. */
const ROWS = 20;

/** `what-if`: a session as it was recorded beside what other settings would have made of it. */
export function addWhatIf(program: Command): void {
	const command = program
		.command("what-if")
		.description(
			"let a session happen again in memory under other settings, from a request on, and show both beside each other; the settings not named stay as they were",
		)
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--from <n>", "the first request decided otherwise, from 1", wholeNumber({ least: 1 }), 1);
	withRuleFlags(command, { areDefaults: false })
		.option("--model <name>", "as if this model had answered from there on: provider/id, or an id")
		.option("--json", "one JSON object: both histories in columns")
		.action(runWhatIf);
}

async function runWhatIf(where: string | undefined, options: WhatIfCommandOptions): Promise<void> {
	if (options.model === "") throw new CliError("CLI_USAGE", "--model is an empty text");
	const answer = await withPlace(options.store ?? where, (place) => answerAt(place, options));
	if (options.json) await printJson(answer);
	else await printLines(whatIfLines(answer));
}

async function answerAt({ store, stream }: OpenPlace, options: WhatIfCommandOptions): Promise<WhatIf> {
	const { from, json } = options;
	const model = options.model === undefined ? undefined : await knownModel(options.model);
	const valuation = model && (await new Prices(model).of(model)).valuation;
	const { version } = store.head(stream);
	const history = await withBar("reading", version, (advance) => History.read(store, stream, advance));
	const last = history.requests.at(-1)?.prepared.request ?? 0;
	if (!history.request(from)) {
		const made = last === 0 ? "no request was made" : `requests 1 to ${last} were made`;
		throw new CliError("CLI_NO_SUCH_REQUEST", `no request ${from}: ${made}`);
	}
	try {
		return await withBar("replaying", version, (onProgress) =>
			whatIf(history, store, storedContent(store), {
				from,
				settings: settingsNamed(options),
				valuation,
				onProgress,
				...(!json && { most: ROWS }),
			}),
		);
	} catch (error) {
		if (error instanceof WhatIfError) throw new CliError("CLI_USAGE", error.message, { cause: error });
		throw error;
	}
}
