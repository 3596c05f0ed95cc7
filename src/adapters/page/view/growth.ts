import type { PageSession } from "../page-session.ts";
import { type ApiError, askAnew, forget, isStranger } from "./api.ts";
import { change, state } from "./state.ts";

/** Least time between two looks at a log that grows, ms: a burst of events is drawn once. */
const CALM = 500;

/** Waits between two tries to reach a server that is gone, ms. */
const RETRIES = [1000, 2000, 4000, 8000];

/** Reads the session and goes on to follow it as it grows. Returns what ends that. */
export function followGrowth(): () => void {
	const control = new AbortController();
	void run(control.signal);
	return () => control.abort();
}

let wake: () => void = () => {};

/** Tries to reach the server now rather than in a while. */
export function retry(): void {
	wake();
}

async function run(signal: AbortSignal): Promise<void> {
	let failed = 0;
	while (!signal.aborted) {
		try {
			await look(signal);
			failed = 0;
			const { head } = state().session ?? {};
			await askAnew(`/api/grown?since=${head?.version ?? 0}`, { signal });
			await rest(CALM);
		} catch (error) {
			if (signal.aborted || isStranger(error as ApiError)) return;
			if ((error as ApiError).status > 0) {
				change({ trouble: { kind: "failed", message: (error as ApiError).message } });
			}
			await rest(RETRIES[Math.min(failed++, RETRIES.length - 1)] ?? CALM);
		}
	}
}

async function look(signal: AbortSignal): Promise<void> {
	const session = await askAnew<PageSession>("/api/session", { signal });
	const before = state().session;
	// nothing that was told need be true of a store that has become another
	if (before && before.begun !== session.begun) return location.reload();
	if (before && before.head.version !== session.head.version) forget(before.requests);
	const same = before !== undefined && JSON.stringify(before) === JSON.stringify(session);
	change({ trouble: undefined, ...(!same && { session }) });
}

function rest(ms: number): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		wake = () => {
			clearTimeout(timer);
			resolve();
		};
	});
}
