import { existsSync, statSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Command } from "commander";
import type { Recorded } from "../../../events/envelope.ts";
import type { MemoryEvent } from "../../../events/memory.ts";
import { withLease } from "../../engine/memory/leases.ts";
import { WorkspaceReader } from "../../engine/memory/workspace-reader.ts";
import { renamePatiently } from "../../store/rename-patiently.ts";
import type { Store } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";
import { openForReading } from "../place.ts";
import { note, printJson, printLines } from "../terminal.ts";
import { folderMeant, type MemoryFolder, noMemory, ownKeys } from "./folder.ts";

interface MoveOptions {
	readonly json?: boolean;
}

/** How long it is waited for someone who holds the memory for a moment, as writers do, ms. */
const PASSING_MS = 2_000;

/** `memory move`: a folder was renamed, and its memory goes with it. */
export function addMove(memory: Command): void {
	memory
		.command("move")
		.description("give what is remembered for one folder to another: for a folder that was renamed")
		.argument("<old>", "the folder as it was called")
		.argument("<new>", "the folder as it is called now")
		.option("--json", "one JSON object")
		.action(runMove);
}

async function runMove(oldName: string, newName: string, { json }: MoveOptions): Promise<void> {
	const [from, to] = [folderMeant(oldName, "OLD"), folderMeant(newName, "NEW")];
	if (from.cwd === to.cwd) throw new CliError("CLI_USAGE", `${to.cwd} is the same folder`);
	if (!existsSync(to.cwd) || !statSync(to.cwd).isDirectory())
		throw new CliError("CLI_USAGE", `${to.cwd} is no folder: rename ${from.cwd} first`);
	if (from.exists) await moveStore(from, to);
	else await vouchFor(from, to);
	if (json) await printJson({ from: from.cwd, to: to.cwd, store: to.directory });
	else await printLines([`what was remembered for ${from.cwd} is remembered for ${to.cwd} now`]);
}

/** Says it in the log first: a move that was cut short is made again, and nothing is lost. */
async function moveStore(from: MemoryFolder, to: MemoryFolder): Promise<void> {
	await makeWay(from, to);
	await withPassingLease(from.directory, async (store) => {
		const reader = new WorkspaceReader(from.cwd, from.directory, ownKeys());
		await reader.readNew(store);
		if (reader.refusal) throw reader.refusal;
		if (store.head(reader.stream).version === 0) throw noMemory(from.cwd);
		if (reader.known.memory.moves.at(-1) !== to.cwd) await sayMoved(store, reader.stream, from, to);
	});
	await mkdir(dirname(to.directory), { recursive: true, mode: 0o700 });
	await renamePatiently(from.directory, to.directory);
}

/** The store lies in the new place already, put there by hand or from another machine: what is missing is a user's word. */
async function vouchFor(from: MemoryFolder, to: MemoryFolder): Promise<void> {
	if (!to.exists) throw noMemory(from.cwd);
	await withPassingLease(to.directory, async (store) => {
		const reader = new WorkspaceReader(to.cwd, to.directory, ownKeys());
		await reader.readNew(store);
		if (reader.stream !== `memory/${basename(from.directory)}`) throw noMemory(from.cwd);
		if (store.damage.length === 0 && reader.known.isElsewhere) await sayMoved(store, reader.stream, from, to);
	});
}

async function sayMoved(store: Store, stream: string, from: MemoryFolder, to: MemoryFolder): Promise<void> {
	const moved: Recorded<MemoryEvent> = {
		event: { type: "memory/moved", data: { from: from.cwd, to: to.cwd } },
		at: Date.now(),
		actor: "user",
		cause: "memory move",
	};
	await store.append(stream, [moved], store.head(stream).version, { sync: true, sealer: ownKeys() });
}

/** Refuses where something is remembered in the new place; a store that holds nothing goes. Throws `CLI_MEMORY_TAKEN`. */
async function makeWay(from: MemoryFolder, to: MemoryFolder): Promise<void> {
	if (!to.exists) return;
	const { store, close } = await openForReading(to.directory);
	const isEmpty = store.streams().length === 0 && store.damage.length === 0;
	await close();
	if (isEmpty) return rm(to.directory, { recursive: true });
	const how = `palimpsest memory export --cwd ${from.cwd} --out FILE, then palimpsest memory import FILE --cwd ${to.cwd}`;
	throw new CliError("CLI_MEMORY_TAKEN", `${to.cwd} has a memory of its own; to have both in one: ${how}`);
}

function withPassingLease(directory: string, work: (store: Store) => Promise<void>): Promise<void> {
	const until = performance.now() + PASSING_MS;
	return withLease(
		directory,
		work,
		() => performance.now() < until,
		(error) => note(`${directory} could not be closed: ${String(error)}`),
	);
}
