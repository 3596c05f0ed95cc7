import type { Command } from "commander";
import { addExport } from "./memory/export.ts";
import { addImport } from "./memory/import.ts";
import { addAt, addList } from "./memory/list.ts";
import { addMove } from "./memory/move.ts";
import { addRotateKey } from "./memory/rotate-key.ts";

/** `memory`: what is remembered for a folder, and how it is carried from one to another. */
export function addMemory(program: Command): void {
	const memory = program
		.command("memory")
		.description("show what is remembered for a folder, now or then; carry it to another folder or machine");
	for (const add of [addList, addAt, addExport, addImport, addMove, addRotateKey]) add(memory);
}
