import { CommanderError } from "commander";
import { EventError } from "../../events/registry.ts";
import { PageError } from "../adapters/page/page-error.ts";
import { SessionError } from "../adapters/sessions/pi/session-error.ts";
import { ReplayError } from "../adapters/sessions/replay-error.ts";
import { CommandError } from "../commands/command-error.ts";
import { KeyringError } from "../engine/memory/keyring-error.ts";
import { MemoryLogError } from "../engine/memory/memory-log.ts";
import { BundleError } from "../store/bundle/bundle-error.ts";
import { StoreError } from "../store/errors.ts";
import { CliError } from "./cli-error.ts";
import { oneLine } from "./plain-text.ts";
import { printJson } from "./terminal.ts";

/** Exit codes: everything is fine; something wrong was found; the command was not used as it can be. */
const FINE = 0;
const WRONG = 1;
const MISUSE = 2;

/** Codes that say what was asked for cannot be done, rather than that something is broken. */
const MISUSES: ReadonlySet<string> = new Set([
	"CLI_USAGE",
	"CLI_NO_STORE",
	"CLI_NO_SUCH_MODEL",
	"CLI_NO_MEMORY",
	"CLI_MEMORY_TAKEN",
	"CLI_NOT_A_MEMORY",
	"CLI_NO_SUCH_FILE",
	"CLI_NOT_CONFIRMED",
	"CLI_OLD_NODE",
	"BUNDLE_EXISTS",
	"BUNDLE_UNRECOGNISED",
	"PAGE_PORT",
	"REPLAY_STORE_TAKEN",
	"SESSION_NOT_FOUND",
	"SESSION_NOT_A_FILE",
	"STORE_NOT_FOUND",
]);

/**
 * Tells the user of an error and resolves to the exit code it asks for. A known one is `CODE: message` on standard
 * error, or with `json` an object on standard output; an unknown one is a fault of ours and comes with its stack.
 */
export async function reportFailure(error: unknown, json: boolean): Promise<number> {
	if (error instanceof CommanderError && error.exitCode === 0) return FINE;
	// a command without its subcommand: its help stands on standard error
	if (error instanceof CommanderError && error.code === "commander.help") return MISUSE;
	const failure = failureOf(error);
	if (json) await printJson({ error: failure });
	const { code, message } = failure;
	const isOurs = code === INTERNAL && error instanceof Error;
	process.stderr.write(`${isOurs ? error.stack : oneLine(`${code}: ${message}`)}\n`);
	return MISUSES.has(code) ? MISUSE : WRONG;
}

/** What `--json` tells of a fault of ours. */
const INTERNAL = "INTERNAL";

/** An error as `--json` tells it. */
export function failureOf(error: unknown): { readonly code: string; readonly message: string } {
	const { code, message } = knownFailure(error) ?? { code: INTERNAL, message: String(error) };
	return { code, message };
}

function knownFailure(error: unknown): { readonly code: string; readonly message: string } | undefined {
	if (error instanceof CommanderError) {
		return { code: "CLI_USAGE", message: error.message.replace(/^error: /, "") };
	}
	if (error instanceof Error && "syscall" in error) return { code: "CLI_SYSTEM", message: error.message };
	const known =
		error instanceof CliError ||
		error instanceof PageError ||
		error instanceof StoreError ||
		error instanceof EventError ||
		error instanceof SessionError ||
		error instanceof ReplayError ||
		error instanceof BundleError ||
		error instanceof CommandError ||
		error instanceof KeyringError ||
		error instanceof MemoryLogError;
	return known ? error : undefined;
}
