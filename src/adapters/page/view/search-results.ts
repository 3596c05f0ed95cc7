import { useEffect, useState } from "preact/hooks";
import type { HistorySearch, SearchHit } from "../../../debug/search-history.ts";
import { type ApiError, ask } from "./api.ts";
import { usePage } from "./state.ts";

/** Hits asked for at first, and added by each press of "Show more". */
const AT_ONCE = 50;

/** What a search found so far. */
export interface SearchResults {
	/** the text that was looked for */
	readonly text: string;
	readonly hits: readonly SearchHit[];
	/** entries looked at, and how many there are */
	readonly looked: number;
	readonly entries: number;
	readonly unread: number;
	readonly isBusy: boolean;
	readonly error: ApiError | undefined;
	/** looks for more */
	readonly more: () => void;
}

type Found = Omit<SearchResults, "more">;

const NOTHING: Found = {
	text: "",
	hits: [],
	looked: 0,
	entries: 0,
	unread: 0,
	isBusy: false,
	error: undefined,
};

/** Looks for a text in all content, the newest entry first, until enough is found or everything was looked at. */
export function useSearch(text: string): SearchResults {
	const version = usePage(({ session }) => session?.head.version ?? 0);
	const [most, setMost] = useState({ text, hits: AT_ONCE });
	const [found, find] = useState<Found>(NOTHING);
	const wanted = most.text === text ? most.hits : AT_ONCE;
	useEffect(() => {
		if (text === "") return find(NOTHING);
		const control = new AbortController();
		// what is looked for again, as the log has grown or more is wanted, does not take away what is read just now
		const shown = found.text === text ? found.hits.length : 0;
		void run({ text, wanted, shown }, control.signal, find);
		return () => control.abort();
	}, [text, wanted, version]);
	return { ...found, more: () => setMost({ text, hits: wanted + 4 * AT_ONCE }) };
}

async function run(
	{ text, wanted, shown }: { readonly text: string; readonly wanted: number; readonly shown: number },
	signal: AbortSignal,
	find: (found: Found) => void,
): Promise<void> {
	let found: Found = { ...NOTHING, text, isBusy: true };
	if (shown === 0) find(found);
	try {
		do {
			const limit = Math.min(AT_ONCE, wanted - found.hits.length);
			const said = new URLSearchParams({ q: text, limit: String(limit), from: String(found.looked) });
			const { hits, looked, entries, unread } = await ask<HistorySearch>(`/api/search?${said}`, signal);
			if (signal.aborted) return;
			found = { ...found, hits: [...found.hits, ...hits], looked, entries, unread: found.unread + unread };
			if (shown === 0 || found.hits.length > shown) find(found);
		} while (found.hits.length < wanted && found.looked < found.entries);
		find({ ...found, isBusy: false });
	} catch (error) {
		if (!signal.aborted) find({ ...found, isBusy: false, error: error as ApiError });
	}
}
