import { StoreError } from "./errors.ts";
import type { Store } from "./store.ts";

/** A text by its digest; `undefined` where it is not stored, or is not what was stored. Throws as `Store.blob` does else. */
export function storedText(store: Store, digest: string): string | undefined {
	try {
		const bytes = store.blob(digest);
		return bytes && new TextDecoder().decode(bytes);
	} catch (error) {
		if (error instanceof StoreError && error.code === "STORE_BLOB_DAMAGED") return undefined;
		throw error;
	}
}
