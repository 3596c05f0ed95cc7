import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import {
	changesOthers,
	type HostMessage,
	type MessageMark,
	markOf,
	type ShownEntry,
	shownLast,
	shownOn,
} from "./host-messages.ts";
import type { HostSession } from "./live-entry.ts";

/** What is read of the host's session. */
export type PathReader = Pick<HostSession, "getLeafId" | "getLeafEntry" | "getEntry">;

/** Requests in which every mark is compared at least once. */
const SHARES = 256;

/** Instead of an owner: nobody's. */
export const NOBODY = -1;

/**
 * Whose the messages of requests are: what the host makes of the path to its leaf, kept from one request to the next.
 * It is extended by the entries that came since, and begun anew where the path is another, an entry came that edits
 * one above it, or the host compacted.
 */
export class Owners {
	#leaf: string | null | undefined;
	#entries: SessionEntry[] = [];
	#roles: HostMessage["role"][] = [];
	#times: number[] = [];
	#calls: (string | undefined)[] = [];
	#owners: number[] = [];
	/** by time: the last message that has it */
	#lastAt = new Map<number, number>();
	/** messages that share their time with another; some twice */
	#twins: number[] = [];
	#begun = 0;
	/** messages whose marks were compared, at one request or another since they were last not in step */
	#verified = 0;
	#round = 0;

	/** The entries the host makes requests from, in its order. */
	get entries(): readonly SessionEntry[] {
		return this.#entries;
	}

	/** How often the list was begun. While that stays, it only grows. */
	get begun(): number {
		return this.#begun;
	}

	/** Takes in what came to the session. O(what is new), or O(path) where the list is begun anew. */
	follow(session: PathReader): void {
		if (session.getLeafId() === this.#leaf) return;
		const fresh: SessionEntry[] = [];
		let entry = session.getLeafEntry();
		const leaf = entry?.id ?? null;
		let isAnew = this.#leaf === undefined;
		while (entry && (isAnew || entry.id !== this.#leaf)) {
			fresh.push(entry);
			isAnew ||= changesOthers(entry);
			entry = entry.parentId ? session.getEntry(entry.parentId) : undefined;
		}
		fresh.reverse();
		if (entry === undefined) this.#begin(shownOn(fresh));
		else for (const last of fresh) this.#take(shownLast(last));
		this.#leaf = leaf;
	}

	/** By message the host makes, the index of its entry in `entries`. */
	get owners(): readonly number[] {
		return this.#owners;
	}

	/** A message as the session holds it, by its place in a request; `undefined` where it comes of no message entry. */
	messageAt(at: number): HostMessage | undefined {
		const entry = this.#entries[this.#owners[at] ?? NOBODY];
		return entry?.type === "message" ? entry.message : undefined;
	}

	/**
	 * By message of a request, the index of its entry in `entries`. As a rule there are as many as the host makes, in one
	 * order, and each is that of `owners`. Where another extension came first, a message is known by its mark, if as
	 * many messages as entries bear it; anything else is nobody's. O(messages), some 30 ns each where they are in step.
	 */
	ownersOf(messages: readonly HostMessage[]): readonly number[] | "inStep" {
		if (this.areInStep(messages, messages.length)) return "inStep";
		this.#verified = 0;
		const length = Math.min(messages.length, this.#owners.length);
		const shift = this.#owners.length - messages.length;
		let head = 0;
		while (head < length && this.#isAlike(messages, head, head)) head++;
		let end = messages.length;
		while (end > head && end + shift > head && this.#isAlike(messages, end - 1, end - 1 + shift)) end--;
		return this.#matched(messages, head, end, end + shift);
	}

	/**
	 * Whether there are as many messages as the host makes, and the first `upTo` of them are those. Messages are copies at
	 * every request, and to read their role or call in them costs more than all else here. So the time of each is
	 * compared at every request, for nothing can be put in, left out or moved without another time at its place; the
	 * whole mark where it is new, where others have its time, and of the rest a share in turn.
	 */
	areInStep(messages: readonly HostMessage[], upTo: number): boolean {
		const times = this.#times;
		if (messages.length !== times.length) return false;
		if (!haveTimes(messages, times, upTo)) return false;
		for (let at = this.#verified; at < upTo; at++) if (!this.#isAlike(messages, at, at)) return false;
		for (const at of this.#twins) if (at < upTo && !this.#isAlike(messages, at, at)) return false;
		const known = Math.min(this.#verified, upTo);
		const share = Math.ceil(known / SHARES);
		const from = (this.#round++ % SHARES) * share;
		const to = Math.min(from + share, known);
		for (let at = from; at < to; at++) if (!this.#isAlike(messages, at, at)) return false;
		this.#verified = Math.max(this.#verified, upTo);
		return true;
	}

	#begin(shown: readonly ShownEntry[]): void {
		this.#begun++;
		this.#entries = [];
		this.#roles = [];
		this.#times = [];
		this.#calls = [];
		this.#owners = [];
		this.#lastAt = new Map();
		this.#twins = [];
		this.#verified = 0;
		for (const entry of shown) this.#take(entry);
	}

	#take({ entry, marks }: ShownEntry): void {
		for (const { role, timestamp, call } of marks) {
			const at = this.#roles.length;
			const twin = this.#lastAt.get(timestamp);
			if (twin !== undefined) this.#twins.push(twin, at);
			this.#lastAt.set(timestamp, at);
			this.#roles.push(role);
			this.#times.push(timestamp);
			this.#calls.push(call);
			this.#owners.push(this.#entries.length);
		}
		this.#entries.push(entry);
	}

	#isAlike(messages: readonly HostMessage[], at: number, ours: number): boolean {
		const message = messages[at];
		if (message?.timestamp !== this.#times[ours] || message?.role !== this.#roles[ours]) return false;
		return message?.role !== "toolResult" || message.toolCallId === this.#calls[ours];
	}

	/**
	 * The owners of messages that are alike before `head` and from `end` on, there beginning with owner number `ours`.
	 * Those between are told by their marks; where the numbers of a mark differ, so are none that bear it anywhere.
	 */
	#matched(messages: readonly HostMessage[], head: number, end: number, ours: number): number[] {
		const theirs = Map.groupBy(numbers(head, end), (at) => keyOf(markOf(messages[at] as HostMessage)));
		const bearing = Map.groupBy(numbers(head, ours), (at) => this.#keyAt(at));
		const owners = [
			...this.#owners.slice(0, head),
			...numbers(head, end).fill(NOBODY),
			...this.#owners.slice(ours),
		];
		const uneven = new Set<string>();
		const times = new Set<number | undefined>();
		for (const key of new Set([...theirs.keys(), ...bearing.keys()])) {
			const places = theirs.get(key) ?? [];
			const by = bearing.get(key) ?? [];
			if (places.length === by.length) {
				for (const [nth, place] of places.entries()) owners[place] = this.#owners[by[nth] ?? 0] ?? NOBODY;
				continue;
			}
			uneven.add(key);
			times.add(places[0] === undefined ? this.#times[by[0] ?? 0] : messages[places[0]]?.timestamp);
		}
		if (uneven.size === 0) return owners;
		for (let at = 0; at < owners.length; at++) {
			const ownerAt = at < head ? at : at - end + ours;
			if (at >= head && at < end) continue;
			if (times.has(this.#times[ownerAt]) && uneven.has(this.#keyAt(ownerAt))) owners[at] = NOBODY;
		}
		return owners;
	}

	#keyAt(at: number): string {
		return `${this.#times[at]} ${this.#roles[at]} ${this.#calls[at] ?? ""}`;
	}
}

/** Takes most of the time there is, and is on its own so that it is soon compiled. */
function haveTimes(messages: readonly HostMessage[], times: readonly number[], upTo: number): boolean {
	for (let at = 0; at < upTo; at++) if ((messages[at] as HostMessage).timestamp !== times[at]) return false;
	return true;
}

function keyOf({ role, timestamp, call }: MessageMark): string {
	return `${timestamp} ${role} ${call ?? ""}`;
}

function numbers(from: number, to: number): number[] {
	return Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
}
