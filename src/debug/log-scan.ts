import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import type { History } from "./history.ts";
import { eventNames, isOfTypes } from "./naming.ts";

/** Where the events stand that name something or are by someone, as far as they were looked for. */
export interface NameScan {
	readonly found: readonly number[];
	/** events looked at */
	readonly scanned: number;
}

/** What is looked for. */
interface Wanted {
	/** what they name; anything unless given */
	readonly entry?: string | undefined;
	/** who did it; anyone unless given */
	readonly actor?: string | undefined;
	readonly types?: readonly string[] | undefined;
	/** how many places are needed */
	readonly enough: number;
}

/** Events looked at in one call: a few tenths of a second. */
const SCAN = 20_000;

/** Scans kept, those asked for last. */
const KEPT = 20;

const scansOf = new WeakMap<History, Map<string, Scan>>();

/**
 * Looks for the events that name something or are by someone, oldest first: as far as it takes to have enough, but at most 20,000 events
 * behind those that earlier calls looked at. Throws as `Store.read` does.
 */
export async function scanFor(
	history: History,
	store: Pick<Store, "readRuns">,
	{ enough, ...wanted }: Wanted,
): Promise<NameScan> {
	const scans = scansOf.get(history) ?? new Map<string, Scan>();
	scansOf.set(history, scans);
	const key = JSON.stringify([wanted.entry, wanted.actor, wanted.types]);
	const scan = scans.get(key) ?? new Scan(wanted);
	scans.delete(key);
	scans.set(key, scan);
	if (scans.size > KEPT) scans.delete(scans.keys().next().value as string);
	await scan.reach(history, store, enough);
	return scan;
}

class Scan implements NameScan {
	readonly found: number[] = [];
	scanned = 0;
	readonly #wanted: Omit<Wanted, "enough">;
	/** one call at a time goes on with it */
	#turn: Promise<void> = Promise.resolve();

	constructor(wanted: Omit<Wanted, "enough">) {
		this.#wanted = wanted;
	}

	reach(history: History, store: Pick<Store, "readRuns">, enough: number): Promise<void> {
		const turn = this.#turn.then(() => this.#look(history, store, enough));
		this.#turn = turn.catch(() => {});
		return turn;
	}

	async #look({ stream, head }: History, store: Pick<Store, "readRuns">, enough: number): Promise<void> {
		if (this.found.length >= enough || this.scanned >= head.version) return;
		const to = Math.min(head.version, this.scanned + SCAN);
		const range = { from: this.scanned, to, chunk: 500, onUnreadable: () => {} };
		for await (const run of store.readRuns(stream, range)) {
			for (const event of run) if (passes(event, this.#wanted)) this.found.push(event.position);
			this.scanned = (run.at(-1)?.position ?? this.scanned) + 1;
			if (this.found.length >= enough) return;
			await turnOfOthers();
		}
		this.scanned = to;
	}
}

function passes(
	event: { readonly type: string; readonly actor: string; readonly node?: string; readonly data: unknown },
	{ entry, actor, types }: Omit<Wanted, "enough">,
): boolean {
	if (!isOfTypes(event.type, types) || (actor !== undefined && event.actor !== actor)) return false;
	return entry === undefined || eventNames(event, entry);
}
