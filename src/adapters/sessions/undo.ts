import { idsAsked, quoteUndo, type UndoAsked, type UndoQuote } from "../../debug/undo-price.ts";
import { OutsideUndo } from "../../engine/outside-undo.ts";
import { REGISTRY } from "../../engine/store-journal.ts";
import { StoreError } from "../../store/errors.ts";
import type { Head } from "../../store/head.ts";
import { openStore } from "../../store/open-store.ts";
import { decodeEntry } from "./recorded-session.ts";

/** What was taken back, and where the stream stands now. */
export interface Undone {
	/** name of the undo, by which it is taken back in turn */
	readonly id: string;
	/** place of its event in the stream */
	readonly position: number;
	/** what it was quoted; `quote.head` is where the stream stood before */
	readonly quote: UndoQuote;
	readonly head: Head;
	/** whether it takes effect only when its session is opened in the host next */
	readonly waits: boolean;
}

/**
 * What an undo or a redo in the store of a folder would cost; nothing is written. Throws `STORE_LOCKED` while its session
 * runs, `STORE_DAMAGED`, `STORE_NOT_FOUND` where it holds no session, `STORE_UNAVAILABLE` where nothing may be written; `DECISION_UNKNOWN`,
 * `UNDO_HAS_DEPENDENTS`, and `EventError` for events of a newer release.
 */
export function undoQuote(directory: string, asked: UndoAsked): Promise<UndoQuote> {
	return withOutside(directory, asked, async (outside) => quoteUndo(outside, asked));
}

/**
 * Takes decisions back in the store of a folder, as they were quoted: `expected` is where the stream stood then. Throws as
 * {@link undoQuote} does, and `STORE_VERSION_CONFLICT` where the stream has another head by now.
 */
export function undoIn(directory: string, asked: UndoAsked, expected: Head): Promise<Undone> {
	return withOutside(directory, asked, async (outside) => {
		const quote = quoteUndo(outside, asked);
		const { version, hash } = quote.head;
		if (version !== expected.version || hash !== expected.hash) {
			throw new StoreError(
				"STORE_VERSION_CONFLICT",
				`the stream went on since that was quoted: it is at version ${version}, not ${expected.version}`,
				{ directory, expected: expected.version, actual: version },
			);
		}
		const { id, position } = await outside.undo(idsAsked(outside, asked), Date.now());
		return { id, position, quote, head: outside.head, waits: outside.isLive };
	});
}

async function withOutside<T>(
	directory: string,
	asked: UndoAsked,
	work: (outside: OutsideUndo) => Promise<T>,
): Promise<T> {
	await using store = await openStore({ directory, registry: REGISTRY }).catch((error: unknown) => {
		if (!(error instanceof StoreError) || error.code !== "STORE_LOCKED") throw error;
		const ids = asked.kind === "undo" ? asked.decisions.join(" ") : (asked.decision ?? "ID");
		throw new StoreError(
			"STORE_LOCKED",
			`${directory} is open elsewhere, in its running session mostly: there it is /fold undo ${ids}`,
			{ directory, cause: error },
		);
	});
	const [damage] = store.damage;
	if (damage) throw new StoreError("STORE_DAMAGED", `${directory} is damaged: ${damage.what}`, { directory });
	const stream = store.streams().find((name) => name.startsWith("session/"));
	if (stream === undefined)
		throw new StoreError("STORE_NOT_FOUND", `${directory} holds no session`, { directory });
	const outside = await OutsideUndo.open({ store, stream, decode: decodeEntry });
	// awaited here: the store is closed once it is done
	return await work(outside);
}
