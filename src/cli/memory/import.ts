import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import type { Command } from "commander";
import { withLease } from "../../engine/memory/leases.ts";
import { WorkspaceReader } from "../../engine/memory/workspace-reader.ts";
import type { Store } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";
import { foundSomethingWrong, note, printJson, printLines } from "../terminal.ts";
import { type Brought, jsonLines } from "./brought.ts";
import { isOfCompact } from "./compact-chain.ts";
import { folderMeant, type MemoryFolder, ownKeys, withMemory } from "./folder.ts";
import { importLines } from "./import-lines.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { readCompact } from "./read-compact.ts";
import { isOfExport, readExport } from "./read-export.ts";

interface ImportOptions {
	readonly cwd?: string;
	readonly dryRun?: boolean;
	readonly partial?: boolean;
	readonly json?: boolean;
}

/** How long it is tried to get hold of a memory that others hold, ms. */
const HELD_MS = 10_000;

/** `memory import`: take in what was exported, or what pi-compact remembered. */
export function addImport(memory: Command): void {
	memory
		.command("import")
		.description(
			"take in what `memory export` wrote or what pi-compact remembered (.pi/pi-compact/memory.jsonl); 1 if lines were refused",
		)
		.argument("<file>", "the file; `-` is standard input")
		.option("--cwd <dir>", "the folder it is for; the current one by default")
		.option("--dry-run", "say what would come of it, and write nothing")
		.option("--partial", "take in what is there of an export that is not whole, or was changed")
		.option("--json", "one JSON object")
		.action(runImport);
}

async function runImport(
	file: string,
	{ cwd, dryRun = false, partial = false, json }: ImportOptions,
): Promise<void> {
	const folder = folderMeant(cwd);
	const brought = await readBrought(file);
	const { notWhole } = brought;
	if (notWhole !== undefined && !partial)
		throw new CliError(
			"CLI_MEMORY_NOT_WHOLE",
			`${file}: ${notWhole}; --partial takes in what is there, which may bring back what was forgotten`,
		);
	const before = await planned(folder, brought);
	const plan = dryRun || before.events.length === 0 ? before : await takeIn(folder, brought);
	if (plan.refused.length > 0) foundSomethingWrong();
	if (json) {
		const { taken, known, refused, withoutText } = plan;
		const events = taken.map(({ line, imported: { type, data, origin }, proof, text }) => ({
			line,
			type,
			actor: origin.actor,
			proof,
			data,
			text,
		}));
		await printJson({
			file,
			cwd: folder.cwd,
			dryRun,
			what: brought.what,
			notes: brought.notes,
			notWhole,
			events,
			known,
			refused,
			withoutText,
		});
		return;
	}
	for (const text of [...(notWhole === undefined ? [] : [notWhole]), ...brought.notes]) note(text);
	await printLines(importLines(plan, { file, cwd: folder.cwd, what: brought.what, dryRun }));
}

/** What a file holds. Throws `CLI_NOT_A_MEMORY`, `CLI_NO_SUCH_FILE`, `CLI_SYSTEM`. */
async function readBrought(file: string): Promise<Brought> {
	const { lines, broken } = jsonLines(file === "-" ? await textOf(process.stdin) : await textIn(file));
	for (const { value } of lines) {
		if (isOfExport(value)) return readExport(lines, broken);
		if (isOfCompact(value)) return readCompact(lines, broken);
	}
	const what = "neither an export of memory nor a log of pi-compact's memory";
	throw new CliError("CLI_NOT_A_MEMORY", `${file} is ${what}: no line of it is of either`);
}

async function textIn(file: string): Promise<string> {
	try {
		return await readFile(file, "utf8");
	} catch (cause) {
		const { code, message } = cause as NodeJS.ErrnoException;
		if (code === "ENOENT") throw new CliError("CLI_NO_SUCH_FILE", `there is no file ${file}`, { cause });
		if (code === "EISDIR") throw new CliError("CLI_NO_SUCH_FILE", `${file} is a folder`, { cause });
		throw new CliError("CLI_SYSTEM", `${file} cannot be read: ${message}`, { cause });
	}
}

/** What would come of a file now. */
function planned(folder: MemoryFolder, brought: Brought): Promise<ImportPlan> {
	if (folder.exists)
		return withMemory(folder, async ({ store, reader }) => {
			if (reader.refusal) throw reader.refusal;
			return planFor(store, reader, brought);
		});
	const stream = new WorkspaceReader(folder.cwd, folder.directory, ownKeys()).stream;
	const nothing = { facts: [], ids: new Set<string>(), shredded: new Set<string>(), hasText: () => false };
	return Promise.resolve(planImport(brought, { ...nothing, stream, keys: ownKeys(), now: Date.now() }));
}

/** Decides anew under a lease, on what stands there by then, and writes that. */
async function takeIn({ cwd, directory }: MemoryFolder, brought: Brought): Promise<ImportPlan> {
	const until = performance.now() + HELD_MS;
	return withLease(
		directory,
		async (store) => {
			const reader = new WorkspaceReader(cwd, directory, ownKeys());
			await reader.readNew(store);
			if (reader.refusal) throw reader.refusal;
			const plan = planFor(store, reader, brought);
			const { events, bodies } = plan;
			if (events.length > 0)
				await store.append(reader.stream, events, store.head(reader.stream).version, {
					sync: true,
					blobs: bodies,
					sealer: ownKeys(),
				});
			return plan;
		},
		() => performance.now() < until,
		(error) => note(`${directory} could not be closed: ${String(error)}`),
	);
}

function planFor(store: Store, { stream, known }: WorkspaceReader, brought: Brought): ImportPlan {
	const { facts, memory } = known;
	return planImport(brought, {
		stream,
		facts,
		ids: new Set(memory.records.keys()),
		shredded: memory.shredded,
		keys: ownKeys(),
		hasText: (digest) => store.hasBlob(digest),
		now: Date.now(),
	});
}
