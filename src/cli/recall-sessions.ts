import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { RecallQuery } from "../../projections/recall/query.ts";
import { nodeOf } from "../../projections/session-tree.ts";
import { openSession, type SessionFile } from "../adapters/sessions/pi/session.ts";
import { sessionsOf } from "../adapters/sessions/pi/session-files.ts";
import { decodeEntry } from "../adapters/sessions/recorded-session.ts";
import { liveDirectoryOf, replayDirectoryOf } from "../adapters/sessions/replay-places.ts";
import { Recall, type RecallAnswer } from "../debug/recall/recall.ts";
import type { RecallRequest } from "../debug/recall/request.ts";
import { scanList, scanRecall } from "../debug/recall/scan.ts";
import { Engine } from "../engine/engine.ts";
import { RecallIndex } from "../engine/recall-index.ts";
import { loadFromStore, storeJournal } from "../engine/store-journal.ts";
import { isBundle } from "../store/bundle/bundle-source.ts";
import { StoreError } from "../store/errors.ts";
import { sha256Node } from "../store/hash.ts";
import { homeDirectory } from "../store/identity.ts";
import { CliError } from "./cli-error.ts";
import { isStore } from "./is-store.ts";
import { findStore, type OpenPlace, openForReading, withStore } from "./place.ts";
import { note } from "./terminal.ts";

/** A session to be searched: its file, its store, or both. */
export interface SearchedSession {
	readonly id: string;
	readonly file?: SessionFile;
	/** the folder of its store, where it has one */
	readonly store?: string;
}

/** How a session is searched from the command line. */
export interface SessionSearch {
	/** `list`: the newest, by the filters of the query alone */
	readonly action: RecallRequest["action"];
	readonly query: RecallQuery;
	/** every branch of it, and not only the one it ended on */
	readonly branches: boolean;
	readonly limit: number;
}

/** How long a question on the command line waits for an index, ms: as long as it takes. */
const AS_LONG_AS_IT_TAKES = 2 ** 31 - 1;

/**
 * The sessions a user means: the one of a file, an id or a store's folder; every one of the working directory; or the one
 * there that was written to last. Throws `CLI_NO_STORE`, and what `openSession` and `findStore` throw.
 */
export async function searchedSessions(
	named: string | undefined,
	all: boolean,
	cwd: string,
): Promise<SearchedSession[]> {
	if (named !== undefined) return [await namedSession(named, cwd)];
	const files = await sessionsOf(cwd);
	if (files.length === 0)
		throw new CliError("CLI_NO_STORE", `no session was recorded in ${cwd}: name one with --session`);
	const found: SearchedSession[] = [];
	// one store after the other is opened to see whose it is, however many sessions there are
	for (const file of files.slice(0, all ? undefined : 1)) found.push(await ofFile(file));
	return found;
}

/**
 * Searches a session: by its store's index, or, where there is no store or the file went on without it, by reading the
 * file through. Throws what stores and session files throw.
 */
export async function searchSession(session: SearchedSession, search: SessionSearch): Promise<RecallAnswer> {
	const { action, query, branches, limit } = search;
	const scope = branches ? "all" : "branch";
	const { file, store } = session;
	const scan = action === "list" ? scanList : scanRecall;
	const scanned = () => scan((file as SessionFile).entries, query, { scope, limit });
	if (store === undefined) return scanned();
	const last = file && (await lastEntry(file.path));
	return withStore(store, async (place) => {
		const { engine, recall, close } = await recallOf(place);
		try {
			const { tree } = engine.states;
			// the file went on where no extension of ours looked on
			if (file && last !== undefined && !nodeOf(tree, last)) return await scanned();
			const leaf = last ?? tree.leaf;
			const options = { leaf, scope, limit, waitMs: AS_LONG_AS_IT_TAKES } as const;
			return await (action === "list" ? recall.list(query, options) : recall.search(query, options));
		} catch (error) {
			if (!file || !(error instanceof StoreError)) throw error;
			note(`${file.path} is read through: ${error.message}`);
			return await scanned();
		} finally {
			await close();
		}
	});
}

async function recallOf({ store, stream }: OpenPlace) {
	const journal = storeJournal(store, stream);
	const engine = new Engine({ journal, hash: sha256Node, decode: decodeEntry, driver: "replay" });
	await loadFromStore(engine, store, stream);
	const entries = { tree: () => engine.states.tree, entry: (id: string) => engine.entry(id) };
	const index = new RecallIndex({ ...entries, store, stream });
	return { engine, recall: new Recall(index, entries), close: () => index.close() };
}

async function namedSession(named: string, cwd: string): Promise<SearchedSession> {
	if (await isBundle(named)) return { id: named, store: named };
	if (statSync(named, { throwIfNoEntry: false })?.isFile()) return ofFile(await openSession(named));
	const file = (await sessionsOf(cwd)).find(({ id }) => id === named);
	if (file) return ofFile(file);
	return { id: named, store: await findStore(named) };
}

/** A session file with the store of its live session, or else of its replay. */
async function ofFile(file: SessionFile): Promise<SearchedSession> {
	const home = homeDirectory();
	for (const find of [liveDirectoryOf, replayDirectoryOf]) {
		try {
			const store = await find(home, file, openForReading);
			if (isStore(store)) return { id: file.id, file, store };
		} catch (error) {
			// what was said stands in the file too
			if (!(error instanceof StoreError)) throw error;
			note(`${file.path} is read through: ${error.message}`);
		}
	}
	return { id: file.id, file };
}

/** How far from its end a file's last entry is looked for, bytes. */
const TAIL = 1 << 20;

/** Id of the last entry of a session file; `undefined` where it has none that can be read at once. */
async function lastEntry(path: string): Promise<string | undefined> {
	const handle = await open(path);
	try {
		const { size } = await handle.stat();
		const from = Math.max(0, size - TAIL);
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
		const lines = buffer.subarray(0, bytesRead).toString("utf8").trimEnd().split("\n");
		const { id } = JSON.parse(lines.at(-1) ?? "") as { readonly id?: unknown };
		return typeof id === "string" ? id : undefined;
	} catch {
		return undefined;
	} finally {
		await handle.close();
	}
}
