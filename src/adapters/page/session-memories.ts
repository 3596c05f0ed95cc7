import { memoryOf } from "../../../projections/memory/memory.ts";
import type { MemoryFact } from "../../../projections/memory/record.ts";
import { type MemorySource, memoryFacts } from "../../debug/memory-then.ts";
import { type Checker, factOf } from "../../engine/memory/facts.ts";
import { keyringPath } from "../../engine/memory/keyring.ts";
import { Keys } from "../../engine/memory/keys.ts";
import { StoreError } from "../../store/errors.ts";
import { agentDirectory, homeDirectory, workspaceDirectory } from "../../store/identity.ts";
import { storedText } from "../../store/stored-text.ts";
import type { AtHand } from "./history-source.ts";
import { markOf, openCopyOf } from "./store-origin.ts";

/** What was read of a folder's memory when its store stood so. */
interface Read {
	readonly directory: string;
	readonly mark: string;
	readonly source: MemorySource;
}

/** What a session remembers, for itself and for its folder. The folder's memory is read again once that has changed. */
export class SessionMemories {
	readonly #checker: Checker = new Keys(keyringPath(agentDirectory()));
	#read: Read | undefined;

	/** The memories that count for a history, the session's own first. */
	async of({ history, store }: AtHand): Promise<readonly MemorySource[]> {
		const facts = memoryFacts(history, store, this.#checker);
		const own = { facts, isOwn: true, textOf: (digest: string) => storedText(store, digest) };
		const cwd = history.opened?.cwd;
		const folder =
			cwd === undefined ? undefined : await this.#folder(workspaceDirectory(homeDirectory(), cwd));
		return folder ? [own, folder] : [own];
	}

	async #folder(directory: string): Promise<MemorySource | undefined> {
		const mark = await markOf(directory).catch(() => undefined);
		if (mark === undefined) return undefined;
		if (this.#read?.directory !== directory || this.#read.mark !== mark) {
			this.#read = { directory, mark, source: await folderMemory(directory, this.#checker) };
		}
		return this.#read.source;
	}
}

/** Reads a folder's memory, as far as it is whole, texts and all: the store is let go of at once. */
async function folderMemory(directory: string, checker: Checker): Promise<MemorySource> {
	const { store, close } = await openCopyOf(directory);
	try {
		const facts: MemoryFact[] = [];
		const stream = store.streams().find((name) => name.startsWith("memory/"));
		try {
			if (stream !== undefined) {
				for await (const event of store.read(stream, { onUnreadable: () => {} })) {
					const fact = factOf(event, store.sealed(stream, event.position), checker);
					if (fact) facts.push(fact);
				}
			}
		} catch (error) {
			// what came before the damage was read
			if (!(error instanceof StoreError)) throw error;
		}
		const texts = new Map<string, string>();
		for (const { body } of memoryOf(facts).records.values()) {
			const text = storedText(store, body);
			if (text !== undefined) texts.set(body, text);
		}
		return { facts, isOwn: false, textOf: (digest) => texts.get(digest) };
	} finally {
		await close();
	}
}
