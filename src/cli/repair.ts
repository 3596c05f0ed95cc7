import { basename } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { count } from "../debug/numbers.ts";
import { sessionStream } from "../engine/store-journal.ts";
import { repair } from "../store/repair.ts";
import { CliError } from "./cli-error.ts";
import { findStore, WHERE } from "./place.ts";
import { printJson, printLines } from "./terminal.ts";

interface RepairOptions {
	readonly store?: string;
	readonly yes?: boolean;
	readonly json?: boolean;
}

/** `repair`: start a damaged store anew from what still verifies. */
export function addRepair(program: Command): void {
	program
		.command("repair")
		.description("start a damaged store anew from what of it still verifies; the damaged one is kept aside")
		.argument("[where]", WHERE)
		.option("--store <where>", "the same as the argument")
		.option("--yes", "do not ask")
		.option("--json", "one JSON object")
		.action(runRepair);
}

async function runRepair(where: string | undefined, options: RepairOptions): Promise<void> {
	const directory = await findStore(options.store ?? where);
	if (!options.yes && !(await agrees(directory))) {
		throw new CliError("CLI_NOT_CONFIRMED", `${directory} was left as it is; pass --yes to repair it`);
	}
	const done = await repair({ directory, at: Date.now(), streams: streamsMeant(directory) });
	if (options.json) {
		await printJson({ store: directory, repaired: done !== undefined, ...done });
		return;
	}
	if (!done) {
		await printLines([`${directory} is sound: nothing to repair`]);
		return;
	}
	await printLines([
		`${directory}: ${done.reason}`,
		...done.streams.map(
			({ stream, version, hash }) => `${stream}: ${count(version, "event")} kept, head ${hash}`,
		),
		`blobs: ${done.blobs.kept} kept, ${done.blobs.lost} lost`,
		`the damaged database is kept as ${done.keptAs}`,
	]);
}

/** The stream a folder is named after, should its name be lost with its head. */
function streamsMeant(directory: string): string[] {
	try {
		// `<id>` or `<id>~<root>`; no escaped id holds a tilde
		const [id = ""] = basename(directory).split("~");
		return [sessionStream(decodeURIComponent(id))];
	} catch {
		return [];
	}
}

async function agrees(directory: string): Promise<boolean> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
	const asking = createInterface({ input: process.stdin, output: process.stderr });
	try {
		const answer = await asking.question(`Start ${directory} anew from what of it still verifies? [y/N] `);
		return /^y(es)?$/i.test(answer.trim());
	} finally {
		asking.close();
	}
}
