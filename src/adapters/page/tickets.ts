import { digestOf, newToken } from "./guard.ts";

/** How long a ticket is good for, ms: a browser that has to be started needs some seconds. */
const GOOD_FOR_MS = 60_000;

/**
 * What a browser shows once to be given the token. An address that is handed to a program can be read by everybody on
 * the machine, so it carries one of these and no token.
 */
export class Tickets {
	readonly #now: () => number;
	readonly #until = new Map<string, number>();

	/** @param now ms, from any origin */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** A new ticket, good for a minute and for one use. */
	issue(): string {
		for (const [digest, until] of this.#until) if (until <= this.#now()) this.#until.delete(digest);
		const ticket = newToken();
		this.#until.set(digestOf(ticket).toString("hex"), this.#now() + GOOD_FOR_MS);
		return ticket;
	}

	/** Uses a ticket up; whether it was good. */
	redeem(ticket: string): boolean {
		const digest = digestOf(ticket).toString("hex");
		const until = this.#until.get(digest);
		this.#until.delete(digest);
		return until !== undefined && this.#now() < until;
	}
}
