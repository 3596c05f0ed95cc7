import type { HostMessage } from "./host-messages.ts";

/** The last window that was made, for requests for which none can be made any more. */
export class LastWindow {
	#window: readonly HostMessage[] = [];
	#covers = 0;
	#endsAt: number | undefined;

	/** Keeps a window, and how far the host's messages reached that it was made of. */
	keep(messages: readonly HostMessage[], window: readonly HostMessage[] | undefined): void {
		this.#window = window ?? [];
		this.#covers = window ? messages.length : 0;
		this.#endsAt = messages.at(-1)?.timestamp;
	}

	/** That window with what came since, raw; `undefined` where the messages do not go on from it. */
	continued(messages: readonly HostMessage[]): HostMessage[] | undefined {
		const last = messages[this.#covers - 1];
		if (!last || last.timestamp !== this.#endsAt) return undefined;
		return [...this.#window, ...messages.slice(this.#covers)];
	}
}
