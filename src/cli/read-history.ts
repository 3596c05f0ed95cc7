import { storedContent } from "../adapters/sessions/stored-content.ts";
import type { Content } from "../debug/content.ts";
import { History } from "../debug/history.ts";
import { StoreError } from "../store/errors.ts";
import { withBar } from "./bar.ts";
import { CliError } from "./cli-error.ts";
import { withPlace } from "./place.ts";
import { foundSomethingWrong, note } from "./terminal.ts";

/** A history read from a store, and what it refers to. */
export interface OpenHistory {
	readonly history: History;
	readonly content: Content;
}

/**
 * Runs work on the history of the store a user means. Where its chain breaks, or cannot be read any further, that is told,
 * and what comes before is the history. Throws as `withPlace` does.
 */
export function withHistory<T>(
	where: string | undefined,
	work: (open: OpenHistory) => Promise<T>,
): Promise<T> {
	return withPlace(where, async ({ store, stream }) => {
		const history = History.empty(stream);
		try {
			await withBar("reading", store.head(stream).version, (advance) => history.grow(store, advance));
		} catch (error) {
			if (!(error instanceof StoreError) || !READ_SO_FAR.has(error.code)) throw error;
			note(`${error.code}: ${error.message}; what comes before is read`);
			foundSomethingWrong();
		}
		return work({ history, content: storedContent(store) });
	});
}

/** What keeps a history from being read to its end. */
const READ_SO_FAR: ReadonlySet<string> = new Set(["STORE_CHAIN_BROKEN", "STORE_DAMAGED"]);

/** What a user is told who names a request that was never made. */
export function noSuchRequest(request: number, requests: number): CliError {
	const made = requests === 0 ? "no request was made" : `requests 1 to ${requests} were made`;
	return new CliError("CLI_NO_SUCH_REQUEST", `no request ${request}: ${made}`);
}
