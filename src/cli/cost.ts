import type { Command } from "commander";
import { storedContent } from "../adapters/sessions/stored-content.ts";
import { windowMessages } from "../adapters/sessions/window-messages.ts";
import { type Cost, costOf } from "../debug/cost.ts";
import { History } from "../debug/history.ts";
import { shreddedIn } from "../debug/shredded.ts";
import { withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { costLines } from "./cost-lines.ts";
import { wholeNumber } from "./numbers.ts";
import { type OpenPlace, WHERE, withPlace } from "./place.ts";
import { printJson, printLines } from "./terminal.ts";

interface CostCommandOptions {
	readonly store?: string;
	readonly from?: number;
	readonly to?: number;
	readonly breaks?: boolean;
	readonly json?: boolean;
}

/** `cost`: what requests were paid for, where caches broke, and what commits came to. */
export function addCost(program: Command): void {
	program
		.command("cost")
		.description(
			"show what each request was paid for, every commit's quote beside its bill, and why caches broke",
		)
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--from <n>", "the first request, from 1", wholeNumber({ least: 1 }))
		.option("--to <n>", "the last request", wholeNumber({ least: 1 }))
		.option("--breaks", "only the requests whose cache broke, each with what broke it")
		.option("--json", "one JSON object: totals, rows, breaks and commits")
		.action(runCost);
}

async function runCost(where: string | undefined, options: CostCommandOptions): Promise<void> {
	const { from = 1, to } = options;
	if (to !== undefined && to < from) throw new CliError("CLI_USAGE", `--to ${to} is before --from ${from}`);
	const cost = await withPlace(options.store ?? where, (place) => costAt(place, options));
	if (options.json) await printJson(cost);
	else await printLines(costLines(cost, { onlyBreaks: options.breaks === true }));
}

async function costAt({ store, stream }: OpenPlace, { from, to }: CostCommandOptions): Promise<Cost> {
	const history = await withBar("reading", store.head(stream).version, (advance) =>
		History.read(store, stream, advance),
	);
	const last = history.requests.at(-1)?.prepared.request ?? 0;
	const outside = [from, to].find((n) => n !== undefined && n > last);
	if (outside !== undefined) {
		const made = last === 0 ? "no request was made" : `requests 1 to ${last} were made`;
		throw new CliError("CLI_NO_SUCH_REQUEST", `no request ${outside}: ${made}`);
	}
	const gone = await shreddedIn(store, stream);
	return costOf(history, storedContent(store), {
		from,
		to,
		messages: (items, content) => windowMessages(items, content, (digest) => gone.has(digest)),
	});
}
