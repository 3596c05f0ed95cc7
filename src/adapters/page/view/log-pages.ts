import { useEffect, useRef, useState } from "preact/hooks";
import type { LogPage, LogRow } from "../../../debug/log-page.ts";
import { type ApiError, askAnew } from "./api.ts";
import { usePage } from "./state.ts";

/** Rows asked for in one question. */
const PAGE = 100;

/** Pages kept at most. */
const KEPT = 200;

/** An index no log reaches, to have the whole of it looked at. */
const BEYOND = 999_999_999;

/** The log as far as it was fetched. */
export interface LogPages {
	/** events that pass the filter, as far as is known; `undefined` before the first answer */
	readonly total: number | undefined;
	/** events of the stream */
	readonly events: number;
	/** events looked at for those that name something; `undefined` where nothing is looked for */
	readonly scanned: number | undefined;
	/** events of the stream by type */
	readonly types: LogPage["types"];
	readonly error: ApiError | undefined;
	/** a row by its index; `undefined` while it is on its way */
	readonly rowAt: (index: number) => LogRow | undefined;
	/** says which rows can be seen, so that they are fetched */
	readonly show: (from: number, to: number) => void;
}

type Known = Pick<LogPages, "total" | "events" | "scanned" | "types" | "error">;

const NOTHING: Known = { total: undefined, events: 0, scanned: undefined, types: {}, error: undefined };

/** The address of a part of the log. */
export function logPath(filter: string, part: string): string {
	return `/api/log?${filter}${filter === "" ? "" : "&"}${part}`;
}

/** The events that pass a filter, of which only those are fetched that can be seen. One question is on its way at a time. */
export function useLogPages(filter: string): LogPages {
	const version = usePage(({ session }) => session?.head.version ?? 0);
	const [known, know] = useState<Known>(NOTHING);
	const fetcher = useRef<Fetcher | undefined>(undefined);
	if (fetcher.current?.filter !== filter) {
		fetcher.current?.stop();
		fetcher.current = new Fetcher(filter, know);
	}
	const { current } = fetcher;
	useEffect(() => current.grow(), [current, version]);
	useEffect(() => () => fetcher.current?.stop(), []);
	return { ...known, rowAt: current.rowAt, show: current.show };
}

class Fetcher {
	readonly filter: string;
	readonly #know: (known: Known) => void;
	readonly #pages = new Map<number, readonly LogRow[]>();
	readonly #control = new AbortController();
	#seen: readonly [number, number] = [0, 0];
	#known: Known = NOTHING;
	#isAsking = false;
	#mustLook = true;

	constructor(filter: string, know: (known: Known) => void) {
		this.filter = filter;
		this.#know = know;
	}

	readonly rowAt = (index: number): LogRow | undefined =>
		this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE];

	readonly show = (from: number, to: number): void => {
		this.#seen = [from, to];
		void this.#fetch();
	};

	/** The log may be longer now: what was full stays as it is, for events are only appended. */
	grow(): void {
		for (const [page, rows] of this.#pages) if (rows.length < PAGE) this.#pages.delete(page);
		this.#mustLook = true;
		void this.#fetch();
	}

	stop(): void {
		this.#control.abort();
	}

	async #fetch(): Promise<void> {
		if (this.#isAsking) return;
		this.#isAsking = true;
		try {
			for (;;) {
				const part = this.#nextPart();
				if (part === undefined) break;
				this.#mustLook = false;
				const path = logPath(this.filter, part);
				const { signal } = this.#control;
				const answer = await askAnew<LogPage>(path, { signal });
				if (signal.aborted) return;
				this.#take(answer);
			}
		} catch (error) {
			if (this.#control.signal.aborted) return;
			this.#tell({ ...this.#known, error: error as ApiError });
		} finally {
			this.#isAsking = false;
		}
	}

	/** What is to be asked for next: a page that can be seen; else what tells how many there are. */
	#nextPart(): string | undefined {
		const [from, to] = this.#seen;
		const last = Math.min(to, this.#known.total ?? PAGE) - 1;
		for (let page = Math.floor(from / PAGE); page <= Math.floor(last / PAGE); page++) {
			if (!this.#pages.has(page)) return `from=${page * PAGE}&limit=${PAGE}`;
		}
		const { scanned, events } = this.#known;
		const isPartial = scanned !== undefined && scanned < events;
		return this.#mustLook || isPartial ? `from=${BEYOND}&limit=1` : undefined;
	}

	#take({ rows, from, total, events, types, scanned }: LogPage): void {
		if (rows.length > 0 && from % PAGE === 0) {
			this.#pages.delete(from / PAGE);
			this.#pages.set(from / PAGE, rows);
		}
		if (total > (this.#known.total ?? 0)) {
			// a page that was not full when it was asked for holds more now
			for (const [page, there] of this.#pages) {
				if (there.length < PAGE && page * PAGE + there.length < total) this.#pages.delete(page);
			}
		}
		for (const oldest of this.#pages.keys()) {
			if (this.#pages.size <= KEPT) break;
			this.#pages.delete(oldest);
		}
		this.#tell({ total, events, types, scanned, error: undefined });
	}

	#tell(known: Known): void {
		this.#known = known;
		this.#know({ ...known });
	}
}
