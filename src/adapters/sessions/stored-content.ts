import type { Content } from "../../debug/content.ts";
import type { Store } from "../../store/store.ts";
import { decodeEntry } from "./recorded-session.ts";

/** What a store holds of a session, for questions to be asked of its log. */
export function storedContent(store: Pick<Store, "blob">): Content {
	const read = (digest: string) => store.blob(digest);
	return Object.assign(read, { decode: decodeEntry });
}
