import { rename, rm, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { count } from "../../debug/numbers.ts";
import { note, print, printJson } from "../terminal.ts";
import { exportOf } from "./export-format.ts";
import { folderMeant, withMemory } from "./folder.ts";

interface ExportOptions {
	readonly cwd?: string;
	readonly out?: string;
	readonly json?: boolean;
}

/** `memory export`: a memory as lines of JSON, with its texts and what proves it. */
export function addExport(memory: Command): void {
	memory
		.command("export")
		.description(
			"write everything remembered for a folder as lines of JSON, with its texts in the clear and what proves them",
		)
		.option("--cwd <dir>", "the folder; the current one by default")
		.option("--out <file>", "where to; standard output by default")
		.option("--json", "with --out: one JSON object that says what was written")
		.action(runExport);
}

async function runExport({ cwd, out, json }: ExportOptions): Promise<void> {
	await withMemory(folderMeant(cwd), async ({ store, reader, cwd }) => {
		const { header, lines } = await exportOf(store, reader.stream);
		const texts = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`);
		if (out === undefined) for (const text of texts) await print(text);
		else await writeWhole(out, texts.join(""));
		if (json && out !== undefined) return printJson({ cwd, file: out, ...header });
		const { events, texts: held, shredded, missing } = header;
		const left = [
			...(shredded > 0 ? [`${count(shredded, "text")} destroyed and left out`] : []),
			...(missing > 0 ? [`${count(missing, "text")} lost by the store`] : []),
		];
		const to = out === undefined ? "" : ` to ${out}`;
		note([`wrote ${count(events, "event")} and ${count(held, "text")} of ${cwd}${to}`, ...left].join(", "));
	});
}

/** A file is there whole, or as it was before. */
async function writeWhole(file: string, text: string): Promise<void> {
	const fresh = `${file}.${process.pid}.tmp`;
	try {
		await writeFile(fresh, text, { flag: "wx" });
		await rename(fresh, file);
	} finally {
		await rm(fresh, { force: true });
	}
}
