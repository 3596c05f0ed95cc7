import { rmSync } from "node:fs";
import { constants } from "node:os";

/** Signals by which a user, a terminal that closes, or the system ends a process. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const paths = new Set<string>();
let isOurs = false;

/**
 * A file or folder that must not outlive the process, however that ends by itself. What is returned is called once it is
 * gone, or is there to stay.
 */
export function goesAtExit(path: string): () => void {
	if (paths.size === 0) watch();
	paths.add(path);
	return () => {
		if (paths.delete(path) && paths.size === 0) unwatch();
	};
}

/** Has signals take it along too. Only for a process that is ours: a host's signals are the host's to answer. */
export function goesBySignal(): void {
	isOurs = true;
}

// signals are listened to only as long as something is there: who listens is deaf while it computes
function watch(): void {
	process.on("exit", removeAll);
	if (isOurs) for (const signal of SIGNALS) process.prependListener(signal, end);
}

function unwatch(): void {
	process.off("exit", removeAll);
	for (const signal of SIGNALS) process.off(signal, end);
}

function removeAll(): void {
	for (const path of paths) {
		try {
			rmSync(path, { recursive: true, force: true });
		} catch {
			// nobody is left to be told
		}
	}
}

function end(signal: NodeJS.Signals): void {
	// who else listens ends the process in his own way
	if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
