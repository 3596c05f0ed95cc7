import { basename, dirname } from "node:path";
import type { Command } from "commander";
import { count } from "../debug/numbers.ts";
import { referencesOf } from "../debug/references.ts";
import { sessionStream } from "../engine/store-journal.ts";
import { faultsOf, repair } from "../store/repair.ts";
import type { Damage } from "../store/store.ts";
import { agrees } from "./agrees.ts";
import { CliError } from "./cli-error.ts";
import { repairIndex } from "./index-rows.ts";
import { findWritable, WHERE } from "./place.ts";
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
	const directory = await findWritable(options.store ?? where);
	const faults = await faultsOf({ directory, references: referencesOf });
	if (
		faults.length > 0 &&
		!options.yes &&
		!(await agrees(`Start ${directory} anew from what of it still verifies?`))
	) {
		throw new CliError("CLI_NOT_CONFIRMED", `${directory} was left as it is; pass --yes to repair it`);
	}
	const streams = streamsMeant(directory);
	const done = await repair({ directory, at: Date.now(), streams, references: referencesOf });
	if (!done) {
		const rows = await repairIndex(directory);
		if (options.json && rows.length > 0) {
			await printJson({ store: directory, repaired: true, indexMadeAgain: true, reason: reasonOf(rows) });
		} else if (rows.length > 0) {
			await printLines([
				`${directory}: ${reasonOf(rows)}`,
				"the recall index was made again from the events",
			]);
		} else if (options.json) await printJson({ store: directory, repaired: false });
		else await printLines([`${directory}: nothing to repair`]);
		return;
	}
	const hasLost = done.lost.length > 0 || done.contentsLost.length > 0 || done.streams.length === 0;
	if (options.json) {
		await printJson({ store: directory, repaired: true, ...done });
		return;
	}
	await printLines([
		`${directory}: ${done.reason}`,
		...done.streams.map(({ stream, kept, hash }) => `${stream}: ${count(kept, "event")} kept, head ${hash}`),
		...done.lost.map(({ stream, number, from, to }) => {
			const what = `LOST: events ${from} to ${to} of ${stream ?? `stream ${number}, whose name is lost too`}`;
			const fault = faults.find((fault) => fault.part === "event" && fault.stream === stream)?.position;
			return fault !== undefined && fault > from ? `${what}: ${notVouchedFor(from, fault)}` : what;
		}),
		...(done.streams.length === 0 ? ["nothing could be kept: the store begins anew and is empty"] : []),
		`content: ${done.blobs.kept} kept, ${Math.max(done.blobs.lost, done.contentsLost.length)} lost`,
		...(hasLost ? [againWords(directory)] : []),
		`the damaged database is kept as ${done.keptAs}`,
	]);
}

function reasonOf(damage: readonly Damage[]): string {
	return damage.map(({ what }) => what).join("; ");
}

/** Why the loss begins before the event at fault: each event is vouched for by the hash in the next. */
function notVouchedFor(from: number, fault: number): string {
	return `the fault is at ${fault}, and nothing else vouches for ${from}`;
}

/** How what a repair could not keep is had again: a session from its file, a folder's memory from no other place. */
export function againWords(directory: string): string {
	return isOfMemory(directory)
		? "what is lost of a memory does not come back; what an export of it holds can be imported again"
		: "what is lost comes back when its session is opened in Pi again, or its file replayed";
}

/** Whether a store is that of a folder's memory. */
function isOfMemory(directory: string): boolean {
	return basename(dirname(directory)) === "workspaces";
}

/** The stream a folder is named after, should its name be lost with its head. */
function streamsMeant(directory: string): string[] {
	if (isOfMemory(directory)) return [`memory/${basename(directory)}`];
	try {
		// `<id>` or `<id>~<root>`; no escaped id holds a tilde
		const [id = ""] = basename(directory).split("~");
		return [sessionStream(decodeURIComponent(id))];
	} catch {
		return [];
	}
}
