import type { Valuation } from "../../events/valuation.ts";
import type { Head } from "../store/head.ts";
import type { History } from "./history.ts";

/** What session a history is of, and how much there is of it. */
export interface SessionView {
	/** the host's id; empty where the log does not say */
	readonly session: string;
	readonly cwd?: string;
	/** where its entries come from: `pi-v1`, `pi-v2`, `pi-v3` or `live`; empty where the log does not say */
	readonly format: string;
	/** time of the first event, ms since the epoch; 0 where there is none */
	readonly opened: number;
	readonly head: Head;
	readonly requests: number;
	readonly entries: number;
	readonly decisions: number;
	/** what amounts are in */
	readonly unit: Valuation["unit"];
	/** of the last request, provider/model */
	readonly model?: string;
	readonly policy: string;
}

/** What a history is about, as far as its log tells. */
export function sessionView(history: History): SessionView {
	const { head, opened, states } = history;
	const last = history.requests.at(-1);
	return {
		session: opened?.session ?? history.stream.replace(/^session\//, ""),
		...(opened?.cwd !== undefined && { cwd: opened.cwd }),
		format: opened?.format ?? "",
		opened: history.events.timeAt(0) ?? 0,
		head,
		requests: history.requests.length,
		entries: history.entries,
		decisions: history.decisions.length,
		unit: states.rules.valuation?.unit ?? "token",
		...(last && { model: last.prepared.model }),
		policy: states.rules.settings.policy,
	};
}
