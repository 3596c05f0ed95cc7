import { vi } from "vitest";
import { main } from "../../src/cli/main.ts";

/** How a command ended that ran in this process. */
export interface EndedInside {
	/** 0 where none was set */
	readonly code: number;
	readonly stdout: Buffer;
	readonly text: string;
	readonly stderr: string;
}

/** Runs the command line in this process, which is quicker than a process of its own; one at a time. */
export async function inside(home: string, ...args: string[]): Promise<EndedInside> {
	const out: Buffer[] = [];
	const err: Buffer[] = [];
	const into = (chunks: Buffer[]) => (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk)) > 0;
	const spies = [
		vi.spyOn(process.stdout, "write").mockImplementation(into(out)),
		vi.spyOn(process.stderr, "write").mockImplementation(into(err)),
	];
	const { exitCode } = process;
	vi.stubEnv("PALIMPSEST_HOME", home);
	process.exitCode = undefined;
	try {
		await main(args);
		const stdout = Buffer.concat(out);
		const code = Number(process.exitCode ?? 0);
		return { code, stdout, text: stdout.toString(), stderr: Buffer.concat(err).toString() };
	} finally {
		for (const spy of spies) spy.mockRestore();
		vi.unstubAllEnvs();
		process.exitCode = exitCode;
	}
}
