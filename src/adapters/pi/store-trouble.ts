import { EventError } from "../../../events/registry.ts";
import { StoreError, type StoreErrorCode } from "../../store/errors.ts";

/** Why a session has no store to write to: it goes on with the folds its own entries tell of. */
export interface StoreTrouble {
	/** what is wrong, with its code */
	readonly words: string;
	/** when there will be new folds again, to follow the words */
	readonly until: string;
	/** the folder of a store that a repair mends */
	readonly damaged?: string;
}

/** Something was to be decided in a session that makes no new folds; what stands can be read all the same. */
export class NoNewFolds extends Error {
	override readonly name = "NoNewFolds";
}

const DAMAGES: ReadonlySet<string> = new Set<StoreErrorCode>([
	"STORE_DAMAGED",
	"STORE_CHAIN_BROKEN",
	"STORE_BLOB_DAMAGED",
]);

/** What is wrong where an error came of a store, or of what is stored in it; `undefined` for any other. */
export function storeTrouble(error: unknown): StoreTrouble | undefined {
	if (!(error instanceof StoreError || error instanceof EventError)) return undefined;
	const { code, message } = error;
	if (code === "STORE_LOCKED")
		return { words: `${code}: this session is open elsewhere`, until: "until it is closed there" };
	const damaged = error instanceof StoreError && DAMAGES.has(code) ? error.detail.directory : undefined;
	if (damaged !== undefined)
		return {
			words: `${code}: the store of this session is damaged, which /fold repair mends: ${message}`,
			until: "until then",
			damaged,
		};
	return {
		words: `${code}: the store of this session cannot be used: ${message}`,
		until: "until it can be; that is tried at each prompt, and at once by /fold",
	};
}

/** What the user is told of it. */
export function troubleSentence({ words, until }: StoreTrouble): string {
	return `${words}; its folds stand, and no new ones are made ${until}`;
}

/** An error met in a store, with the folder of that. */
export function metIn(directory: string | undefined, error: unknown): unknown {
	if (!(error instanceof StoreError) || directory === undefined) return error;
	return new StoreError(error.code, error.message, { ...error.detail, directory, cause: error });
}
