import { oneLine } from "./plain-text.ts";

/** Writes to standard output, and waits while whoever reads it is behind. */
export async function print(text: string | Uint8Array): Promise<void> {
	if (process.stdout.write(text)) return;
	await new Promise<void>((resolve) => process.stdout.once("drain", resolve));
}

/** Writes lines to standard output; control characters in them are spelt out. */
export async function printLines(lines: readonly string[]): Promise<void> {
	if (lines.length > 0) await print(`${lines.map(oneLine).join("\n")}\n`);
}

/** Columns that text should keep to: the terminal's, or 100 where the output is none. */
export function outputColumns(): number {
	const { isTTY, columns } = process.stdout;
	return isTTY && columns > 0 ? Math.max(40, columns) : 100;
}

/** Writes a value as JSON, on one line. */
export async function printJson(value: unknown): Promise<void> {
	await print(`${JSON.stringify(value)}\n`);
}

/** Tells the user something beside the output, on standard error. */
export function note(text: string): void {
	process.stderr.write(`palimpsest: ${oneLine(text)}\n`);
}

/** The command did its work and found something wrong: it will end with 1. */
export function foundSomethingWrong(): void {
	process.exitCode = 1;
}

/**
 * A reader that has seen enough closes the pipe; that is no failure of ours. Output that cannot be written for another
 * reason, a full disk mostly, ends the command with a code.
 */
export function endWithOutput(): void {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
		process.stderr.write(`CLI_SYSTEM: the output could not be written: ${error.message}\n`);
		process.exit(1);
	});
	process.stderr.on("error", (error: NodeJS.ErrnoException) => {
		// there is nowhere left to say it
		if (error.code !== "EPIPE") process.exit(1);
	});
}
