import { createHash } from "node:crypto";
import { homedir, hostname, userInfo } from "node:os";
import type { Checkout } from "./checkout.ts";

/** Where the recorded session says it took place. */
export const NEUTRAL_CWD = "/home/dev/palimpsest";

/** Programs whose output states how long they took. */
const TIMED = /\b(npm test|vitest|biome|tsc)\b/;

/** How a test run's time is spread over its phases; the shares of a short run are noise. */
const PHASES = "(transform 61%, import 24%, worker 8%, tests 7%)";

/** Puts the neutral place in every path that names this machine's: the copy, its dependencies, the scratch directory. */
export function neutralPaths(jsonl: string, { dir, origin, scratch, dependencies }: Checkout): string {
	return jsonl
		.replaceAll(dependencies, `${NEUTRAL_CWD}/node_modules`)
		.replaceAll(dir, NEUTRAL_CWD)
		.replaceAll(scratch, "/home/dev/.cache/pi")
		.replaceAll(origin, NEUTRAL_CWD);
}

/** Refuses text that still names this machine: its directories, its user's home, its host. */
export function refuseTraces(text: string, { dir, origin, scratch, dependencies }: Checkout): void {
	const host = /[\d.-]/.test(hostname()) ? hostname() : ""; // a plain word may stand in any source
	const traces = [dir, origin, scratch, dependencies, `${homedir()}/`, host, `${userInfo().username}@`];
	for (const trace of traces.filter((name) => name.length > 3 && name !== "/home/dev/")) {
		const at = text.indexOf(trace);
		if (at >= 0)
			throw new Error(`the recording names this machine: ${text.slice(Math.max(0, at - 60), at + 60)}`);
	}
}

/**
 * Gives timings in a command's output values that do not change from run to run, and the start of a test run the
 * recorded time of day. What a test runner says only of slow tests or a busy machine goes. Output of other commands is
 * left alone.
 */
export function steadyTimings(command: string, output: string, at: Date): string {
	if (!TIMED.test(command)) return output;
	const quick = output.includes("×") ? output : output.replaceAll(/^ {3,}✓ .* \d+ms\n/gm, "");
	return quick
		.replace(/^( +Duration [^\n]*)\n[\s\S]*$/m, "$1\n\n")
		.replaceAll(/(Start at +)\d\d:\d\d:\d\d/g, (_, label) => `${label}${at.toISOString().slice(11, 19)}`)
		.replaceAll(/\((transform|import|tests|worker|environment|setup) \d+%[^)]*\)/g, PHASES)
		.replaceAll(
			/(Duration +)\d[\d.]*m?s/g,
			(_, label) => `${label}1.${10 + ((digest(command)[0] ?? 0) % 90)}s`,
		)
		.replaceAll(/(?<!Duration +[\d.]*)\b\d+(?:\.\d+)?(?= ?(?:ms|µs|s)\b)/g, (_, offset: number) => {
			return String(4 + ((digest(quick.slice(0, offset).replaceAll(/\d/g, ""))[0] ?? 0) % 90));
		});
}

function digest(text: string): Uint8Array {
	return createHash("sha256").update(text).digest();
}
